import { storePlace } from './store-place.js';

/** The tokens that all servers of a store share. Only a database keeps some. */
export async function openStoredTokens(url: string) {
  if (!/^postgres(ql)?:/.test(url))
    throw new Error(`only a postgres:// store keeps tokens, not ${JSON.stringify(storePlace(url))}; leave --store out`);
  const { openPostgresTokens } = await import('./postgres/postgres-tokens.js');
  return openPostgresTokens(url);
}
