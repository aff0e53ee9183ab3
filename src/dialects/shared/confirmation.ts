import * as z from 'zod';
import { allowOnceOption, type Answer, cancelOption } from '../../domain/tool-call.js';
import { defined } from '../../util/defined.js';

/** An answer to a waiting tool call, in any of the forms in the seed documents. */
export type Confirmation = { readonly callId: string; readonly answer: Answer };

/** Sending the same answer again with the same key succeeds. */
const answerId = z
  .string()
  .min(1)
  .max(256)
  .optional()
  .describe('your key for this answer: sending the same key again repeats the same answer');

const fileDetails = z.object({ new_content: z.string() });

/** The form of the endpoint guide and the RFC. */
const current = z.object({
  kind: z.literal('TOOL_CALL_CONFIRMATION').optional(),
  tool_call_id: z.string().min(1),
  selected_option_id: z.string().min(1),
  file_details: fileDetails.optional(),
  modified_details: z.object({ file_details: fileDetails }).optional(),
  answers: z.record(z.string(), z.string()).optional(),
  feedback: z.string().optional(),
  answerId,
});

/** The form of the server protocol (seed 002). */
const approved = z.object({
  kind: z.literal('tool-call-confirmation'),
  toolCallId: z.string().min(1),
  approved: z.boolean(),
  answerId,
});

/** The form that upstream's server accepted before the RFC. */
const older = z.object({
  callId: z.string().min(1),
  outcome: z.string().min(1),
  newContent: z.string().optional(),
  answerId,
});

/** The accepted forms of an answer. */
export const confirmationSchemas = { current, approved, older } as const;

/** Chooses the form by the field that names the call; undefined if the data names none. */
export function confirmationSchema(data: unknown): z.ZodType<Confirmation> | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if ('tool_call_id' in data) return currentForm;
  if ('toolCallId' in data) return approvedForm;
  return 'callId' in data ? olderForm : undefined;
}

const currentForm = current.transform((form) => {
  const newContent = (form.file_details ?? form.modified_details?.file_details)?.new_content;
  const { selected_option_id: optionId, answers, feedback, answerId: key } = form;
  return toConfirmation(form.tool_call_id, { optionId, newContent, answers, feedback, answerId: key });
});
const approvedForm = approved.transform((form) =>
  toConfirmation(form.toolCallId, {
    optionId: form.approved ? allowOnceOption : cancelOption,
    answerId: form.answerId,
  }),
);
const olderForm = older.transform((form) =>
  toConfirmation(form.callId, { optionId: form.outcome, newContent: form.newContent, answerId: form.answerId }),
);

type Given = { [Key in keyof Answer]?: Answer[Key] | undefined } & { optionId: string };

/** Clients written for other agents choose this after editing the file: write the new content, this once. */
const editorOption = 'modify_with_editor';

function toConfirmation(callId: string, given: Given): Confirmation {
  const { optionId, newContent, answers, feedback, answerId: key } = given;
  return {
    callId,
    answer: {
      optionId: optionId === editorOption && newContent !== undefined ? allowOnceOption : optionId,
      ...defined({ newContent, answers, feedback, answerId: key }),
    },
  };
}
