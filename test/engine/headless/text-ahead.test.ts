import type { Config } from '@google/gemini-cli-core';
import { describe, expect, test } from 'vitest';
import { say, think } from '../../../src/demo/reply.js';
import type { ModelConnection, ModelReply } from '../../../src/engine/gemini/own-call-ids.js';
import { TextAhead } from '../../../src/engine/headless/text-ahead.js';
import { core, openConfig } from '../../support/headless-config.js';
import { startModelServer } from '../../support/model-server.js';
import { endAfter } from '../../support/leftovers.js';
import { scriptOf } from '../../support/scripts.js';

const model = await startModelServer(
  scriptOf({
    words: [say('one '), say('two')],
    thoughts: { chunks: [[think('Plan', 'first'), say('then')], [say('end')]] },
  }),
);
endAfter('file', () => model.close());

/** A chat of core whose text is reported. Tells in order what was reported and what core was given. */
async function openChat(settings: object = {}) {
  const { config } = await openConfig({ '.gemini/settings.json': settings }, model.url);
  const order: string[] = [];
  noteWhatCoreGets(config, order);
  const ahead = new TextAhead(config);
  const controller = new AbortController();
  const { signal } = controller;
  const ask = (prompt: string, until = signal): AsyncGenerator<string> => textsOfTurn(config, prompt, until);
  return { config, controller, signal, ask, ahead, order };
}

function noteWhatCoreGets(config: Config, order: string[]): void {
  const connection: ModelConnection = config.getContentGenerator();
  const generate = connection.generateContentStream.bind(connection);
  connection.generateContentStream = async (...request) => {
    const replies = await generate(...request);
    return (async function* (): AsyncGenerator<ModelReply> {
      for await (const reply of replies) {
        order.push(`core: ${textsOf(reply)}`);
        yield reply;
      }
    })();
  };
}

const textsOf = ({ candidates }: ModelReply): string =>
  (candidates?.[0]?.content?.parts ?? []).map(({ text }) => text).join('+');

async function* textsOfTurn(config: Config, prompt: string, signal: AbortSignal): AsyncGenerator<string> {
  for await (const event of config.geminiClient.sendMessageStream([{ text: prompt }], signal, 'prompt-1'))
    if (event.type === core.GeminiEventType.Content) yield event.value;
}

describe('the text of a reply', () => {
  test('is reported before core has it, and known when core passes it on', async () => {
    const { ahead, order, signal, ask } = await openChat();
    ahead.listen({ signal, report: (text) => order.push(`reported: ${text}`) });
    for await (const text of ask('words')) order.push(`passed on: ${text}, ${ahead.has() ? 'known' : 'new'}`);
    expect(order).toEqual([
      'reported: one ',
      'core: one ',
      'passed on: one , known',
      'reported: two',
      'core: two',
      'passed on: two, known',
    ]);
    expect(ahead.has()).toBe(false);
  });

  test('is left to core if thoughts come with it, which are reported first', async () => {
    const { ahead, order, signal, ask } = await openChat();
    ahead.listen({ signal, report: (text) => order.push(`reported: ${text}`) });
    for await (const text of ask('thoughts')) order.push(`passed on: ${text}, ${ahead.has() ? 'known' : 'new'}`);
    expect(order.filter((what) => !what.startsWith('core'))).toEqual([
      'passed on: then, new',
      'reported: end',
      'passed on: end, known',
    ]);
  });

  test('is not reported after a cancel', async () => {
    const { ahead, order, signal, controller, ask } = await openChat();
    ahead.listen({ signal, report: (text) => order.push(`reported: ${text}`) });
    for await (const _text of ask('words')) controller.abort();
    expect(order.filter((what) => what.startsWith('reported'))).toEqual(['reported: one ']);
  });

  test('is not reported if nobody listens, such as after the turn', async () => {
    const { ahead, order, signal, ask } = await openChat();
    ahead.listen({ signal, report: (text) => order.push(`reported: ${text}`) })();
    for await (const _text of ask('words')) expect(ahead.has()).toBe(false);
    expect(order).toEqual(['core: one ', 'core: two']);
  });

  test('that core never passed on, because of a cancel, does not hide what follows', async () => {
    const { ahead, order, signal, controller, ask } = await openChat();
    const report = (text: string): void => {
      order.push(`reported: ${text}`);
      controller.abort();
    };
    const stop = ahead.listen({ signal, report });
    for await (const text of ask('words')) order.push(`passed on: ${text}`);
    expect(order).toEqual(['reported: one ', 'core: one ']);
    stop();
    for await (const _text of ask('words', new AbortController().signal)) expect(ahead.has()).toBe(false);
    expect(order.slice(2)).toEqual(['core: one ', 'core: two']);
  });

  test('is left to core if a hook may change it', async () => {
    const AfterModel = [{ hooks: [{ type: 'command', command: 'true' }] }];
    const { config, ahead, order, signal, ask } = await openChat({ hooks: { AfterModel } });
    await config.getHookSystem()?.initialize();
    ahead.listen({ signal, report: (text) => order.push(`reported: ${text}`) });
    for await (const _text of ask('words')) expect(ahead.has()).toBe(false);
    expect(order).toEqual(['core: one ', 'core: two']);
  });

  test('of a sub-agent on the same connection is its own', async () => {
    const { config, ahead, order, signal } = await openChat();
    ahead.listen({ signal, report: (text) => order.push(`reported: ${text}`) });
    const connection: ModelConnection = config.getContentGenerator();
    const request = { model: 'gemini-2.5-flash', contents: [{ role: 'user', parts: [{ text: 'words' }] }] };
    for await (const _reply of await connection.generateContentStream(request, 'prompt-1', 'subagent'));
    expect(order).toEqual(['core: one ', 'core: two']);
  });
});
