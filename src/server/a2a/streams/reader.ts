/** The reader of a stream: whether it has disconnected, and when it can take more. */
export type Reader = {
  readonly isClosed: boolean;
  onClose(run: () => void): void;
  /** Resolves once the reader has read enough of what was sent. Undefined if there is no need to wait. */
  drained(): Promise<void> | undefined;
};

/** A writable stream that can close: an HTTP response or a gRPC call. */
export type Sink = {
  readonly writableNeedDrain: boolean;
  readonly destroyed: boolean;
  once(event: 'drain' | 'close' | 'cancelled', listener: () => void): unknown;
  off(event: 'drain' | 'close' | 'cancelled', listener: () => void): unknown;
};

/** The reader at the other end of a stream. */
export function readerOf(sink: Sink): Reader {
  let isClosed = sink.destroyed;
  const listeners = new Set<() => void>();
  const close = (): void => {
    isClosed = true;
    for (const listener of listeners) listener();
    listeners.clear();
  };
  sink.once('close', close);
  sink.once('cancelled', close);
  return {
    get isClosed() {
      return isClosed;
    },
    onClose(run) {
      if (isClosed) run();
      else listeners.add(run);
    },
    drained() {
      if (!sink.writableNeedDrain || isClosed) return undefined;
      return new Promise((resolve) => {
        const done = (): void => {
          sink.off('drain', done);
          sink.off('close', done);
          resolve();
        };
        sink.once('drain', done);
        sink.once('close', done);
      });
    },
  };
}

/** A reader that takes everything until the signal is aborted. */
export function readUntil(signal: AbortSignal): Reader {
  return {
    get isClosed() {
      return signal.aborted;
    },
    onClose: (run) => signal.addEventListener('abort', run, { once: true }),
    drained: () => undefined,
  };
}
