import { Extensions } from '@a2a-js/sdk';
import type { Request, Response } from 'express';
import { toCursor } from '../../http/caller.js';
import { principalOf } from '../../guards/admission.js';
import { readerOf } from '../streams/reader.js';
import { callContext } from './call-context.js';
import type { Caller } from './caller.js';
import { defined } from '../../../util/defined.js';

export function httpCaller(transport: 'jsonrpc' | 'rest', request: Request, response: Response): Caller {
  const client = request.get('user-agent');
  const lastEventId = toCursor(request.get('last-event-id'));
  return {
    transport,
    principal: principalOf(request),
    context: callContext(request.get('a2a-version'), Extensions.parseServiceParameter(request.get('a2a-extensions'))),
    reader: readerOf(response),
    ...defined({ client, lastEventId }),
  };
}
