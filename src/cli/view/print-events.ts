import type { WireEvent } from '../../client/wire-event.js';
import type { Io } from './io.js';
import { jsonLine } from './json-line.js';
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
        if (isJson) output.write(jsonLine(event));
        else view.show(event);
        await output.ready();
      }
    },
  };
}
