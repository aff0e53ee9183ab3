import { unreachable } from '../../../util/unreachable.js';

/** A part of a custom command's prompt. `source` is its original text. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly source: string }
  | { readonly kind: 'shell'; readonly command: string };

export type TemplateTools = {
  /** The file's text. Undefined if it cannot be read; the prompt then keeps `@{…}` unchanged. */
  readFile(path: string): Promise<string | undefined>;
  runShell(command: string): Promise<string>;
  /** Quotes the user's text for a shell. */
  escape(args: string): string;
};

/**
 * Splits a prompt at `@{file}` and `!{command}`, with balanced braces. Everything is found before anything is filled
 * in, so neither a file nor the user's text can inject a command.
 */
export function parseTemplate(prompt: string): readonly Segment[] {
  const segments: Segment[] = [];
  let done = 0;
  for (let start = nextTrigger(prompt, 0); start !== -1; start = nextTrigger(prompt, done)) {
    const end = closingBrace(prompt, start + 2);
    if (end === undefined) throw new Error(`"${prompt.slice(start, start + 20)}" has no closing brace`);
    if (start > done) segments.push({ kind: 'text', text: prompt.slice(done, start) });
    const inner = prompt.slice(start + 2, end).trim();
    if (prompt[start] === '@') segments.push({ kind: 'file', path: inner, source: prompt.slice(start, end + 1) });
    else if (inner !== '') segments.push({ kind: 'shell', command: inner });
    done = end + 1;
  }
  if (done < prompt.length) segments.push({ kind: 'text', text: prompt.slice(done) });
  return segments;
}

/** The prompt for one call. If the template has no `{{args}}`, the whole line that the user typed is appended. */
export async function fillTemplate(
  segments: readonly Segment[],
  { name, args, tools }: { readonly name: string; readonly args: string; readonly tools: TemplateTools },
): Promise<string> {
  const filled: string[] = [];
  for (const segment of segments) filled.push(await fillSegment(segment, args, tools));
  const prompt = filled.join('');
  return args === '' || segments.some(usesArgs) ? prompt : `${prompt}\n\n/${name} ${args}`;
}

const placeholder = '{{args}}';

async function fillSegment(segment: Segment, args: string, tools: TemplateTools): Promise<string> {
  switch (segment.kind) {
    case 'text':
      return segment.text.replaceAll(placeholder, () => args);
    case 'file':
      return (await tools.readFile(segment.path)) ?? segment.source;
    case 'shell':
      return tools.runShell(segment.command.replaceAll(placeholder, () => tools.escape(args)));
    default:
      return unreachable(segment);
  }
}

function usesArgs(segment: Segment): boolean {
  if (segment.kind === 'text') return segment.text.includes(placeholder);
  return segment.kind === 'shell' && segment.command.includes(placeholder);
}

function nextTrigger(prompt: string, from: number): number {
  const found = /[@!]\{/.exec(prompt.slice(from));
  return found ? from + found.index : -1;
}

function closingBrace(prompt: string, from: number): number | undefined {
  let open = 1;
  for (let i = from; i < prompt.length; i++) {
    if (prompt[i] === '{') open++;
    if (prompt[i] === '}' && --open === 0) return i;
  }
  return undefined;
}
