import type { Io } from '../../view/io.js';
import { UsageError } from '../../../util/usage-error.js';

/** As much as an endpoint accepts in one message. */
const maxBytes = 1 << 20;

/**
 * The prompt of `cosession send`: its words, or what is piped in. A last word `-` adds what is piped in to the words. Words
 * alone never wait for the input, which a script may have left open.
 */
export async function readPrompt(words: readonly string[], { stdin }: Pick<Io, 'stdin'>): Promise<string> {
  const takesInput = words.length === 0 ? !stdin.isTTY : words.at(-1) === '-';
  const given = words.at(-1) === '-' ? words.slice(0, -1).join(' ') : words.join(' ');
  const parts = takesInput ? [given, await textOf(stdin)] : [given];
  const text = parts.filter((part) => part.trim() !== '').join('\n\n');
  if (text === '') throw new UsageError('cosession send needs a text; see cosession send --help');
  return text;
}

async function textOf(stdin: Io['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new UsageError(`the input has more than ${maxBytes} bytes, which no endpoint accepts`);
    chunks.push(chunk);
  }
  // A program ends its last line; in the prompt that would be an empty one.
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/(\r?\n)+$/, '');
}
