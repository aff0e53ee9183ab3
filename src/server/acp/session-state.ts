import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from '../../domain/choices.js';
import { AppError } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import type { SessionState, Settings, Setup } from '../../protocols/acp/settings.js';
import type { Session } from '../../session/session.js';

/** An engine that takes longer to start tells its settings later, by an update. */
const openMs = 3000;

/** What a client that joins is told. It wants to show model and mode before the first prompt, so the engine is started now. */
export async function stateOf(session: Session): Promise<SessionState> {
  const isUnknown = session.settings && settingsOf(session).approvalMode === undefined;
  // An engine that cannot start says why when it is prompted.
  const opened = session.settings?.open().catch(() => {});
  if (isUnknown) await Promise.race([opened, sleep(openMs, undefined, { ref: false })]);
  const { state, queued } = session;
  return { settings: settingsOf(session), choices: choicesOf(session), state, queued };
}

/** Changes the mode or the model, for everybody. Returns what holds then. */
export async function setOption(session: Session, option: string, value: unknown, by: Origin): Promise<Setup> {
  const { settings: settable } = session;
  const before = settingsOf(session);
  if (option !== 'mode' && option !== 'model')
    throw new AppError('bad-request', `there is no option "${option}", only mode and model`);
  const current = option === 'mode' ? before.approvalMode : before.model;
  if (value === current) return { settings: before, choices: choicesOf(session) };
  if (!settable) throw new AppError('bad-request', `the ${option} of this session cannot be changed by a client`);
  await settable.open();
  const choices = option === 'mode' ? choicesOf(session).modes : choicesOf(session).models;
  const chosen = choices.find(({ id }) => id === value);
  if (!chosen) {
    const others = choices.map(({ id }) => id).join(', ');
    throw new AppError('bad-request', `the ${option} cannot be "${String(value)}"; it can be ${others}`);
  }
  if (option === 'mode') await settable.setMode(chosen.id, by);
  else await settable.setModel(chosen.id, by);
  // The event may still be on its way.
  const settings = { ...settingsOf(session), [option === 'mode' ? 'approvalMode' : 'model']: chosen.id };
  return { settings, choices: choicesOf(session) };
}

export function choicesOf({ settings }: Session): Choices {
  return settings?.choices() ?? { modes: [], models: [] };
}

function settingsOf(session: Session): Settings {
  const last = session.eventsAfter(0).findLast((event) => event.type === 'settings');
  return last ?? { model: session.agent.model };
}
