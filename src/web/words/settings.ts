/** The words of the settings. */
export const settingsWords = {
  title: 'Settings',
  theme: 'Theme',
  themes: { auto: 'System', light: 'Light', dark: 'Dark' },
  name: 'Name shown to others',
  save: 'Save',
  activity: 'Show activity',
  devices: 'Devices',
  noDevices: 'No other browser is paired.',
  thisOne: 'this browser',
  until: (time: string) => `until ${time}`,
  seen: (time: string) => `last seen ${time}`,
  neverSeen: 'not seen yet',
  end: 'End',
  endOf: (name: string) => `End the pairing of ${name}`,
} as const;
