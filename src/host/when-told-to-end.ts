const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves when the program is told to end, which it then does in good order. */
export function whenToldToEnd(): { readonly told: Promise<void>; forget(): void } {
  let stop = (): void => {};
  const told = new Promise<void>((resolve) => (stop = resolve));
  for (const signal of signals) process.on(signal, stop);
  return {
    told,
    forget() {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
