import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from '../../domain/choices.js';
import { AppError } from '../../domain/errors.js';
import type { Origin } from '../../domain/events.js';
import type { SessionState, AcpSettings, Setup } from '../../dialects/acp/settings.js';
import type { SessionPort } from '../../session/session-port.js';

/** If the engine takes longer to start, its settings follow later in an update. */
const openMs = 3000;

/** What a joining client is sent. It shows model and mode before the first prompt, so the engine is started now. */
export async function stateOf(session: SessionPort): Promise<SessionState> {
  const isUnknown = session.settings && settingsOf(session).approvalMode === undefined;
  // An engine that cannot start reports the reason on the first prompt.
  const opened = session.settings?.open().catch(() => {});
  if (isUnknown) await Promise.race([opened, sleep(openMs, undefined, { ref: false })]);
  const { state, queued } = session;
  return { settings: settingsOf(session), choices: choicesIn(session), state, queued };
}

/** Changes the mode, the model or another setting for everyone. Returns the new settings. */
export async function setOption(session: SessionPort, option: string, value: unknown, by: Origin): Promise<Setup> {
  const { settings: settable } = session;
  const before = settingsOf(session);
  const current = { mode: before.approvalMode, model: before.model }[option];
  if (value === current) return { settings: before, choices: choicesIn(session) };
  if (!settable) throw new AppError('bad-request', `the ${option} of this session cannot be changed by a client`);
  await settable.open();
  const chosen = chosenOf(option, value, choicesIn(session));
  if (option === 'mode') await settable.setMode(chosen, by);
  else if (option === 'model') await settable.setModel(chosen, by);
  else await settable.setOther?.(option, chosen, by);
  // The event may still be on its way.
  const change = option === 'mode' ? { approvalMode: chosen } : option === 'model' ? { model: chosen } : {};
  return { settings: { ...settingsOf(session), ...change }, choices: choicesIn(session) };
}

/** Refuses an invalid choice with an error that lists the valid ones. */
function chosenOf(option: string, value: unknown, { modes, models, others = [] }: Choices): string {
  const all = new Map([['mode', modes], ['model', models], ...others.map(({ id, choices }) => [id, choices] as const)]);
  const choices = all.get(option);
  if (!choices)
    throw new AppError('bad-request', `there is no option "${option}", only ${[...all.keys()].join(' and ')}`);
  const chosen = choices.find(({ id }) => id === value);
  if (chosen) return chosen.id;
  const ids = choices.map(({ id }) => id).join(', ');
  throw new AppError('bad-request', `the ${option} cannot be "${String(value)}"; it can be ${ids}`);
}

export function choicesIn({ settings }: SessionPort): Choices {
  return settings?.choices() ?? { modes: [], models: [] };
}

function settingsOf(session: SessionPort): AcpSettings {
  return session.recall.state.settings ?? { model: session.agent.model };
}
