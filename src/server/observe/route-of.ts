import type { Request } from 'express';

/** The pattern of the route that answered, never the path: paths are unlimited in number and may contain secrets. */
export function routeOf({ route }: Request): string {
  const pattern: unknown = route;
  const path = typeof pattern === 'object' && pattern !== null && 'path' in pattern ? pattern.path : undefined;
  return typeof path === 'string' ? path : 'other';
}
