import { describe, expect, test } from 'vitest';
import type { CliHistoryItem, CliLoopQuestion } from '../../src/engine/live/cli-types.js';
import { HistoryReader } from '../../src/engine/live/history-reader.js';
import { actionDialog, loopDialog, shellDialog } from '../../src/engine/live/dialog-kinds.js';
import { DialogQuestion } from '../../src/engine/live/dialog-question.js';
import { Terminal } from '../../src/engine/live/terminal.js';

/** A terminal after one render of the CLI's stream hook. */
function rendered(stream: object = {}, history: CliHistoryItem[] = []) {
  const terminal = new Terminal({ isPinned: true });
  const shown: unknown[] = [];
  const submitted: unknown[] = [];
  const submitQuery = (query: unknown): Promise<void> => {
    submitted.push(query);
    return Promise.resolve();
  };
  const render = (more: object = {}, items = history) =>
    terminal.observers.useGeminiStream?.([{}, items, (item: unknown) => shown.push(item)], {
      streamingState: 'idle',
      submitQuery,
      cancelOngoingRequest: () => {},
      ...stream,
      ...more,
    }) as {
      submitQuery: (query: unknown, options?: object) => Promise<unknown>;
      loopDetectionConfirmationRequest: CliLoopQuestion | null;
    };
  return { terminal, shown, submitted, render, result: render() };
}

test("the pinned release does not install another one; the user's own release does as it likes", () => {
  const general = { enableAutoUpdate: true, enableAutoUpdateNotification: true };
  const start = (isPinned: boolean): object => {
    const settings = { merged: { general: { ...general } } };
    new Terminal({ isPinned }).observers.startInteractiveUI?.([{}, settings], undefined);
    return settings.merged.general;
  };
  expect(start(true)).toEqual({ enableAutoUpdate: false, enableAutoUpdateNotification: false });
  expect(start(false)).toEqual(general);
});

test('React sees the same wrapper for the same function', () => {
  const { render } = rendered();
  expect(render().submitQuery).toBe(render().submitQuery);
});

test("what is typed while a client's prompt is under way goes to the CLI's queue instead of nowhere", async () => {
  const { terminal, result, submitted } = rendered();
  const queued: string[] = [];
  terminal.observers.useMessageQueue?.([{ isConfigInitialized: true }], {
    addMessage: (text: string) => queued.push(text),
  });
  let isFree = false;
  terminal.listen({
    rendered: () => {},
    client: () => {},
    dialogs: () => {},
    typed: () => isFree,
    settled: () => {},
  });
  await result.submitQuery('mine');
  expect([queued, submitted]).toEqual([['mine'], []]);
  isFree = true;
  await result.submitQuery('mine');
  await result.submitQuery([{ text: 'tool result' }], { isContinuation: true });
  expect(submitted).toEqual(['mine', [{ text: 'tool result' }]]);
});

test('what is typed before there is a listener waits for it, so that its turn is not missed', async () => {
  const { terminal, result, submitted } = rendered();
  const early = result.submitQuery('too early');
  const heard: unknown[] = [];
  await Promise.resolve();
  expect(submitted).toEqual([]);
  terminal.listen({
    rendered: () => {},
    client: (client) => heard.push(client),
    dialogs: () => {},
    typed: (text) => heard.push(text) > 0,
    settled: () => heard.push('settled'),
  });
  await early;
  expect([heard, submitted]).toEqual([[{}, 'too early', 'settled'], ['too early']]);
});

test('where there will be no listener, what was typed goes through', async () => {
  const { terminal, result, submitted } = rendered();
  const early = result.submitQuery('too early');
  terminal.listen(undefined);
  await early;
  expect(submitted).toEqual(['too early']);
});

test("a command of ours runs, is listed, and leaves the CLI's own alone", async () => {
  const { terminal, shown } = rendered();
  terminal.added.push({ name: 'a2a', description: 'share', run: (args) => `ran ${args}` });
  const handled: unknown[] = [];
  const slash = {
    slashCommands: [{ name: 'about' }, { name: 'zed' }],
    handleSlashCommand: (raw: unknown) => {
      handled.push(raw);
      return Promise.resolve({ type: 'handled' });
    },
  };
  const tapped = terminal.observers.useSlashCommandProcessor?.([], slash) as typeof slash;
  expect(tapped.slashCommands.map(({ name }) => name)).toEqual(['a2a', 'about', 'zed']);
  expect(await tapped.handleSlashCommand('/a2a on 1234')).toEqual({ type: 'handled' });
  await tapped.handleSlashCommand('/about');
  await tapped.handleSlashCommand('/a2abc');
  expect(handled).toEqual(['/about', '/a2abc']);
  expect(shown).toMatchObject([
    { type: 'user', text: '/a2a on 1234' },
    { type: 'info', text: 'ran on 1234' },
  ]);
});

test('new notices of the terminal are told once, our own lines never', () => {
  const { terminal, render, shown } = rendered({}, [{ type: 'info', text: 'old', id: 1 }]);
  const reader = new HistoryReader(terminal);
  terminal.show('info', 'A2A client connected');
  const items = [
    { type: 'info', text: 'old', id: 1 },
    { ...(shown[0] as CliHistoryItem), id: 2 },
    { type: 'error', text: 'bad', id: 3 },
    { type: 'gemini', text: 'hi', id: 4 },
  ];
  render({}, items);
  expect(reader.news(false)).toEqual([{ type: 'log', level: 'error', text: 'bad' }]);
  expect(reader.news(false)).toEqual([]);
});

describe('dialogs outside the message bus have one winner: a client or the dialog', () => {
  function hosted() {
    const calls: unknown[] = [];
    const state = { grant: false };
    const host = {
      report: (event: unknown) => void calls.push(event),
      tryAnswer: () => state.grant,
      stored: async () => {},
    };
    return { calls, state, host: () => host };
  }

  test('a loop', () => {
    const { calls, state, host } = hosted();
    const question = new DialogQuestion(loopDialog, host);
    const answers: unknown[] = [];
    const asked: CliLoopQuestion = { onComplete: (result) => void answers.push(result) };
    question.observe(asked);
    question.observe(asked);
    expect(calls).toMatchObject([{ call: { id: 'loop_detection-1', name: 'loop_detection', status: 'waiting' } }]);
    asked.onComplete({ userSelection: 'keep' });
    expect(answers).toEqual([]);
    state.grant = true;
    asked.onComplete({ userSelection: 'keep' });
    state.grant = false;
    expect(question.answers('loop_detection-1', 'disable')).toBe(true);
    expect(answers).toEqual([{ userSelection: 'keep' }, { userSelection: 'disable' }]);
    question.observe(undefined);
    expect(calls.at(-1)).toMatchObject({ call: { status: 'succeeded' } });
    expect(question.answers('loop_detection-1', 'disable')).toBe(false);
  });

  test('shell commands of a custom command', async () => {
    const { calls, host } = hosted();
    const question = new DialogQuestion(shellDialog, host);
    const outcomes: string[] = [];
    const asked = {
      command: 'ls',
      commands: ['ls', 'pwd'],
      onConfirm: (outcome: string) => Promise.resolve(void outcomes.push(outcome)),
    };
    question.observe(asked);
    expect(calls).toMatchObject([{ call: { approval: { details: { kind: 'execute', command: 'ls\npwd' } } } }]);
    await asked.onConfirm('proceed_once');
    expect(outcomes).toEqual([]);
    question.answers('shell_expansion-1', 'proceed_always');
    expect(outcomes).toEqual(['proceed_always']);
  });

  test('a command that asks whether it shall go on', () => {
    const { calls, host } = hosted();
    const question = new DialogQuestion(actionDialog, host);
    const outcomes: boolean[] = [];
    const prompt = { props: { children: ['Overwrite ', { props: { children: 'it' } }, '?'] } };
    const asked = { prompt, onConfirm: (confirmed: boolean) => void outcomes.push(confirmed) };
    question.observe(asked);
    expect(calls).toMatchObject([
      { call: { approval: { details: { kind: 'generic', description: 'Overwrite it?' } } } },
    ]);
    asked.onConfirm(true);
    question.answers('command_confirmation-1', 'cancel');
    expect(outcomes).toEqual([false]);
  });
});
