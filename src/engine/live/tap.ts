import { tapKey, type TappedName } from './patch.js';

/** Sees the arguments and the result of one call, and may return a changed result. */
export type CallObserver = (args: readonly unknown[], result: unknown) => unknown;

export type Tap = {
  readonly observers: Partial<Record<TappedName, CallObserver>>;
  /** An internal error; the CLI is not affected. */
  readonly onError: (error: unknown) => void;
};

/** Receives the functions of the patched user interface. If an observer fails, the CLI still gets its own result. */
export function installTap({ observers, onError }: Tap): void {
  const tap = (name: TappedName, original: (...args: unknown[]) => unknown) => {
    const observer = observers[name];
    if (!observer) return original;
    return function tapped(this: unknown, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      try {
        return observer(args, result);
      } catch (error) {
        onError(error);
        return result;
      }
    };
  };
  Object.defineProperty(globalThis, Symbol.for(tapKey), { value: tap });
}
