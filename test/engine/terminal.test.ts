import { expect, test } from 'vitest';
import type { CliHistoryItem, CliLoopQuestion } from '../../src/engine/live/cli-types.js';
import { HistoryReader } from '../../src/engine/live/history-reader.js';
import { LoopQuestion } from '../../src/engine/live/loop-question.js';
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
  terminal.listener = {
    rendered: () => {},
    client: () => {},
    loopQuestion: () => undefined,
    typed: () => isFree,
    settled: () => {},
  };
  await result.submitQuery('mine');
  expect([queued, submitted]).toEqual([['mine'], []]);
  isFree = true;
  await result.submitQuery('mine');
  await result.submitQuery([{ text: 'tool result' }], { isContinuation: true });
  expect(submitted).toEqual(['mine', [{ text: 'tool result' }]]);
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
  expect(reader.news()).toEqual([{ type: 'log', level: 'error', text: 'bad' }]);
  expect(reader.news()).toEqual([]);
});

test('the question about a loop has one winner: a client or the dialog', () => {
  const { terminal, render } = rendered();
  const calls: unknown[] = [];
  let grant = false;
  const host = { report: (event: unknown) => void calls.push(event), claimAnswer: () => grant };
  const loop = new LoopQuestion(() => host);
  const loopQuestion = (asked: CliLoopQuestion | undefined) => loop.observe(asked);
  terminal.listener = { rendered: () => {}, client: () => {}, loopQuestion, typed: () => true, settled: () => {} };
  const answers: unknown[] = [];
  const asked = { onComplete: (result: unknown) => void answers.push(result) };
  const shown = render({ loopDetectionConfirmationRequest: asked }).loopDetectionConfirmationRequest;
  expect(render({ loopDetectionConfirmationRequest: asked }).loopDetectionConfirmationRequest).toBe(shown);
  expect(calls).toMatchObject([{ call: { id: 'loop-detected-1', name: 'loop_detection', status: 'waiting' } }]);

  shown?.onComplete({ userSelection: 'keep' });
  expect(answers).toEqual([]);
  grant = true;
  shown?.onComplete({ userSelection: 'keep' });
  loop.answer('disable');
  expect(answers).toEqual([{ userSelection: 'keep' }, { userSelection: 'disable' }]);
  expect(loop.isQuestion('loop-detected-1')).toBe(true);
  render({ loopDetectionConfirmationRequest: null });
  expect(calls.at(-1)).toMatchObject({ call: { status: 'succeeded' } });
});
