/** The methods of a helper process. */
export type Methods = Record<string, (...args: never[]) => unknown>;

export type Answer = { readonly id: number; readonly result?: unknown; readonly error?: string };

type Question = { readonly id: number; readonly method: string; readonly args: never[] };

/** The helper's side of `startHelper`: answers until the bench disconnects. */
export function serve(methods: Methods): void {
  process.on('message', (question: Question) => void answer(methods, question));
  process.once('disconnect', () => process.exit());
}

async function answer(methods: Methods, { id, method, args }: Question): Promise<void> {
  try {
    process.send?.({ id, result: await methods[method]?.(...args) } satisfies Answer);
  } catch (error) {
    process.send?.({ id, error: String(error) } satisfies Answer);
  }
}
