import type { Extensions } from '@a2a-js/sdk';
import { isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { ServerCallContext } from '@a2a-js/sdk/server';
import type { Request } from 'express';
import { pushAllUri } from '../../../dialects/a2a/push-all.js';
import { extensionUri } from '../../../dialects/development-tool/extension.js';

/** Extensions named in the request are active from the start. A message may activate the development-tool extension later. */
export function callContext(version: string | undefined, extensions: Extensions): ServerCallContext {
  const requested = { requestedExtensions: extensions };
  const context = new ServerCallContext(
    version === undefined ? requested : { ...requested, requestedVersion: version },
  );
  for (const uri of [extensionUri, pushAllUri]) if (extensions.includes(uri)) context.addActivatedExtension(uri);
  return context;
}

/** No header means v0.3, the version that nearly all existing clients speak. */
export function isLegacy(request: Request): boolean {
  return (request.get('a2a-version') ?? '0.3') === '0.3';
}

/** The active extensions, under the header names of both versions. */
export function extensionHeader({ activatedExtensions }: ServerCallContext): Record<string, string> {
  if (!activatedExtensions) return {};
  const value = [...activatedExtensions].join(', ');
  return { 'a2a-extensions': value, 'x-a2a-extensions': value };
}

/** A method that exists only in v1.0 implies the version without a header. */
export function noteVersionOf({ headers, body }: Request): void {
  const given: unknown = body;
  if (headers['a2a-version'] !== undefined || typeof given !== 'object' || given === null) return;
  if ('method' in given && typeof given.method === 'string' && isV1JsonRpcMethod(given.method))
    headers['a2a-version'] = '1.0';
}

export function withoutPatch(version: string): string {
  return version.trim().replace(/^(\d+\.\d+)\.\d+.*$/, '$1');
}

/**
 * Normalises what clients may write in several ways. The version may come as a query parameter (A2A 3.6.1), and its patch
 * level is ignored (3.6). v0.3 has another name for the extensions header.
 */
export function normaliseHeaders(request: Request): void {
  const { headers } = request;
  // Express parses the query whenever it is asked for it.
  const query = request.url.includes('?') ? request.query : {};
  const asked = [headers['a2a-version'], query['A2A-Version'], query['a2a-version']];
  const version = asked.find((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof version === 'string') headers['a2a-version'] = withoutPatch(version);
  else delete headers['a2a-version'];
  const extensions = request.get('x-a2a-extensions');
  if (extensions !== undefined) headers['a2a-extensions'] ??= extensions;
}
