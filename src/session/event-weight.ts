import type { SessionEvent } from '../domain/events.js';
import type { ToolCall } from '../domain/tool-call.js';

const overhead = 200;

/** Roughly the bytes an event keeps alive. Only its long strings count: serialising each event to weigh it would cost too much. */
export function weightOf(event: SessionEvent): number {
  switch (event.type) {
    case 'text':
    case 'prompt':
    case 'citation':
    case 'log':
      return overhead + event.text.length;
    case 'thought':
      return overhead + event.subject.length + event.description.length;
    case 'error':
      return overhead + event.message.length;
    case 'tool':
      return overhead + weightOfCall(event.call);
    default:
      return overhead;
  }
}

function weightOfCall(call: ToolCall): number {
  return Object.values(call.args).reduce<number>((sum, value) => sum + lengthOf(value), stateLength(call));
}

function stateLength(call: ToolCall): number {
  if (call.status === 'executing') return lengthOf(call.liveOutput);
  if (call.status === 'waiting' && call.approval.details.kind === 'edit') return lengthOf(call.approval.details.diff);
  if (call.status === 'succeeded') return lengthOf(call.output);
  return 0;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, inner) => sum + lengthOf(inner), 0);
}
