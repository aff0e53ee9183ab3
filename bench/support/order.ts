/** What the prompt of a bench asks of the model. */
export type Order = {
  readonly chunks: number;
  readonly everyMs: number;
  readonly command?: string;
  readonly file?: { readonly name: string; readonly bytes: number };
};

export function sayChunks(chunks: number, everyMs = 0): string {
  return `Say ${chunks} chunks every ${everyMs} ms.`;
}

/** Asks for one tool call first. */
export function runCommand(command: string): string {
  return `Run \`${command}\`.`;
}

/** A file of so many bytes, which becomes an artifact. */
export function writeFile(name: string, bytes: number): string {
  return `Write ${bytes} bytes to \`${name}\`.`;
}

export function readOrder(prompt: string): Order | undefined {
  const said = /Say (\d+) chunks every (\d+) ms\./.exec(prompt);
  if (said) return { chunks: Number(said[1]), everyMs: Number(said[2]) };
  const written = /Write (\d+) bytes to `([^`]+)`\./.exec(prompt);
  if (written) return { chunks: 0, everyMs: 0, file: { name: String(written[2]), bytes: Number(written[1]) } };
  const command = /Run `([^`]+)`\./.exec(prompt)?.[1];
  return command === undefined ? undefined : { chunks: 0, everyMs: 0, command };
}

/** About 40 characters that no other chunk has: loop detection stops a model that repeats itself. */
export function timedText(at: number, index: number): string {
  return `<${at.toFixed(3)}> ${words(index)} `;
}

/** Knuth's multiplier and two more, so that neighbouring chunks have nothing in common. */
function words(index: number): string {
  const of = (factor: number): string => (Math.imul(index + 1, factor) >>> 0).toString(36);
  return `${of(2_654_435_761)} ${of(2_246_822_519)} ${of(3_266_489_917)}`;
}

/** When each chunk in this text was written, as recorded by `timedText`. */
export function timesIn(text: string): number[] {
  return Array.from(text.matchAll(/<(\d+\.\d{3})>/g), ([, time]) => Number(time));
}
