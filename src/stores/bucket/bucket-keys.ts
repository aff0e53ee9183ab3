/** The keys of one task. docs/stores.md has the layout of a bucket and what each object holds; a test compares the two. */
export function keysOf(taskId: string) {
  const folder = `tasks/${encodeSegment(taskId)}`;
  return {
    folder: `${folder}/`,
    metadata: `${folder}/metadata.json`,
    state: `${folder}/state.json`,
    history: `${folder}/history.json`,
    historyPieces: `${folder}/history/`,
    historyPiece: (name: string) => `${folder}/history/${name}.jsonl`,
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

/** Written when a store is opened, to check access. */
export const markerKey = 'cosession.json';

export const notifyFolder = 'notify/';

/** The task of a key in `notify/`. */
export function taskToNotify(key: string): string {
  return decodeURIComponent(key.slice(notifyFolder.length));
}

export function serverKey(id: string): string {
  return `servers/${encodeSegment(id)}.json`;
}

export const usageFolder = 'usage/';

export function usageKey(day: string, server: string): string {
  return `${usageFolder}${day}/${encodeSegment(server)}.json`;
}

/** The server of a key in `usage/`. */
export function serverOfUsage(key: string): string {
  return decodeURIComponent(/([^/]*)\.json$/.exec(key)?.[1] ?? '');
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
