import {
  type ModelRequest,
  type ModelServer as PlainModelServer,
  type Script,
  startModelServer as startPlainModelServer,
} from '../../src/demo/model-server.js';

export type ModelServer = PlainModelServer & {
  /** Every streaming request received, oldest first. */
  readonly requests: readonly ModelRequest[];
};

/** The model of the demo, with a script and a memory. */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = await startPlainModelServer((request) => {
    requests.push(request);
    return script(request);
  });
  return { ...server, requests };
}
