export type Theme = 'auto' | 'light' | 'dark';

const keyName = 'cosession.theme';

/** `auto` follows the system. */
export function theme(): Theme {
  const kept = localStorage.getItem(keyName);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

export function setTheme(value: Theme): void {
  localStorage.setItem(keyName, value);
  applyTheme();
}

export function applyTheme(): void {
  const value = theme();
  const { dataset } = document.documentElement;
  if (value === 'auto') delete dataset['theme'];
  else dataset['theme'] = value;
}
