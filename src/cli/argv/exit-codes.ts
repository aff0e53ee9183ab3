/** What each exit code means. Commands return these; the help, the documentation and the man page show them. */
export const exitCodes = {
  done: { code: 0, meaning: 'done; send: the turn completed' },
  failed: { code: 1, meaning: 'it failed, with one sentence on stderr; send: the turn failed or was cancelled' },
  usage: { code: 2, meaning: 'the command line is wrong, with one sentence on stderr' },
  refused: { code: 3, meaning: 'send: the turn is over, and somebody denied a tool call in it' },
  waits: { code: 4, meaning: 'send --on-question fail: the turn waits for an answer' },
  noSession: { code: 5, meaning: 'no session: none is live, nothing answers at the address, or the task is unknown' },
  notLoggedIn: { code: 6, meaning: 'not logged in: the agent has no login yet, or the token is missing or wrong' },
  timeout: { code: 124, meaning: 'send --timeout: the time was up, and the turn was stopped' },
  interrupted: { code: 130, meaning: 'send: Ctrl-C; the turn continues' },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;
