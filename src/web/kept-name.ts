const nameKey = 'cosession.name';

/** The name that this browser's user chose in Settings. */
export function keptName(): string | undefined {
  return localStorage.getItem(nameKey) ?? undefined;
}

/** An empty name means the server's own. */
export function keepName(name: string): void {
  if (name === '') localStorage.removeItem(nameKey);
  else localStorage.setItem(nameKey, name);
}
