import { weightOf } from '../../domain/event-weight.js';
import type { ArtifactPart, SessionEvent } from '../../domain/events.js';
import type {
  Approval,
  ApprovalDetails,
  FileDiff,
  ToolCall,
  ToolCallState,
  ToolOutput,
} from '../../domain/tool-call.js';
import { unreachable } from '../../util/unreachable.js';
import { withoutState } from '../calls/after-answer.js';
import { Cutter } from './cutter.js';

/** Larger events are cut. A client's prompt has at most 1 MiB and is always sent whole. */
export const sentWeight = 1.25 * 1024 * 1024;

/**
 * The event as clients get it. A model or a tool can produce an event larger than a client's whole send buffer. Sent whole,
 * it would disconnect everyone. The store keeps the whole event, and clients can read it there by its seq.
 */
export function cutEvent(event: SessionEvent): SessionEvent {
  if (weightOf(event) <= sentWeight) return event;
  const cutter = new Cutter(pathOf(event));
  switch (event.type) {
    case 'text':
    case 'prompt':
    case 'citation':
    case 'log':
    case 'reply':
      return { ...event, text: cutter.text(event.text) };
    case 'thought':
      return { ...event, subject: cutter.text(event.subject), description: cutter.text(event.description) };
    case 'error':
      return { ...event, message: cutter.text(event.message) };
    case 'turn':
      return event.error === undefined ? event : { ...event, error: cutter.text(event.error) };
    case 'tool':
      return { ...event, call: cutCall(event.call, cutter) };
    case 'artifact': {
      const parts = cutter.list(event.artifact.parts, (part) => cutPart(part, cutter, pathOf(event)));
      return { ...event, artifact: { ...event.artifact, parts } };
    }
    default:
      return cutter.every(event);
  }
}

function pathOf({ sessionId, seq }: SessionEvent): string {
  return `/tasks/${encodeURIComponent(sessionId)}/events/${seq}`;
}

function cutCall(call: ToolCall, cutter: Cutter): ToolCall {
  const { description } = call;
  return {
    ...withoutState(call),
    name: cutter.text(call.name),
    ...(description === undefined ? {} : { description: cutter.text(description) }),
    // The question comes first: arguments that say the same must not use up its space.
    ...cutState(call, cutter),
    args: cutter.record(call.args),
  };
}

function cutState(call: ToolCall, cutter: Cutter): ToolCallState {
  switch (call.status) {
    case 'pending':
      return { status: 'pending' };
    case 'waiting':
      return { status: 'waiting', approval: cutApproval(call.approval, cutter) };
    case 'executing':
      return {
        status: 'executing',
        ...(call.liveOutput === undefined ? {} : { liveOutput: cutter.text(call.liveOutput) }),
      };
    case 'succeeded':
      return { status: 'succeeded', output: cutOutput(call.output, cutter) };
    case 'failed':
      return { status: 'failed', error: { ...call.error, message: cutter.text(call.error.message) } };
    case 'cancelled':
      return { status: 'cancelled', ...(call.reason === undefined ? {} : { reason: cutter.text(call.reason) }) };
    default:
      return unreachable(call);
  }
}

function cutApproval(approval: Approval, cutter: Cutter): Approval {
  return { ...approval, details: cutDetails(approval.details, cutter) };
}

function cutDetails(details: ApprovalDetails, cutter: Cutter): ApprovalDetails {
  switch (details.kind) {
    case 'execute':
      return { ...details, command: cutter.text(details.command) };
    case 'edit':
      return { ...details, diff: cutDiff(details.diff, cutter) };
    case 'mcp':
      return { ...details, serverName: cutter.text(details.serverName), toolName: cutter.text(details.toolName) };
    case 'generic':
    case 'plan':
      return { ...details, description: cutter.text(details.description) };
    case 'questions':
      return {
        ...details,
        description: cutter.text(details.description),
        questions: cutter.values(details.questions),
      };
    default:
      return unreachable(details);
  }
}

function cutOutput(output: ToolOutput, cutter: Cutter): ToolOutput {
  switch (output.kind) {
    case 'text':
      return { kind: 'text', text: cutter.text(output.text) };
    case 'diff':
      return { kind: 'diff', diff: cutDiff(output.diff, cutter) };
    case 'data':
      return { kind: 'data', data: cutter.record(output.data) };
    default:
      return unreachable(output);
  }
}

function cutDiff(diff: FileDiff, cutter: Cutter): FileDiff {
  const { formatted, oldContent } = diff;
  return {
    ...diff,
    ...(formatted === undefined ? {} : { formatted: cutter.text(formatted) }),
    newContent: cutter.text(diff.newContent),
    ...(oldContent === undefined ? {} : { oldContent: cutter.text(oldContent) }),
  };
}

/** Half a file is useless, so a link replaces it. */
function cutPart(part: ArtifactPart, cutter: Cutter, url: string): ArtifactPart {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: cutter.text(part.text) };
    case 'data':
      return { kind: 'data', data: cutter.record(part.data) };
    case 'file':
      return { kind: 'link', name: part.name, mediaType: part.mediaType, url };
    case 'link':
      return part;
    default:
      return unreachable(part);
  }
}
