/** What the prompt of a bench asks of the model. */
export type Order = {
  readonly chunks: number;
  readonly everyMs: number;
  readonly characters: number;
  readonly command?: string;
  readonly file?: { readonly name: string; readonly bytes: number };
};

/** What a model typically sends in one chunk. */
const usualCharacters = 40;

export function sayChunks(chunks: number, everyMs = 0, characters = usualCharacters): string {
  return `Say ${chunks} chunks of ${characters} characters every ${everyMs} ms.`;
}

/** In a command, the time at which the model writes it. */
export const timePlace = '{time}';

/** Asks for one tool call first. */
export function runCommand(command: string): string {
  return `Run \`${command}\`.`;
}

/** A file of so many bytes, which becomes an artifact. */
export function writeFile(name: string, bytes: number): string {
  return `Write ${bytes} bytes to \`${name}\`.`;
}

const nothing = { chunks: 0, everyMs: 0, characters: usualCharacters };

export function readOrder(prompt: string): Order | undefined {
  const said = /Say (\d+) chunks of (\d+) characters every (\d+) ms\./.exec(prompt);
  if (said) return { chunks: Number(said[1]), characters: Number(said[2]), everyMs: Number(said[3]) };
  const written = /Write (\d+) bytes to `([^`]+)`\./.exec(prompt);
  if (written) return { ...nothing, file: { name: String(written[2]), bytes: Number(written[1]) } };
  const command = /Run `([^`]+)`\./.exec(prompt)?.[1];
  return command === undefined ? undefined : { ...nothing, command };
}

/** Text that no other chunk has: loop detection stops a model that repeats itself. */
export function timedText(at: number, index: number, characters = usualCharacters): string {
  let text = `${timeOf(at)} `;
  for (let word = 0; text.length < characters; word++) text += wordOf(index * 32 + word);
  return `${text.slice(0, Math.max(characters, 17) - 1)} `;
}

/** Knuth's multiplier, so that neighbours have nothing in common. */
function wordOf(index: number): string {
  return `${(Math.imul(index + 1, 2_654_435_761) >>> 0).toString(36)} `;
}

export function timeOf(at: number): string {
  return `<${at.toFixed(3)}>`;
}

/** When each chunk in this text was written, as recorded by `timedText`. */
export function timesIn(text: string): number[] {
  return Array.from(text.matchAll(/<(\d+\.\d{3})>/g), ([, time]) => Number(time));
}
