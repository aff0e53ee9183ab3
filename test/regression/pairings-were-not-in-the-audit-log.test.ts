import { expect, onTestFinished, test } from 'vitest';
import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import type { AuditEntry } from '../../src/domain/audit.js';
import { browserAt, pair } from '../support/paired.js';
import { serveHub } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A token made by a command was recorded; the same access given by a link was not. */
test('the audit log says who paired a browser and who ended it', async () => {
  const entries: AuditEntry[] = [];
  // Only what is added matters here.
  const audit = { add: (entry: AuditEntry) => void entries.push(entry), async *read() {} };
  const tokens = new TokenFolder(temporaryFolder());
  const authorization = `Bearer ${await tokens.create({ name: 'ada', scopes: ['prompt', 'approve'] })}`;
  const auth = { authenticators: [tokens] };
  const hub = await serveHub({}, { requireToken: true, devices: new Devices(tokens, 'here'), auth, audit });
  onTestFinished(() => hub.stop());
  const ada = browserAt(hub.base, {}, { authorization });
  await pair(hub.base, ada, { role: 'approve' }, 'phone');
  const { devices } = (await ada.get('/ui/devices')).json as { devices: { id: string }[] };
  const token = devices[0]?.id ?? '';
  await ada.remove(`/ui/devices/${token}`);
  const by = { principal: 'token:ada' };
  expect(entries).toMatchObject([
    { action: 'token-create', by, token, scopes: ['view', 'approve'] },
    { action: 'token-revoke', by, token },
  ]);
});
