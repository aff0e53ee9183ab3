import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
// @ts-expect-error -- a part of the build, which is not typed
import { lookUpWords } from '../../../scripts/untrusted-words.js';

type History = readonly { readonly parts?: readonly object[] }[];
type Context = {
  readonly untrustedTexts: readonly string[];
  readonly untrustedTokens: { has(word: string): boolean; readonly size: number };
};
type Extract = (history: History) => Context;

const core = dirname(createRequire(import.meta.url).resolve('@google/gemini-cli-core'));
const tracker = (await import(join(core, 'src/utils/untrustedContextTracker.js'))) as {
  extractUntrustedContext: Extract;
  findUntrustedFlags(command: string, context: Context): string[];
};
const lookUp = lookUpWords as (extract: Extract, untrusted: RegExp) => Extract;
const ours = lookUp(tracker.extractUntrustedContext, /<untrusted_context[^>]*>([\s\S]*?)<\/untrusted_context>/gi);

const output = (text: string) => ({ functionResponse: { response: { output: text } } });
const untrusted = (text: string): string => `<untrusted_context>\n${text}\n</untrusted_context>`;

/** What words are made of, with everything that core treats in its own way. */
const piece = fc.constantFrom(
  ...'a b A run Test src x.ts http://a.b/c - -- = / \\ . : , ; " \' ` ( ) [ ] { } < > | & Σ ΑΣ σ İİİİ é ✓ 🙂'.split(
    ' ',
  ),
  ' ',
  '\n',
  '\u00a0',
);
const words = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const part = words.chain((text) =>
  fc.constantFrom(
    output(untrusted(text)),
    output(text),
    output(`${untrusted(text)}${text}${untrusted(text.toUpperCase())}`),
    { functionResponse: { response: { content: untrusted(text) } } },
    { functionResponse: { response: { error: untrusted(text) } } },
    { functionResponse: {} },
    { text: untrusted(text) },
    { text },
  ),
);
const history = fc.array(fc.record({ parts: fc.array(part, { maxLength: 3 }) }), { maxLength: 4 });

describe('words of outputs that are looked up', () => {
  test('are those that core finds', () => {
    fc.assert(
      fc.property(history, fc.array(words, { maxLength: 5 }), (messages, asked) => {
        const [found, expected] = [ours(messages), tracker.extractUntrustedContext(messages)];
        expect(found.untrustedTexts).toEqual(expected.untrustedTexts);
        expect(found.untrustedTokens.size > 0).toBe(expected.untrustedTokens.size > 0);
        const all = [...(expected.untrustedTokens as Set<string>), ...asked.map((word) => word.toLowerCase())];
        for (const word of all)
          expect([word, found.untrustedTokens.has(word)]).toEqual([word, expected.untrustedTokens.has(word)]);
      }),
      { numRuns: 3000 },
    );
  });

  test('make the same warnings about a command', () => {
    fc.assert(
      fc.property(history, words, (messages, command) => {
        const warnings = (extract: Extract) => tracker.findUntrustedFlags(command, extract(messages));
        expect(warnings(ours)).toEqual(warnings(tracker.extractUntrustedContext));
      }),
      { numRuns: 3000 },
    );
  });

  test('change when a part of the conversation does', () => {
    const changing = { functionResponse: { response: { output: untrusted('--before') } } };
    const messages = [{ parts: [changing] }, {}];
    expect(ours(messages).untrustedTokens.has('--before')).toBe(true);
    changing.functionResponse.response.output = untrusted('--after');
    expect(ours(messages).untrustedTokens.has('--before')).toBe(false);
    expect(ours(messages).untrustedTokens.has('--after')).toBe(true);
  });
});
