/** The readable sentence in an error of the Gemini API or core, which is often JSON inside JSON inside `message`. */
export function errorText(error: unknown): string {
  const message = messageOf(error);
  const start = message.indexOf('{');
  if (start < 0) return message;
  try {
    const inner: unknown = JSON.parse(message.slice(start));
    return isRecord(inner) && inner['error'] !== undefined ? errorText(inner['error']) : message;
  } catch {
    return message;
  }
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (isRecord(error) && typeof error['message'] === 'string') return error['message'];
  return 'the model call failed';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
