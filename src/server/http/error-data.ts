import type { AppError } from '../../domain/errors.js';

/** What the endpoint guide and the RFC call these facts. */
const wireNames: Readonly<Record<string, string>> = { callId: 'tool_call_id', optionId: 'selected_option_id' };

/** The facts of an error under their names on the wire, the same on every transport. */
export function errorData({ details }: AppError): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [wireNames[key] ?? key, value]));
}
