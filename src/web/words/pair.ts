/** The words of pairing. */
export const pairWords = {
  title: 'Pair this browser',
  type: 'In the terminal that runs the session, type',
  command: '/a2a qr',
  scan: 'and scan what appears, or enter the code below it.',
  code: 'Pairing code, eight letters and digits',
  hint: 'No account, no password. The code works once. For a server, run: cosession share',
  busy: 'Pairing…',
  ended: 'This pairing has ended. Ask for a new code.',
  wrong: 'That code is no longer valid. A code works once, for two minutes.',
  tooMany: 'Too many wrong codes. Wait a minute, then ask for a new one.',
  notEncrypted: 'not encrypted',
} as const;
