import { defined } from '../../util/defined.js';
import { UsageError } from '../../util/usage-error.js';
import type { GivenTo } from '../argv/commands.js';
import { findSession } from '../find/find-session.js';
import { pageUrl } from '../find/page-url.js';
import { fetchWith } from '../find/trust.js';
import type { Io } from '../view/io.js';
import { shareText } from '../view/share-text.js';
import { parseExpiry } from '../argv/expiry.js';

/** `cosession share [session]`: prints a code, a link and a QR code with which one browser can join. */
export async function share(given: GivenTo<'share'>, io: Io): Promise<number> {
  const { role, expires, task: taskId, printLink } = given.flags;
  const expiresIn = Math.round((parseExpiry(expires, new Date()).getTime() - Date.now()) / 1000);
  const { url, token, certificate } = await findSession(io, given);
  const response = await fetchWith(certificate)(`${pageUrl(url)}ui/share`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ role, expiresIn, ...defined({ taskId }) }),
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field is checked below
  const answer = (await response.json().catch(() => ({}))) as Partial<Record<string, unknown>>;
  const { code, url: link, codeExpiresAt, expiresAt: end } = answer;
  if (!response.ok || typeof code !== 'string' || typeof link !== 'string')
    throw new UsageError(`not shared: ${reasonIn(answer) ?? `the endpoint answered with status ${response.status}`}`);
  const times = { codeExpiresAt: new Date(String(codeExpiresAt)), expiresAt: new Date(String(end)) };
  io.stdout.write(`${printLink ? link : await shareText({ code, url: link, role, ...times })}\n`);
  return 0;
}

function reasonIn({ error }: Partial<Record<string, unknown>>): string | undefined {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : undefined;
}
