/** The words of alerts. Apart from the others, because the service worker needs only these. */
export const alertWords = {
  /** Never contains text of a session: the notification passes through a push service and may appear on a locked screen. */
  waiting: (count: number): string => (count === 1 ? 'A question waits' : `${count} questions wait`),
  ended: 'The agent has stopped',
  open: 'Open to see it.',
  settings: {
    title: 'Alerts',
    on: 'Turn on',
    off: 'Turn off',
    test: 'Test',
    sent: 'Sent. It should arrive within seconds.',
    failed: 'The alert could not be sent.',
    notChanged: (why: string) => `Alerts could not be changed: ${why}`,
    blocked: 'Notifications are blocked in this browser’s settings.',
    unsupported: 'Alerts need https and, on an iPhone, the page on the home screen.',
  },
} as const;
