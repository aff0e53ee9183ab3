import type { SecurityScheme } from '../../domain/security-scheme.js';
import type { SchemaPart } from './json-schema.js';

type Security = {
  readonly schemes: Readonly<Record<string, SchemaPart>>;
  readonly requirements: readonly SchemaPart[];
};

/** How callers identify themselves. An empty requirement means that no token is needed: loopback, same user. */
export function apiSecurity(given: readonly SecurityScheme[], needsToken: boolean): Security {
  const openId = given.find((scheme) => scheme.type === 'openIdConnect');
  const bearer = given.find((scheme) => scheme.type === 'bearer');
  const schemes = {
    bearer: { type: 'http', scheme: 'bearer', description: bearer?.description ?? 'the token of the session' },
    ...(openId && {
      openIdConnect: { type: 'openIdConnect', openIdConnectUrl: openId.url, description: openId.description },
    }),
  };
  const requirements = Object.keys(schemes).map((name) => ({ [name]: [] }));
  return { schemes, requirements: needsToken ? requirements : [...requirements, {}] };
}
