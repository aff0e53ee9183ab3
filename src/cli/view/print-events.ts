import type { WireEvent } from '../../client/wire-event.js';
import type { Io } from './io.js';
import type { Output } from './output.js';
import { openView } from './open-view.js';
import type { PastOptions } from './past.js';

export type EventPrinter = {
  /** Prints text that is not an event. Prints nothing with `--json`, which is for programs. */
  note(text: string): void;
  print(events: AsyncIterable<WireEvent>): Promise<void>;
};

/** Prints events for people, or one JSON object per line. */
export function eventPrinter(io: Io, output: Output, isJson: boolean, past?: PastOptions): EventPrinter {
  const view = openView(io, (text) => output.write(text), past);
  return {
    note: (text) => void (isJson || view.note(text)),
    async print(events) {
      for await (const event of events) {
        if (isJson) output.write(`${escapeControls(JSON.stringify(event))}\n`);
        else view.show(event);
        await output.ready();
      }
    },
  };
}

/** JSON does not escape some characters that a terminal interprets. Escaped, they mean the same to a program. */
function escapeControls(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
