import { startModelServer, type ModelRequest } from '../../src/demo/model-server.js';
import { now } from '../support/clock.js';
import { serve } from '../support/serve.js';
import { readOrder, timedText, timeOf, timePlace } from '../support/order.js';
import { call, type Part, type ScriptedReply } from '../../src/demo/reply.js';

/** The tools that an agent offers with its request. */
type Offer = { readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[] };

/** The demo's model in its own process. It replies as the prompt orders; each chunk contains the time of its write. */
function script(request: ModelRequest & Offer): ScriptedReply {
  const { parts = [] } = request.contents.at(-1) ?? {};
  const order = readOrder(parts.map(({ text }) => text ?? '').join(' '));
  // The reply after a tool is always the same.
  if (!order) return { chunks: [[{ text: 'Done, all of it.' }]] };
  if (order.command !== undefined) return { chunks: [[call(shellOf(request), timedCommand(order.command))]] };
  if (order.file)
    return { chunks: [[call('write_file', { file_path: order.file.name, content: contentOf(order.file.bytes) })]] };
  return {
    pauseMs: order.everyMs,
    chunks: Array.from({ length: order.chunks }, (_, index) => [timedPart(index, order.characters)]),
  };
}

/** Agents have two names for it. */
function shellOf({ tools = [] }: Offer): string {
  const names = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
  return names.includes('bash') ? 'bash' : 'run_shell_command';
}

/** The script runs once per reply, but each part is serialised right before it is written. */
function timedPart(index: number, characters: number): Part {
  return {
    get text() {
      return timedText(now(), index, characters);
    },
  };
}

/** The command may contain the time at which it was written. */
function timedCommand(command: string): { readonly command: string } {
  return {
    get command() {
      return command.replace(timePlace, timeOf(now()));
    },
  };
}

function contentOf(bytes: number): string {
  return 'a line of a file\n'.repeat(Math.ceil(bytes / 17)).slice(0, bytes);
}

const methods = {
  async open(): Promise<string> {
    const { url } = await startModelServer(script);
    return url;
  },
};

export type ModelMethods = typeof methods;
serve(methods);
