import type { Origin } from '../domain/events.js';

/** A tool call as the endpoint sends it: whole on every change. */
export type WireToolCall = {
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly description?: string;
  readonly input_parameters: Readonly<Record<string, unknown>>;
  readonly metadata: WireToolCallMetadata;
} & WireToolCallState;

export type WireToolCallState =
  /** With a `confirmation_request` it waits for an answer. */
  | { readonly status: 'PENDING'; readonly confirmation_request?: ConfirmationRequest }
  | { readonly status: 'EXECUTING'; readonly live_content?: string }
  | { readonly status: 'SUCCEEDED'; readonly output: WireToolOutput }
  | { readonly status: 'FAILED'; readonly error: { readonly message: string; readonly type?: string } }
  | { readonly status: 'CANCELLED' };

/** A tool call that waits for somebody's answer. */
export type OpenQuestion = WireToolCall & {
  readonly status: 'PENDING';
  readonly confirmation_request: ConfirmationRequest;
};

export type ConfirmationRequest = {
  readonly options: readonly WireOption[];
  readonly details: ConfirmationDetails;
};

export type WireOption = { readonly id: string; readonly name: string; readonly description?: string };

export type ConfirmationDetails =
  | { readonly execute_details: { readonly command: string; readonly working_directory?: string } }
  | { readonly file_edit_details: WireFileDiff }
  | { readonly mcp_details: { readonly server_name: string; readonly tool_name: string } }
  | {
      readonly generic_details: {
        readonly description: string;
        readonly questions?: readonly unknown[];
        readonly plan_path?: string;
      };
    };

export type WireToolOutput =
  | { readonly text: string }
  | { readonly diff: WireFileDiff }
  | { readonly structured_data: Readonly<Record<string, unknown>> };

export type WireFileDiff = {
  readonly file_name: string;
  readonly file_path: string;
  /** Absent when the file is new. */
  readonly old_content?: string;
  readonly new_content: string;
  readonly formatted_diff?: string;
};

export type WireToolCallMetadata = {
  readonly correlationId?: string;
  readonly parentCallId?: string;
  /** Who answered, how and when. */
  readonly resolvedBy?: Origin;
  readonly selected_option_id?: string;
  readonly resolvedAt?: string;
  readonly reason?: string;
};

export function isOpenQuestion(call: WireToolCall): call is OpenQuestion {
  return call.status === 'PENDING' && call.confirmation_request !== undefined;
}
