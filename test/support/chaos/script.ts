import type { Script } from '../../../src/demo/model-server.js';
import { call, type Part, say } from '../../../src/demo/reply.js';
import { lastPrompt, lastToolResult } from '../../../src/demo/script.js';

/** Every run of a tool leaves a line here. */
export const runsFile = 'runs.txt';

/** `run x` calls one tool, `two x` two at once, `chain x` two one after the other; everything else only talks. */
export const chaosScript: Script = (request) => {
  const done = lastToolResult(request);
  const [kind = '', id = ''] = lastAsked(request).split(' ');
  if (done && kind === 'chain' && !isOver(request, id)) return slowly([tool(`${id}-b`)]);
  if (done) return slowly([say('That '), say('was '), say('it.')]);
  if (kind === 'run') return slowly([say('Running. '), tool(id)]);
  if (kind === 'two') return slowly([tool(`${id}-a`), tool(`${id}-b`)]);
  if (kind === 'chain') return slowly([tool(`${id}-a`)]);
  return slowly(Array.from({ length: 12 }, (_, index) => say(`word ${index} `)));
};

function slowly(parts: readonly Part[]) {
  return { chunks: parts.map((part) => [part]), pauseMs: 8 };
}

/** A redirection is always asked about. It goes on for a while after it has done what must not be done twice. */
function tool(id: string): Part {
  return call('run_shell_command', { command: `echo ${id} >> ${runsFile}; sleep 0.05`, description: id });
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
