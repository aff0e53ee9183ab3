import type { AgentCard, SecurityScheme as WireScheme } from '@a2a-js/sdk';
import type { SecurityScheme } from '../../domain/security-scheme.js';

type Security = Pick<AgentCard, 'securitySchemes' | 'securityRequirements'>;

const sessionToken: SecurityScheme = { type: 'bearer', description: 'the token of the session' };

/** The credentials in the card. Any one scheme is enough; empty if none is needed. */
export function securityOf(schemes: readonly SecurityScheme[], isClosed: boolean): Security {
  if (!isClosed) return { securitySchemes: {}, securityRequirements: [] };
  const offered = schemes.length === 0 ? [sessionToken] : schemes;
  const named = offered.map((scheme, index): [string, WireScheme] => {
    const before = offered.slice(0, index).filter(({ type }) => type === scheme.type).length;
    return [before === 0 ? scheme.type : `${scheme.type}${before + 1}`, { scheme: toWire(scheme) }];
  });
  const securityRequirements = named.map(([name]) => ({ schemes: { [name]: { list: [] } } }));
  return { securitySchemes: Object.fromEntries(named), securityRequirements };
}

function toWire(scheme: SecurityScheme): WireScheme['scheme'] {
  const { description } = scheme;
  if (scheme.type === 'bearer')
    return { $case: 'httpAuthSecurityScheme', value: { scheme: 'Bearer', bearerFormat: '', description } };
  if (scheme.type === 'mutualTls') return { $case: 'mtlsSecurityScheme', value: { description } };
  return { $case: 'openIdConnectSecurityScheme', value: { openIdConnectUrl: scheme.url, description } };
}
