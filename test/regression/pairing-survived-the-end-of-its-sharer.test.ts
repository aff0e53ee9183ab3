import { expect, onTestFinished, test } from 'vitest';
import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { browserAt } from '../support/paired.js';
import { serveHub } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const tokens = new TokenFolder(temporaryFolder());

/** The sharer is revoked after the code was checked and before the device exists. */
class LateDevices extends Devices {
  override async add(...given: Parameters<Devices['add']>): ReturnType<Devices['add']> {
    await tokens.revoke('ada');
    return super.add(...given);
  }
}

test('a browser that is paired while its sharer is revoked is not paired', async () => {
  const token = await tokens.create({ name: 'ada', scopes: ['prompt', 'approve'] });
  const devices = new LateDevices(tokens, 'here');
  const hub = await serveHub({}, { requireToken: true, devices, auth: { authenticators: [tokens] } });
  onTestFinished(() => hub.stop());
  const ada = browserAt(hub.base, {}, { authorization: `Bearer ${token}` });
  const { json } = await ada.post('/ui/share', { role: 'work' });
  const paired = await browserAt(hub.base).post('/ui/pair', { code: json['code'] });
  expect(paired).toMatchObject({ status: 403, json: { error: { code: 'bad-code' } } });
  expect(await devices.list()).toEqual([]);
});
