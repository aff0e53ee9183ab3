export type RequestDetails = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
};

/** The part of the global `fetch` that the client uses. */
export type Fetch = (url: string | URL, details?: RequestDetails) => Promise<Response>;
