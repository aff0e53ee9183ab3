/**
 * Everything a client can make the server hold is limited, and one caller may hold only a part of it (`places.ts`).
 * docs/security.md says what happens at each limit.
 */
export const limits = {
  /** A request body or a WebSocket frame. */
  messageBytes: 1024 * 1024,
  /** Nesting depth in JSON. */
  jsonDepth: 64,
  /** Elements and members in one JSON text. Each is validated, translated and perhaps refused with its own reason. */
  jsonValues: 10_000,
  /** The same in an ACP message, where many alternatives in the schema make each value five times as expensive. */
  acpValues: 2000,
  /** ACP messages in one WebSocket frame. */
  frameMessages: 100,
  /** Unsent bytes of one client. Beyond this it is disconnected and resumes from its cursor. */
  clientBufferBytes: 8 * 1024 * 1024,
  webSockets: 1024,
  connections: 2048,
  /** New connections whose user is not known yet, which takes milliseconds. */
  arrivals: 8192,
  /** Connections without credentials from anyone but our own user: in total, and from one address. */
  strangers: 1024,
  strangersOfAddress: 512,
  /** ACP connections over HTTP. */
  acpConnections: 256,
  /** Sessions that one ACP connection takes part in. Sessions in use cannot be unloaded. */
  acpSessions: 64,
  /** Open streams of `messages/stream`. */
  eventStreams: 256,
  /** Open streams of `GET /tasks/events`. */
  listStreams: 256,
  /** A2A requests that are streams, or wait for the end of a turn, on all transports. */
  a2aStreams: 2048,
} as const;

/** How long a client may take to send the headers and identify itself, and how long its body may pause. */
export const patienceMs = 10_000;
