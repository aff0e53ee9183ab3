/**
 * Where things are in a bucket:
 *
 *     tasks/<id>/metadata.json          the record of the task
 *     tasks/<id>/state.json             {"state", "timestamp"}
 *     tasks/<id>/history.json           the conversation the engine goes on from
 *     tasks/<id>/events/<seq>.jsonl     events from that seq on, one per line
 *     tasks/<id>/artifacts/<name>       what was made
 *     tasks/<id>/artifacts.json         names, types, sizes and times of what was made
 */
export function keysOf(taskId: string) {
  const folder = `tasks/${encodeSegment(taskId)}`;
  return {
    folder: `${folder}/`,
    metadata: `${folder}/metadata.json`,
    state: `${folder}/state.json`,
    history: `${folder}/history.json`,
    events: `${folder}/events/`,
    /** Zeros in front make the order of the keys that of the numbers. */
    segment: (firstSeq: number) => `${folder}/events/${String(firstSeq).padStart(12, '0')}.jsonl`,
    artifact: (name: string) => `${folder}/artifacts/${name.split('/').map(encodeSegment).join('/')}`,
    artifactList: `${folder}/artifacts.json`,
  };
}

/** The `seq` of the first event in a segment. */
export function firstSeqOf(segmentKey: string): number {
  return Number(/(\d+)\.jsonl$/.exec(segmentKey)?.[1] ?? Number.NaN);
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
