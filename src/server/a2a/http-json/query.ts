import { RequestMalformedError } from '@a2a-js/sdk/errors';
import type { Request } from 'express';

/** A path segment named in the route. */
export function segment({ params }: Request, name: string): string {
  return String(params[name]);
}

/** A query parameter under one of its names. Undefined if it is missing or empty. */
export function parameter({ query }: Request, ...names: string[]): string | undefined {
  const name = names.find((each) => query[each] !== undefined);
  const given = name === undefined ? undefined : query[name];
  if (given === undefined || given === '') return undefined;
  if (typeof given === 'string') return given;
  throw new RequestMalformedError(`${name} is given more than once`);
}

export function historyLengthIn(request: Request, ...names: string[]): number | undefined {
  const given = parameter(request, ...names);
  if (given === undefined) return undefined;
  const length = Number.parseInt(given, 10);
  if (Number.isNaN(length)) throw new RequestMalformedError('historyLength must be a valid integer');
  if (length < 0) throw new RequestMalformedError('historyLength must be non-negative');
  return length;
}

export function pageSizeIn(request: Request): number | undefined {
  const given = parameter(request, 'pageSize');
  if (given === undefined) return undefined;
  if (!/^\s*-?\d+\s*$/.test(given)) throw new RequestMalformedError('pageSize must be a valid integer');
  const size = Number(given);
  if (size < 1 || size > 100) throw new RequestMalformedError('pageSize must be between 1 and 100');
  return size;
}
