import { ownPlaces, type OwnerPlaces } from '../util/owner-places.js';

export type OpenPlaces = OwnerPlaces & { close?(): Promise<void> };

/** Only a database lets servers share places. Without one, each has its own. */
export async function openPlaces(
  url: string,
  options: { readonly server: string; readonly limit: number },
): Promise<OpenPlaces> {
  if (!/^postgres(ql)?:/.test(url)) return ownPlaces(options.limit);
  const { openPostgresPlaces } = await import('./postgres/postgres-places.js');
  return openPostgresPlaces(url, options);
}
