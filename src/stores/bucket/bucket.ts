/** The operations of object storage that we use. Keys contain only letters, digits and `-_.~%/`, see `bucket-keys.ts`. */
export type Bucket = {
  /** With `onlyNew`, returns false and replaces nothing if the object exists. */
  put(key: string, content: Uint8Array, options?: PutOptions): Promise<boolean>;
  get(key: string): Promise<Uint8Array | undefined>;
  getAged(key: string): Promise<AgedObject | undefined>;
  /** All keys with this prefix, in byte order. */
  list(prefix: string): Promise<string[]>;
  /** The distinct names between the prefix and the next `/`. */
  folders(prefix: string): Promise<string[]>;
  /** Does nothing if the object does not exist. */
  delete(key: string): Promise<void>;
};

/** `ageMs`: age by the clock of the storage, to the second; undefined if the storage does not report it. */
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

/** An HTTP status that the request did not expect. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Retrying is better than waiting longer for a slow response. */
export const requestTimeoutMs = 20_000;

/** The storage is overloaded, restarting or unreachable: the errors that Google and Amazon say to retry. */
export function isPassingInBucket(error: unknown): boolean {
  if (error instanceof HttpFailure) return error.status === 408 || error.status === 429 || error.status >= 500;
  // What `fetch` throws when there is no response.
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}
