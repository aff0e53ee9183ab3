import { randomUUID } from 'node:crypto';

/** The parts of core's connection to the model that we use. */
export type ModelConnection = {
  generateContentStream(request: ModelRequest, ...rest: unknown[]): Promise<AsyncGenerator<ModelReply>>;
};

type ModelRequest = { contents?: unknown; config?: object };
export type ModelReply = {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly Part[] } }[];
};
type Part = {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: Named;
  readonly functionResponse?: Named;
};
type Named = { id?: string };

const connections = new WeakSet<ModelConnection>();

/**
 * Gives every tool call of the model its own id, which nobody can guess. Models restart their numbering in each reply, repeat
 * an id within one, or send none, and core's own ids are the time of day; but core and the hub identify a call by its id.
 * The part we add is removed before the model sees the id. Nothing has to be remembered, so this also works after a
 * restart and for the calls of sub-agents.
 */
export function ownCallIds(connection: ModelConnection): void {
  if (connections.has(connection)) return;
  connections.add(connection);
  const generate = connection.generateContentStream.bind(connection);
  connection.generateContentStream = async (request, ...rest) =>
    withOwnIds(await generate(withModelIds(request), ...rest));
}

async function* withOwnIds(replies: AsyncGenerator<ModelReply>): AsyncGenerator<ModelReply> {
  for await (const reply of replies) {
    for (const { functionCall } of reply.candidates?.[0]?.content?.parts ?? [])
      if (functionCall) functionCall.id = `${functionCall.id ?? ''}_u${randomUUID().slice(-12)}`;
    yield reply;
  }
}

const added = /_u[0-9a-f]{12}$/;

function withModelIds(request: ModelRequest): ModelRequest {
  const { contents } = request;
  return Array.isArray(contents) ? { ...request, contents: contents.map(withModelIdsIn) } : request;
}

function withModelIdsIn<Content extends { readonly parts?: readonly Part[] }>(content: Content): Content {
  const { parts } = content;
  if (!parts?.some((part) => part.functionCall ?? part.functionResponse)) return content;
  return { ...content, parts: parts.map(withModelId) };
}

function withModelId(part: Part): Part {
  const { functionCall, functionResponse } = part;
  if (functionCall) return { ...part, functionCall: modelIdOf(functionCall) };
  return functionResponse ? { ...part, functionResponse: modelIdOf(functionResponse) } : part;
}

function modelIdOf({ id, ...named }: Named): Named {
  const given = id?.replace(added, '');
  return given ? { id: given, ...named } : named;
}
