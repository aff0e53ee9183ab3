import { randomUUID } from 'node:crypto';
import {
  approval,
  type Conversation,
  conversationOf,
  createTask,
  jsonRpc,
  post,
  type Route,
  runTurn,
  type Turn,
} from '../support/agent-client.js';
import { now } from '../support/clock.js';
import { runCommand, sayChunks, timePlace, timesIn } from '../support/order.js';
import { watchStream } from '../support/watched-stream.js';

/** A running server as its clients use it, whatever its protocol. */
export type Agent = {
  turn(prompt: string, conversation?: Conversation): Promise<Turn>;
  /** A conversation that has had one turn. */
  begin(): Promise<Conversation>;
  readonly createTask?: () => Promise<void>;
  /** `command`: what the model is asked to run, with the time at which it does. */
  readonly approve?: (conversation: Conversation, command?: string) => Promise<Approval>;
};

export type Approval = {
  /** From the model's call of the tool until the client has the question. */
  readonly questionMs: number;
  /** From the client's answer until it is told that the tool runs. Not every server tells. */
  readonly executingMs?: number;
};

/** Our server and gemini-cli's own. */
export function a2aAgent(port: number, route: Route = jsonRpc): Agent {
  const turn: Agent['turn'] = (prompt, conversation) => runTurn(port, route, prompt, conversation);
  return {
    turn,
    begin: async () => conversationOf(await turn(sayChunks(1))),
    createTask: () => createTask(port),
    approve: (conversation, command) => approveOnce(port, conversation, command),
  };
}

/** The bare loop on core. */
export function bareAgent(port: number): Agent {
  const route: Route = {
    path: '/',
    body: (prompt, conversation) => ({ prompt, contextId: conversation?.contextId }),
  };
  const turn: Agent['turn'] = (prompt, conversation) => runTurn(port, route, prompt, conversation);
  return {
    turn,
    async begin() {
      const conversation = { contextId: randomUUID(), taskId: '' };
      await turn(sayChunks(1), conversation);
      return conversation;
    },
  };
}

/** Creates a file, which every server asks about. */
export const askedCommand = runCommand(`touch '${timePlace}'`);

/** Each server has its own words for the states of a call, and its own stream that tells of the answer. */
async function approveOnce(port: number, conversation: Conversation, command = askedCommand): Promise<Approval> {
  const asked = watchStream(await post(port, jsonRpc, jsonRpc.body(command, conversation)));
  const question = await asked.find(/"confirmation_request"|"status":"awaiting_approval"/);
  const [calledAt = Number.NaN] = timesIn(asked.text());
  const callId = /"(?:tool_call_id|callId)":"([^"]+)"/.exec(asked.text())?.[1] ?? '';
  const answeredAt = now();
  const body = approval.body(callId, conversationOf({ text: asked.text() }));
  const answered = watchStream(await post(port, approval, body));
  const executing = /"status":"(?:executing|EXECUTING)"/;
  const { at } = await Promise.any([asked.find(executing), answered.find(executing)]);
  await Promise.all([asked.ended, answered.ended]);
  return { questionMs: question.at - calledAt, executingMs: at - answeredAt };
}
