import type * as z from 'zod';
import type { Inferred as Of } from '../shared/inferred.js';
import type { noticeSchemas } from './notice-schemas.js';
import type { taskRow } from './task-row-schema.js';
import type { eventSchemas } from './to-wire.js';
import type {
  confirmationDetails,
  confirmationRequest,
  fileDiff,
  openQuestion,
  option,
  toolCall,
  toolOutput,
} from './tool-call-schemas.js';

/**
 * The schemas as types: what the translator writes and what a client reads. They are published with `cosession/client`, which
 * does not depend on zod: scripts/wire-types.ts writes each type out from the schema named here.
 */
export type WireFileDiff = Of<typeof fileDiff>;
export type WireOption = Of<typeof option>;
export type ConfirmationDetails = Of<typeof confirmationDetails>;
export type ConfirmationRequest = Of<typeof confirmationRequest>;
export type WireToolOutput = Of<typeof toolOutput>;
export type WireToolCall = Of<typeof toolCall>;
export type OpenQuestion = Of<typeof openQuestion>;

/** A row of `GET /tasks`. */
export type TaskRow = Of<typeof taskRow>;

/** Numbered events, by kind. */
export type Events = AllOf<typeof eventSchemas>;

/** Messages to a client that have no number in the session. */
export type Notices = AllOf<typeof noticeSchemas>;

type AllOf<Table extends Readonly<Record<string, z.ZodType>>> = { readonly [K in keyof Table]: Of<Table[K]> };
