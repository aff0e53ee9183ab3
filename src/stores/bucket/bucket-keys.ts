/**
 * Where things are in a bucket:
 *
 *     tasks/<id>/metadata.json          the record of the task
 *     tasks/<id>/state.json             {"state", "timestamp"}
 *     tasks/<id>/history.json           the conversation the engine goes on from
 *     tasks/<id>/events/<seq>.jsonl     events from that seq on, one per line
 *     tasks/<id>/events/<seq>.under-<n>.jsonl  the same, the first ones under the claim with that number
 *     tasks/<id>/summary.json           what the events say up to one of them
 *     tasks/<id>/turns/<n>.json         a thousand turns, and news of older ones; the newest piece grows
 *     tasks/<id>/claims/<n>.json        the server that has the task; the newest counts
 *     tasks/<id>/artifacts/<name>       what was made
 *     tasks/<id>/artifacts.json         names, types, sizes and times of what was made
 *     tasks/<id>/webhooks.json          whom to notify of what
 *     notify/<id>                       the task has webhooks that are open
 *     servers/<id>.json                 a server that lives, and for how long
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

/** Zeros in front make the order of the keys that of the numbers. */
function padded(number: number): string {
  return String(number).padStart(12, '0');
}

/** The number of a claim or of a piece; of a segment, the `seq` of its first event. */
export function numberOf(key: string): number {
  return Number(/\/(\d+)(?:\.under-\d+)?\.jsonl?$/.exec(key)?.[1] ?? Number.NaN);
}

/** As in a url, and also what urls, file systems or XML treat in their own way. Half characters become U+FFFD. */
function encodeSegment(text: string): string {
  const encoded = encodeURIComponent(Buffer.from(text).toString()).replace(/[!'()*]/g, percent);
  if (encoded === '') return '%';
  return /^\.+$/.test(encoded) ? encoded.replace(/\./g, percent) : encoded;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
