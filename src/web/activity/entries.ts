import { readParts } from '../read-parts.js';
import { activityWords as w } from '../words/activity.js';

/** One line of the activity. */
export type ActivityEntry = { readonly at: string; readonly who: string; readonly what: string };

/** More than these are not shown; the whole log is for `cosession audit`. */
const maxEntries = 300;

/** The fields of an audit entry that are shown. */
type Recorded = {
  readonly at: string;
  readonly by: {
    readonly surface?: string;
    readonly client?: string;
    readonly principal?: string;
    readonly address?: string;
  };
  readonly action: string;
  readonly characters?: number;
  readonly running?: number;
  readonly repeated?: number;
} & {
  readonly [
    Field in 'command' | 'option' | 'about' | 'tool' | 'taskId' | 'token' | 'reason' | 'mode' | 'model'
  ]?: string;
};

/** The newest entries of a log that comes line by line, oldest first. */
export async function readEntries(stream: ReadableStream<Uint8Array>): Promise<readonly ActivityEntry[]> {
  const kept: ActivityEntry[] = [];
  for await (const line of readParts(stream, '\n')) {
    kept.push(toEntry(line));
    if (kept.length > maxEntries) kept.shift();
  }
  return kept.toReversed();
}

function toEntry(line: string): ActivityEntry {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends come from the same release
  const entry = JSON.parse(line) as Recorded;
  const { client, principal, address, surface } = entry.by;
  const who = client ?? principal ?? address ?? (surface === 'tui' ? w.terminal : (surface ?? w.somebody));
  return { at: entry.at, who, what: whatOf(entry) };
}

function whatOf(entry: Recorded): string {
  const { action, characters = 0, command = '', option = '', tool = '', taskId = '', token = '', reason = '' } = entry;
  switch (action) {
    case 'connect':
      return w.connected;
    case 'prompt':
      return w.prompted(characters);
    case 'command':
      return w.ran(command);
    case 'answer':
      return w.answered(option, entry.about ?? tool);
    case 'cancel':
      return w.stopped;
    case 'settings':
      return w.set(entry.mode, entry.model);
    case 'drain':
      return w.drained(entry.running ?? 0);
    case 'delete':
      return w.deleted(taskId);
    case 'token-create':
      return w.paired(token);
    case 'token-revoke':
      return w.ended(token);
    case 'refuse':
      return w.refused(reason, entry.repeated ?? 0);
    default:
      return action;
  }
}
