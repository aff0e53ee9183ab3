/**
 * The layout of a bucket:
 *
 *     tasks/<id>/metadata.json          the record of the task
 *     tasks/<id>/state.json             {"state", "timestamp"}
 *     tasks/<id>/history.json           the conversation that the engine continues
 *     tasks/<id>/events/<seq>.jsonl     events from that seq on, one per line
 *     tasks/<id>/events/<seq>.under-<n>.jsonl  the same, for the first events under that claim
 *     tasks/<id>/summary.json           a summary of the events up to one of them
 *     tasks/<id>/turns/<n>.json         a thousand turns, and updates of older ones; the newest piece grows
 *     tasks/<id>/claims/<n>.json        the server that holds the task; the newest one is valid
 *     tasks/<id>/artifacts/<name>       the content of an artifact
 *     tasks/<id>/artifacts.json         names, types, sizes and times of the artifacts
 *     tasks/<id>/webhooks.json          the webhooks of the task
 *     notify/<id>                       marks a task whose webhooks are open
 *     servers/<id>.json                 a running server and its lease
 */
export function keysOf(taskId: string) {
  const folder = `tasks/${encodeSegment(taskId)}`;
  return {
    folder: `${folder}/`,
    metadata: `${folder}/metadata.json`,
    state: `${folder}/state.json`,
    history: `${folder}/history.json`,
    events: `${folder}/events/`,
    segment: (firstSeq: number, epoch?: number) =>
      `${folder}/events/${padded(firstSeq)}${epoch === undefined ? '' : `.under-${padded(epoch)}`}.jsonl`,
    summary: `${folder}/summary.json`,
    turns: `${folder}/turns/`,
    turnPiece: (number: number) => `${folder}/turns/${padded(number)}.json`,
    claims: `${folder}/claims/`,
    claim: (number: number) => `${folder}/claims/${padded(number)}.json`,
    artifact: (name: string) => `${folder}/artifacts/${name.split('/').map(encodeSegment).join('/')}`,
    artifactList: `${folder}/artifacts.json`,
    webhooks: `${folder}/webhooks.json`,
    notify: `${notifyFolder}${encodeSegment(taskId)}`,
  };
}

export const notifyFolder = 'notify/';

/** The task of a key in `notify/`. */
export function taskToNotify(key: string): string {
  return decodeURIComponent(key.slice(notifyFolder.length));
}

export function serverKey(id: string): string {
  return `servers/${encodeSegment(id)}.json`;
}

/** Leading zeros make keys sort by number. */
function padded(number: number): string {
  return String(number).padStart(12, '0');
}

/** The number of a claim or piece; for a segment, the `seq` of its first event. */
export function numberOf(key: string): number {
  return Number(/\/(\d+)(?:\.under-\d+)?\.jsonl?$/.exec(key)?.[1] ?? Number.NaN);
}

/** URL encoding, extended to characters special to URLs, file systems or XML. Lone surrogates become U+FFFD. */
function encodeSegment(text: string): string {
  const encoded = encodeURIComponent(Buffer.from(text).toString()).replace(/[!'()*]/g, percent);
  if (encoded === '') return '%';
  return /^\.+$/.test(encoded) ? encoded.replace(/\./g, percent) : encoded;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
