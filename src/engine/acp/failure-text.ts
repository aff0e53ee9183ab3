/** JSON-RPC error code of an agent that needs a login. */
const authRequired = -32_000;

/** Why an agent replied with an error, in a sentence. The details that people need are often in `data`. */
export function failureText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const code: unknown = 'code' in thrown ? thrown.code : undefined;
  const details = 'data' in thrown ? detailsIn(thrown.data) : undefined;
  const text =
    details === undefined || thrown.message.includes(details) ? thrown.message : `${thrown.message}: ${details}`;
  return code === authRequired ? `${text} (log in with the agent's own command first)` : text;
}

function detailsIn(data: unknown): string | undefined {
  if (typeof data === 'string') return data;
  if (typeof data !== 'object' || data === null) return undefined;
  return [Reflect.get(data, 'details'), Reflect.get(data, 'message')].find((each) => typeof each === 'string');
}
