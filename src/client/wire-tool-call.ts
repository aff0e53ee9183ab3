import type { OpenQuestion, ToolCall } from '../dialects/endpoint/events.js';

export type {
  ConfirmationDetails,
  ConfirmationRequest,
  FileDiff as WireFileDiff,
  OpenQuestion,
  Option as WireOption,
  ToolCall as WireToolCall,
  ToolOutput as WireToolOutput,
} from '../dialects/endpoint/events.js';

export function isOpenQuestion(call: ToolCall): call is OpenQuestion {
  return call.status === 'PENDING' && call.confirmation_request !== undefined;
}
