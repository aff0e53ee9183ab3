import { type Dialect, plainDialect } from '../dialect.js';
import { toEndpoint } from './to-wire.js';

/** Flat events (seed 001). Questions keep the stream open. */
export function endpointDialect(): Dialect {
  return plainDialect(toEndpoint);
}
