import { sanitizeLine } from '../../util/text/sanitize.js';

/** A line of the log for people: time, message, facts. An error is followed by its stack. */
export function prettyLine(json: string, useColor: boolean): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our logger made it
  const { level, time, msg, cause, ...given } = JSON.parse(json) as Record<string, unknown>;
  const paint = (style: keyof typeof styles, text: string): string =>
    useColor ? `${styles[style]}${text}\u001b[0m` : text;
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const [text, facts] = msg === 'request' ? requestOf(given) : [String(msg), given];
  const message = level === 'error' ? paint('red', `error: ${text}`) : text;
  const details = Object.entries(facts).map(([name, value]) => `${paint('dim', `${name}=`)}${textOf(value)}`);
  const stack = stackOf(cause);
  return `${[paint('dim', clock), message, ...details].join(' ')}\n${stack === undefined ? '' : `${paint('dim', stack)}\n`}`;
}

/** What a request was and how it ended, in the form that web servers log it. */
function requestOf(given: Record<string, unknown>): [text: string, facts: Record<string, unknown>] {
  const { method, route, status, ms, requestId: _requestId, ...facts } = given;
  return [[method, route, status, `${textOf(ms)} ms`].map(textOf).join(' '), facts];
}

const styles = { dim: '\u001b[2m', red: '\u001b[31m' } as const;

function textOf(value: unknown): string {
  return sanitizeLine(typeof value === 'string' ? value : JSON.stringify(value), 500);
}

function stackOf(cause: unknown): string | undefined {
  return typeof cause === 'object' && cause !== null && 'stack' in cause ? String(cause.stack) : undefined;
}
