import type { Script } from '../../../src/demo/model-server.js';
import { call, type Part, say, think } from '../../../src/demo/reply.js';
import { lastPrompt, lastToolResult } from '../../../src/demo/script.js';

/** Every run of a tool leaves a line here. */
export const runsFile = 'runs.txt';

/** `run x` calls one tool, `two x` two at once, `chain x` two one after the other; `say x` only talks. */
export const kinds = ['say', 'run', 'run', 'two', 'chain'] as const;

/** Pieces of a reply to `long x`, and of one to `longest x`, which is more than a session keeps in memory. */
const pieces: Readonly<Record<string, number>> = { say: 12, long: 500, longest: 10_500 };

export const chaosScript: Script = (request) => {
  const [kind = '', id = ''] = lastAsked(request).split(' ');
  const isAfterTool = lastToolResult(request) !== undefined;
  if (isAfterTool && kind === 'chain' && !isOver(request, id)) return slowly([tool(`${id}-b`)]);
  if (isAfterTool) return slowly(['That ', 'was ', 'it.'].map(say));
  switch (kind) {
    case 'run':
      return slowly([say('Running. '), tool(id)]);
    case 'two':
      return slowly([tool(`${id}-a`), tool(`${id}-b`)]);
    case 'chain':
      return slowly([tool(`${id}-a`)]);
    case 'say':
      return slowly(Array.from({ length: countOf(kind) }, (_, index) => say(word(id, index))));
    default:
      return { chunks: Array.from({ length: countOf(kind) }, (_, index) => [piece(id, index)]) };
  }
};

/** What the answer to a prompt ends with if all of it was said. */
export function lastWords(prompt: string): string {
  const [kind = '', id = ''] = prompt.split(' ');
  if (pieces[kind] === undefined) return 'That was it.';
  const indices = Array.from({ length: countOf(kind) }, (_, index) => index);
  return indices
    .filter((index) => kind === 'say' || isSaid(index))
    .map((index) => word(id, index))
    .join('');
}

function countOf(kind: string): number {
  return pieces[kind] ?? 0;
}

function word(id: string, index: number): string {
  return `${id}/${index} `;
}

/** Text that comes at once is gathered into one event; between thoughts it is not. */
function piece(id: string, index: number): Part {
  return isSaid(index) ? say(word(id, index)) : think('Counting', String(index));
}

function isSaid(index: number): boolean {
  return index % 2 === 0;
}

function slowly(parts: readonly Part[]) {
  return { chunks: parts.map((part) => [part]), pauseMs: 8 };
}

/** A redirection is always asked about. It goes on for a while after it has done what must not be done twice. */
function tool(id: string): Part {
  return call('run_shell_command', { command: `echo ${id} >> ${runsFile}; echo ${id}; sleep 0.05`, description: id });
}

type Request = Parameters<Script>[0];

function lastAsked({ contents }: Request): string {
  const asked = contents.findLast(({ role, parts }) => role === 'user' && !parts.some((part) => part.functionResponse));
  return asked ? lastPrompt({ contents: [asked] }) : '';
}

/** The second tool of a chain was called already. */
function isOver({ contents }: Request, id: string): boolean {
  return JSON.stringify(contents).includes(`echo ${id}-b`);
}
