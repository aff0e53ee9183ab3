import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { SessionEvent } from '../../domain/events.js';
import { notSent } from '../shared/not-sent.js';
import { kindOf } from '../acp/call-facts.js';
import { partBlock, severities, textBlock, thoughtBlock } from '../acp/content.js';
import type { View } from '../acp/dialect.js';
import { meta, originMeta } from '../acp/meta.js';
import { planOf } from '../acp/plan.js';
import { toConfigOptions } from '../acp/settings.js';
import { type Printed, withTerminal } from '../acp/terminal-output.js';
import { toAcpToolCall } from './tool-call.js';
import { usageUpdates } from '../acp/usage.js';
import { defined } from '../../util/defined.js';

/** One session event as updates of ACP v1, for one client. */
export function toAcpUpdates(event: SessionEvent, view: View): SessionUpdate[] {
  switch (event.type) {
    case 'prompt': {
      const { text, origin, turnId, queued } = event;
      // A queued prompt is sent when its turn starts, at its place in the conversation.
      if (queued !== undefined || view.isOwn) return [];
      const ids = defined({ messageId: turnId });
      return [{ sessionUpdate: 'user_message_chunk', ...ids, content: textBlock(text), _meta: originMeta(origin) }];
    }
    case 'turn': {
      const { turnId: id, state, error } = event;
      return [info({ turn: { id, state, ...defined({ error }) } })];
    }
    case 'text':
    case 'reply':
      return [say(event.text)];
    case 'thought': {
      const { subject, description } = event;
      const content = thoughtBlock(subject, description);
      return [{ sessionUpdate: 'agent_thought_chunk', content, _meta: meta({ subject, description }) }];
    }
    case 'tool':
      return toolUpdates(event, view);
    case 'citation':
      return [say(event.text)];
    case 'usage':
      return usageUpdates(event.usage, view.model);
    case 'settings': {
      const { approvalMode } = event;
      const mode: SessionUpdate[] =
        approvalMode === undefined ? [] : [{ sessionUpdate: 'current_mode_update', currentModeId: approvalMode }];
      return [{ sessionUpdate: 'config_option_update', configOptions: toConfigOptions(event, view.choices) }, ...mode];
    }
    case 'log':
      return view.hasNotices ? [{ sessionUpdate: 'notice', severity: severities[event.level], title: event.text }] : [];
    case 'error':
      return view.hasNotices
        ? [{ sessionUpdate: 'notice', severity: 'error', title: event.message }]
        : [say(event.message)];
    case 'artifact':
      return event.artifact.parts.map((part) => ({ sessionUpdate: 'agent_message_chunk', content: partBlock(part) }));
    default:
      return notSent('acp', event);
  }
}

function toolUpdates({ call }: SessionEvent & { type: 'tool' }, view: View): SessionUpdate[] {
  const printed: Printed = { isNew: !view.knowsCall, text: view.knowsCall ? view.printed : '' };
  const plain = toAcpToolCall(call);
  const isTerminal = view.hasTerminal && kindOf(call) === 'execute';
  const update = isTerminal ? { ...plain, ...withTerminal(plain, call, printed) } : plain;
  const entries = planOf(call);
  const { title } = plain;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an announcement has the fields of an update, none of them null
  const announced = { ...update, title, sessionUpdate: 'tool_call' } as SessionUpdate;
  return [
    view.knowsCall ? { ...update, sessionUpdate: 'tool_call_update' } : announced,
    ...(entries === undefined ? [] : [{ sessionUpdate: 'plan', entries } as const]),
  ];
}

/** Facts that ACP has no update for; other clients ignore them. */
function info(facts: Readonly<Record<string, unknown>>): SessionUpdate {
  return { sessionUpdate: 'session_info_update', _meta: meta(facts) };
}

function say(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: textBlock(text) };
}
