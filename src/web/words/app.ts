/** The words of every screen: names, states, what is wrong with the server. */
export const appWords = {
  name: 'Cosession',
  loading: 'Connecting',
  unreachable: 'The server does not answer.',
  retry: 'Try again',
  notLoaded: 'A part of this page could not be loaded.',
  allSessions: 'All sessions',
  share: 'Share',
  settings: 'Settings',
  commands: 'Commands',
  close: 'Close',
  reload: 'Reload',
} as const;

export const stateWords = {
  connecting: 'Connecting',
  reconnecting: 'Reconnecting',
  slow: 'Catching up',
  ended: 'Ended',
  idle: 'Idle',
  working: 'Working',
  failed: 'Failed',
  asks: (count: number) => (count === 1 ? 'Needs you' : `${count} need you`),
} as const;
