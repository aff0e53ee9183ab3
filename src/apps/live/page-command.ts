import { type Role, roles } from '../../auth/roles.js';
import { columns } from '../../util/text/columns.js';
import { shareText } from '../../cli/view/share-text.js';
import type { PageDesk } from '../../server/open-page.js';

/** Whoever types this sits at the terminal and usually pairs their own device. */
const usualRole: Role = 'work';
const daySeconds = 24 * 3600;

/** `/a2a qr [role]`: the text to show. */
export async function qrText(desk: PageDesk, [word = usualRole, ...more]: readonly string[]): Promise<string> {
  const role = roles.find((known) => known === word);
  if (role === undefined || more.length > 0) return `Use /a2a qr [${roles.join('|')}].`;
  return shareText({ ...(await desk.share(role, daySeconds)), role });
}

/** `/a2a devices [end <name>]`: the text to show. */
export async function devicesText(desk: PageDesk, [verb, name, ...more]: readonly string[]): Promise<string> {
  if (verb === undefined) return listText(desk);
  if (verb !== 'end' || name === undefined || more.length > 0) return 'Use /a2a devices, or /a2a devices end <name>.';
  return (await desk.end(name)) ? `The pairing of ${name} has ended.` : `There is no device named ${name}.`;
}

async function listText(desk: PageDesk): Promise<string> {
  const devices = await desk.devices();
  if (devices.length === 0) return 'No devices are paired. /a2a qr pairs one.';
  const rows = devices.map(({ id, name, role, expiresAt = '', lastUsedAt = 'never' }) => {
    return [id, name, role, expiresAt, lastUsedAt];
  });
  return columns([['NAME', 'DEVICE', 'MAY', 'UNTIL', 'LAST USED'], ...rows]).trimEnd();
}
