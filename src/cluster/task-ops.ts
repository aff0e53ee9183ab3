import * as z from 'zod';
import type { Choices } from '../domain/choices.js';
import type { Command } from '../domain/command.js';
import { AppError } from '../domain/errors.js';
import type { Origin } from '../domain/events.js';
import type { Answer } from '../domain/tool-call.js';
import type { TurnRequest } from '../engine/engine.js';
import type { TaskTools } from '../engine/task-engine.js';
import type { Accepted } from '../session/prompt-queue.js';
import type { AcceptedAnswer } from '../session/session-port.js';
import type { Session } from '../session/session.js';
import type { Registry } from '../tasks/registry.js';
import type { Relay } from '../tasks/relay.js';
import { defined } from '../util/defined.js';

/** What a mirror shows that is in no event. */
export type MirrorFacts = { readonly commands: readonly Command[]; readonly choices?: Choices };

/** What servers ask the one that runs a task. A server of ours wrote it and has checked what its client sent. */
export const opRequests = {
  send: z.custom<TurnRequest>(),
  answer: z.custom<{ readonly id: string; readonly answer: Answer; readonly by: Origin }>(),
  cancel: z.custom<{ readonly by: Origin; readonly turnId?: string }>(),
  set: z.custom<{ readonly setting: string; readonly choice: string; readonly by: Origin }>(),
};

/** What it answers. */
export const opAnswers = {
  send: z.custom<Accepted>(),
  answer: z.custom<AcceptedAnswer>(),
  facts: z.custom<MirrorFacts>(),
  tools: z.custom<TaskTools>(),
  nothing: z.unknown().transform((): void => undefined),
};

/** Answers for the tasks that this server runs. */
export function serveTaskOps(
  relay: Relay,
  registry: Pick<Registry, 'tools' | 'remove'>,
  know: (principal: string) => Promise<void> = async () => {},
): void {
  relay.onAsked('send', async (session, about) => {
    const request = opRequests.send.parse(about);
    if (request.origin.principal !== undefined) await know(request.origin.principal);
    return session.send(request);
  });
  relay.onAsked('answer', (session, about) => {
    const { id, answer, by } = opRequests.answer.parse(about);
    return session.sendAnswer(id, answer, by);
  });
  relay.onAsked('cancel', (session, about) => {
    const { by, turnId } = opRequests.cancel.parse(about);
    return session.sendCancel(by, turnId);
  });
  relay.onAsked('facts', async (session) => factsOf(session));
  // The same, once the engine has started and its settings are stored: mirrors know only what is.
  relay.onAsked('open', async (session) => {
    await session.settings?.open();
    await session.stored();
    return factsOf(session);
  });
  relay.onAsked('set', async ({ settings }, about) => {
    const { setting, choice, by } = opRequests.set.parse(about);
    if (!settings) throw new AppError('bad-request', `the ${setting} of this session cannot be changed by a client`);
    if (setting === 'mode') await settings.setMode(choice, by);
    else if (setting === 'model') await settings.setModel(choice, by);
    else await settings.setOther?.(setting, choice, by);
  });
  relay.onAsked('tools', ({ id }) => registry.tools(id));
  relay.onAsked('remove', ({ id }) => registry.remove(id));
}

function factsOf({ commands, settings }: Session): MirrorFacts {
  return { commands, ...defined({ choices: settings?.choices() }) };
}
