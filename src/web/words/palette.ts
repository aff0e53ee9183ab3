/** The words of the palette. */
export const paletteWords = {
  label: 'Commands',
  find: 'Find a command',
  nothing: 'No command found.',
  stop: 'Stop the turn',
  stopHint: 'what runs is cancelled',
  share: 'Share this session',
  shareHint: 'link or QR code with a role',
  settings: 'Settings',
  settingsHint: 'theme, alerts, name, devices',
  activity: 'Activity',
  activityHint: 'who did what',
  list: 'All sessions',
  theme: 'Light or dark',
  themeHint: 'for this browser',
} as const;
