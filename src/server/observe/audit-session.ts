import type { AuditAction, AuditEntry, AuditLog } from '../../domain/audit.js';
import type { Origin, SessionEvent } from '../../domain/events.js';
import type { ToolCall } from '../../domain/tool-call.js';
import { NewPrompts } from '../../session/new-prompts.js';
import type { Session } from '../../session/session.js';
import { defined } from '../../util/defined.js';
import { sanitizeLine } from '../../util/text/sanitize.js';
import { ChangedSettings } from './changed-settings.js';
import { NewAnswers } from './new-answers.js';

/**
 * Records who prompts, answers and cancels in a session. Whatever the surface, these reach the hub and become events, so this
 * is the only place. Returns the undo.
 */
export function auditSession(session: Session, audit: AuditLog): () => void {
  const from = session.seq;
  const toEntry = auditor(session.engineOrigin);
  return session.observe((event) => {
    const entry = toEntry(event);
    // The past of a session that is loaded again was recorded before.
    if (entry && event.seq > from) audit.add(entry);
  });
}

/** Translates the events of one session, in their order. */
function auditor(engine: Origin): (event: SessionEvent) => AuditEntry | undefined {
  const answers = new NewAnswers();
  const prompts = new NewPrompts();
  const settings = new ChangedSettings();
  return (event) => {
    // The most frequent event is nobody's action.
    if (event.type === 'text') return undefined;
    const { at, sessionId: taskId } = event;
    const isNewPrompt = prompts.in(event) !== undefined;
    const entry = (by: Origin, action: AuditAction): AuditEntry => ({ at, by, ...action });
    const where = { taskId, ...defined({ turnId: event.turnId }) };
    switch (event.type) {
      case 'prompt': {
        if (!isNewPrompt) return undefined;
        const { text, origin, isCommand } = event;
        if (!isCommand) return entry(origin, { action: 'prompt', ...where, characters: text.length });
        return entry(origin, { action: 'command', ...where, command: commandIn(text) });
      }
      case 'tool': {
        const call = answers.in(event);
        if (!call) return undefined;
        const { id: callId, name: tool, resolution } = call;
        const about = { ...defined({ about: aboutOf(call) }) };
        return entry(resolution.by, {
          action: 'answer',
          ...where,
          callId,
          tool,
          ...about,
          option: resolution.optionId,
        });
      }
      case 'settings': {
        const changed = settings.in(event);
        return changed && entry(event.by ?? engine, { action: 'settings', ...where, ...changed });
      }
      case 'cancel':
        return entry(event.by, { action: 'cancel', ...where });
      case 'turn':
        return event.by && entry(event.by, { action: 'cancel', ...where });
      default:
        return undefined;
    }
  };
}

/** The name of a slash command. Its arguments may be private. */
export function commandIn(line: string): string {
  return sanitizeLine(line.trim().split(/\s/, 1)[0] ?? '', 80);
}

/** What the call was asked to do: its command, its file, or its description. */
function aboutOf({ args, description }: ToolCall): string | undefined {
  const text = [args['command'], args['file_path'], description].find((value) => typeof value === 'string');
  return typeof text === 'string' && text !== '' ? sanitizeLine(text, 200) : undefined;
}
