/** Every word that a person reads on the page, by screen. English; times and numbers are formatted by `Intl`. */
export const words = {
  app: {
    name: 'Cosession',
    loading: 'Connecting',
    unreachable: 'The server does not answer.',
    retry: 'Try again',
    allSessions: 'All sessions',
  },
  state: {
    connecting: 'Connecting',
    reconnecting: 'Reconnecting',
    ended: 'Ended',
  },
} as const;
