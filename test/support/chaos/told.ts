/** An event as a client of `/ws` is told it; of each kind the parts that are looked at. */
export type Told = {
  readonly kind?: string;
  readonly seq?: number;
  readonly turnId?: string;
  readonly messageId?: string;
  readonly state?: string;
  readonly final?: boolean;
  readonly error?: unknown;
  readonly content?: { readonly text?: string; readonly subject?: string };
  readonly tool_call_id?: string;
  readonly status?: string;
  readonly input_parameters?: { readonly description?: string };
  readonly confirmation_request?: unknown;
  readonly metadata?: unknown;
};

/** The text that a tool call was given as its description: the chaos script names calls so, and what they leave behind. */
export function nameOf({ input_parameters: input }: Told): string {
  return input?.description ?? '';
}
