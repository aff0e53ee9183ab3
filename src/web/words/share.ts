/** The words of sharing. */
export const shareWords = {
  title: { session: 'Share this session', server: 'Share this server' },
  who: 'Whoever scans it may',
  how: 'For',
  roles: {
    watch: { name: 'Watch', what: 'sees everything, changes nothing' },
    approve: { name: 'Approve', what: 'watches and answers questions' },
    work: { name: 'Work', what: 'prompts and answers' },
  },
  time: (seconds: number) =>
    seconds < 3600 ? `${seconds / 60} min` : seconds < 86_400 ? `${seconds / 3600} h` : `${seconds / 86_400} d`,
  once: (until: string | undefined, time: string) =>
    `The code works once${until === undefined ? '' : `, until ${until}`}. The browser that uses it stays paired for ${time}; ` +
    'end that at any time under Settings, Devices.',
  expired: 'This code has expired.',
  again: 'New code',
  copy: 'Copy link',
  copied: 'Link copied',
  done: 'Done',
  qr: 'QR code with the link',
  hereOnly: (flag: string) =>
    `This address works on this computer only. For a phone, start with ${flag} or use a tunnel, then share again.`,
} as const;
