import type { ModelRequest, RequestPart } from '../../src/demo/model-server.js';
import { call, type ScriptedReply } from '../../src/demo/reply.js';
import type { WireClient } from './wire-client.js';

/** A model that numbers its calls anew in every reply, and in this one badly: each call leaves a line in the file `effects`. */
export function repeatsItsId(...words: readonly string[]): ScriptedReply {
  const commands = words.map((word) => `echo ${word} >> effects; echo did ${word}`);
  return { chunks: [commands.map((command) => call('run_shell_command', { command }, 'call_0'))] };
}

/** What the model was told of all its calls so far. */
export function responsesIn({ contents }: ModelRequest): readonly NonNullable<RequestPart['functionResponse']>[] {
  return contents.flatMap(({ parts }) => parts.flatMap((part) => part.functionResponse ?? []));
}

/** The id of the call that leaves this word, once a client is asked about it. */
export async function askedAbout(client: WireClient, word: string): Promise<unknown> {
  const asked = await client.find(({ confirmation_request: question }) =>
    JSON.stringify(question ?? '').includes(`echo ${word} `),
  );
  return asked['tool_call_id'];
}
