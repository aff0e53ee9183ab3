/** What a person needs to join: a code to type, a link to open, or a picture to scan. */
export type ShareFacts = {
  readonly code: string;
  readonly url: string;
  readonly role: string;
  readonly codeExpiresAt: Date;
  readonly expiresAt: Date;
};

const abilities: Readonly<Record<string, string>> = {
  watch: 'see everything and change nothing',
  approve: 'see everything and answer questions',
  work: 'prompt and answer questions',
};

/** The QR code is drawn in the terminal's own letters. Light on dark, as most terminals are; phones read both. */
export async function shareText({ code, url, role, codeExpiresAt, expiresAt }: ShareFacts): Promise<string> {
  // Loaded only here: nothing else draws.
  const { renderUnicodeCompact } = await import('uqr');
  return [
    renderUnicodeCompact(url, { ecc: 'L', border: 2 }),
    '',
    `${code.slice(0, 4)} ${code.slice(4)}   ${url}`,
    `Works once, until ${timeOf(codeExpiresAt)}. Whoever uses it may ${abilities[role] ?? role} until ${dayOf(expiresAt)}.`,
    ...warningsFor(new URL(url)),
  ].join('\n');
}

function warningsFor({ protocol, hostname }: URL): string[] {
  if (/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return ['This address works on this computer only.'];
  return protocol === 'http:' ? ['Not encrypted: anyone on the network can read along. Use TLS outside your own.'] : [];
}

function timeOf(at: Date): string {
  return at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

function dayOf(at: Date): string {
  return at.toLocaleString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
}
