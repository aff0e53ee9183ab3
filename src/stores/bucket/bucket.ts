/** What object storage can do, as far as it is used. Keys hold only letters, digits and `-_.~%/`, see `bucket-keys.ts`. */
export type Bucket = {
  /** With `onlyNew` nothing is replaced: false when the object is there already. */
  put(key: string, content: Uint8Array, options?: PutOptions): Promise<boolean>;
  get(key: string): Promise<Uint8Array | undefined>;
  getAged(key: string): Promise<AgedObject | undefined>;
  /** All keys that start with this, in the order of their bytes. */
  list(prefix: string): Promise<string[]>;
  /** What follows the prefix up to the next `/`, each once. */
  folders(prefix: string): Promise<string[]>;
  /** Nothing happens when there is none. */
  delete(key: string): Promise<void>;
};

/** `ageMs`: since it was put, by the clock of the storage, to the second; undefined where that is not told. */
export type AgedObject = { readonly content: Uint8Array; readonly ageMs: number | undefined };

export async function toAgedObject(response: Response): Promise<AgedObject> {
  const [now, then] = ['date', 'last-modified'].map((name) => Date.parse(response.headers.get(name) ?? ''));
  const ageMs = (now ?? Number.NaN) - (then ?? Number.NaN);
  return {
    content: new Uint8Array(await response.arrayBuffer()),
    ageMs: Number.isNaN(ageMs) ? undefined : ageMs,
  };
}

export type PutOptions = { readonly contentType?: string; readonly onlyNew?: boolean };

/** An answer that is none of those a request expects. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A slow answer is worse than a new try. */
export const requestTimeoutMs = 20_000;

/** The storage is overloaded, restarting or out of reach: what Google and Amazon ask to try again. */
export function isPassingInBucket(error: unknown): boolean {
  if (error instanceof HttpFailure) return error.status === 408 || error.status === 429 || error.status >= 500;
  // What `fetch` throws when there is no answer.
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}
