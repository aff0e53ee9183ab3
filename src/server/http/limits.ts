/** Everything a client can make us hold has a number. What happens at it is said in docs/security.md. */
export const limits = {
  /** A request body or a WebSocket frame. */
  messageBytes: 1024 * 1024,
  /** Brackets inside brackets in JSON. */
  jsonDepth: 64,
  /** Elements and members in one JSON text: each is checked, translated and perhaps refused with a reason of its own. */
  jsonValues: 10_000,
  /** The same in a message of ACP, whose many alternatives make each of them five times as dear. */
  acpValues: 2000,
  /** ACP messages in one WebSocket frame. */
  frameMessages: 100,
  /** Unsent bytes of one client. Beyond them it is cut off and resumes by its cursor. */
  clientBufferBytes: 8 * 1024 * 1024,
  webSockets: 1024,
  connections: 2048,
  /** Connections that were just made: whose they are is known within milliseconds. */
  arrivals: 8192,
  /** Connections that have not shown credentials and are not our own user's: in all, and of one address. */
  strangers: 1024,
  strangersOfAddress: 512,
  /** ACP connections over HTTP. */
  acpConnections: 256,
  /** Sessions that one ACP connection takes part in: those in use cannot be put away. */
  acpSessions: 64,
  /** Streams of `messages/stream` that are open at once. */
  eventStreams: 256,
} as const;

/** How long a request may take to name its sender, and a body that is being sent may pause. */
export const patienceMs = 10_000;
