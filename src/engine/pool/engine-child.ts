import { noChoices } from '../../domain/choices.js';
import { AppError } from '../../domain/errors.js';
import { errorText } from '../gemini/error-text.js';
import type { TaskEngine, TaskTools } from '../task-engine.js';
import { Replies } from '../../util/replies.js';
import type { FromChild, Offers, ToChild, Wish } from './child-messages.js';
import { openHeadless } from './open-headless.js';
import { hideSecrets } from './own-secrets.js';

/** The process of one task under `--isolate`: the headless engine, controlled over Node's IPC channel. */
const saves = new Replies<void>();
let engine: TaskEngine | undefined;

// This must happen before any tool runs.
hideSecrets();

const send = (message: FromChild): void => void process.send?.(message);

function open({ options, request }: ToChild & { type: 'open' }): TaskEngine {
  const opened = openHeadless(
    {
      ...options,
      onProblem: (_workspace, text) => send({ type: 'problem', text }),
      onError: (error) => send({ type: 'problem', text: String(error) }),
    },
    {
      ...request,
      mcpServers: () => request.mcpServers,
      save: (checkpoint) => saves.ask((number) => send({ type: 'save', number, checkpoint })),
    },
  );
  opened.connect({
    report(event) {
      // The offers are known once the settings are, and change with them.
      if (event.type === 'settings') send({ type: 'offers', offers: offersOf(opened) });
      send({ type: 'report', event });
    },
    tryAnswer: () => true,
    stored: () => saves.ask((number) => send({ type: 'flush', number })),
  });
  send({ type: 'offers', offers: offersOf(opened) });
  return opened;
}

function offersOf(opened: TaskEngine): Offers {
  return { commands: opened.commands(), choices: opened.settings?.choices() ?? noChoices };
}

async function grant(wish: Wish): Promise<TaskTools | undefined> {
  const settings = engine?.settings;
  if (wish.of === 'tools') return engine?.tools();
  if (wish.of === 'settings') await settings?.open();
  else if (wish.of === 'mode') await settings?.setMode(wish.id, wish.by);
  else await settings?.setModel(wish.id, wish.by);
  return undefined;
}

function onMessage(message: ToChild): void {
  switch (message.type) {
    case 'open':
      engine = open(message);
      return undefined;
    case 'start':
      return engine?.start(message.request, message.turnId);
    case 'resume':
      if (engine?.resume?.(message.turn) !== true) send({ type: 'report', event: { type: 'ended', state: 'failed' } });
      return undefined;
    case 'answer':
      return engine?.answer(message.callId, message.answer);
    case 'cancel':
      return engine?.cancel();
    case 'ask':
      return ask(message.number, message.wish);
    case 'saved':
      if (message.error === undefined) saves.resolve(message.number);
      else saves.reject(message.number, new Error(message.error));
      return undefined;
  }
}

function ask(number: number, wish: Wish): void {
  grant(wish).then(
    (tools) => send({ type: 'done', number, ...(tools ? { tools } : {}) }),
    (error: unknown) => {
      const code = error instanceof AppError ? { code: error.code } : {};
      send({ type: 'refused', number, message: errorText(error), ...code });
    },
  );
}

process.on('message', onMessage);
// The server is gone or has unloaded the task. Everything worth keeping is in the store.
process.on('disconnect', () => process.exit(0));
// The terminal sends signals to the whole process group, but the server decides when its tasks end.
process.on('SIGINT', () => {});
