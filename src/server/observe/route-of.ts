import type { Request } from 'express';

/** The pattern of the route that answered, never the path: paths are without number, and may hold what nobody should read. */
export function routeOf({ route }: Request): string {
  const pattern: unknown = route;
  const path = typeof pattern === 'object' && pattern !== null && 'path' in pattern ? pattern.path : undefined;
  return typeof path === 'string' ? path : 'other';
}
