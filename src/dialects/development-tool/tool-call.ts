import type { ToolCall } from '../../domain/tool-call.js';
import { toToolCall } from '../endpoint/tool-call.js';
import type { Wire } from '../shared/wire.js';

/** The RFC's `ToolCall`, in full on every update (RFC 3.2). The details of a question are next to its options. */
export function toRfcToolCall(call: ToolCall): Wire {
  const wire = toToolCall(call);
  if (wire.status !== 'PENDING' || !wire.confirmation_request) return wire;
  const { options, details } = wire.confirmation_request;
  return { ...wire, confirmation_request: { options, ...details } };
}
