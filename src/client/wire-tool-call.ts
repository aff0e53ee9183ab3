import type { OpenQuestion, WireToolCall } from '../dialects/endpoint/events.js';

export type {
  ConfirmationDetails,
  ConfirmationRequest,
  OpenQuestion,
  WireFileDiff,
  WireOption,
  WireToolCall,
  WireToolOutput,
} from '../dialects/endpoint/events.js';

export function isOpenQuestion(call: WireToolCall): call is OpenQuestion {
  return call.status === 'PENDING' && call.confirmation_request !== undefined;
}
