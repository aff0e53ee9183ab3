import * as z from 'zod';
import { openQuestion, origin } from './tool-call-schemas.js';
import { state, tokenCounts } from './to-wire.js';

const queued = z.object({
  turnId: z.string().describe('cancel this turn to take the prompt back'),
  text: z.string().describe('up to 1,000 characters'),
  origin,
  position: z.int().positive().describe('1: it is next'),
});

const client = z.object({
  name: z.string().describe('two clients of one name are `ada` and `ada 2`'),
  surface: origin.shape.surface,
  principal: origin.shape.principal,
  since: z.iso.datetime({ precision: 3 }).describe('when it joined, in UTC'),
});

/** Who takes part now. */
const clients = {
  clients: z.array(client).describe('up to 50 that take part now, the first to join first'),
  moreClients: z.int().positive().exactOptional().describe('how many more there are'),
};

/** Messages to a client that have no number in the session. */
export const noticeSchemas = {
  SNAPSHOT: z
    .object({
      kind: z.literal('SNAPSHOT'),
      state,
      pending: z.array(openQuestion).describe('open questions, each as in TOOL_CALL_UPDATE'),
      model: z.string(),
      seq: z.int().nonnegative().describe('the newest event so far'),
      title: z.string().exactOptional().describe('the first prompt, up to 80 characters'),
      workspace: z.string().exactOptional().describe('the folder that the agent works in'),
      approvalMode: z.string().exactOptional(),
      queue: z.array(queued).describe('prompts that wait, the next one first'),
      usage: z
        .object({ calls: z.int().describe('number of model calls'), ...tokenCounts })
        .describe('tokens used by all model calls so far'),
      ...clients,
      taskId: z.string(),
    })
    .describe('sent first to a client that joins: everything it needs to take part'),
  CLIENTS: z.object({ kind: z.literal('CLIENTS'), ...clients, taskId: z.string() }).describe('somebody joined or left'),
  RESYNC_REQUIRED: z
    .object({
      kind: z.literal('RESYNC_REQUIRED'),
      oldest: z.int().describe('the oldest event that is kept'),
      taskId: z.string(),
    })
    .describe('the cursor is older than what is kept: a snapshot follows instead of the missed events'),
  ERROR_REPLY: z
    .object({
      kind: z.literal('ERROR'),
      code: z.int(),
      message: z.string(),
      data: z.record(z.string(), z.unknown()),
      taskId: z.string().exactOptional(),
    })
    .describe(
      'sent to one client only: a request without an id failed; or, without a taskId, the client named no task and is disconnected',
    ),
} as const;
