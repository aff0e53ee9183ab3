import { FairGate } from '../util/fair-gate.js';
import type { TaskEngine } from '../session/task-engine.js';
import type { FromChild, ToChild } from './child-messages.js';
import { headlessEngines } from './headless-engines.js';

/** The process of one task under `--isolate`: the headless engine, spoken to over Node's own channel. */
const saving = new Map<number, (error: string | undefined) => void>();
let saves = 0;
let engine: TaskEngine | undefined;

const send = (message: FromChild): void => void process.send?.(message);

function onceSaved(ask: (number: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const number = ++saves;
    saving.set(number, (error) => (error === undefined ? resolve() : reject(new Error(error))));
    ask(number);
  });
}

function open({ options, request }: ToChild & { type: 'open' }): void {
  const engines = headlessEngines({
    ...options,
    gate: new FairGate({ width: 1, maxWaiting: 1 }),
    onProblem: (_workspace, text) => send({ type: 'problem', text }),
    onError: (error) => send({ type: 'problem', text: String(error) }),
  });
  const opened = engines.open({
    ...request,
    mcpServers: () => request.mcpServers,
    save: (checkpoint) => onceSaved((number) => send({ type: 'save', number, checkpoint })),
  });
  opened.connect({
    report: (event) =>
      send({ type: 'report', event, ...(event.type === 'settings' ? { commands: opened.commands() } : {}) }),
    claimAnswer: () => true,
    stored: () => onceSaved((number) => send({ type: 'flush', number })),
  });
  engine = opened;
  send({ type: 'opened', commands: opened.commands() });
}

function onMessage(message: ToChild): void {
  switch (message.type) {
    case 'open':
      return open(message);
    case 'start':
      engine?.wake?.();
      return engine?.start(message.request);
    case 'resume':
      if (engine?.resume?.(message.calls) !== true) send({ type: 'report', event: { type: 'ended', state: 'failed' } });
      return undefined;
    case 'answer':
      return engine?.answer(message.callId, message.answer);
    case 'cancel':
      return engine?.cancel();
    case 'tools':
      engine?.tools().then(
        (tools) => send({ type: 'tools', tools }),
        (error: unknown) => send({ type: 'tools', error: String(error) }),
      );
      return undefined;
    case 'saved':
      saving.get(message.number)?.(message.error);
      saving.delete(message.number);
      return undefined;
  }
}

process.on('message', onMessage);
// The server is gone, or has put the task away: everything worth keeping is in its store.
process.on('disconnect', () => process.exit(0));
// Signals of the terminal go to the whole group; the server decides when its tasks end.
process.on('SIGINT', () => {});
