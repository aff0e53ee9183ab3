import { expect, onTestFinished, test } from 'vitest';
import { clientCertificates } from '../../src/auth/client-certificate.js';
import { Devices } from '../../src/auth/devices.js';
import { oidc } from '../../src/auth/oidc.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { openIssuer } from '../support/issuer.js';
import { browserAt } from '../support/paired.js';
import { serveHub } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Only our own tokens had an end, so an access token of five minutes could give itself a pairing of thirty days. */
test('a pairing ends with the access token that shared it', async () => {
  const issuer = await openIssuer();
  const devices = new Devices(new TokenFolder(temporaryFolder()), 'here');
  const auth = { authenticators: [oidc({ issuer: issuer.url, audience: 'cosession' })] };
  const hub = await serveHub({}, { requireToken: true, devices, auth });
  onTestFinished(async () => {
    await issuer.close();
    await hub.stop();
  });
  const exp = Math.floor(Date.now() / 1000) + 300;
  const token = await issuer.sign({ exp, scope: 'cosession:prompt cosession:approve' });
  const ada = browserAt(hub.base, {}, { authorization: `Bearer ${token}` });
  const { json } = await ada.post('/ui/share', { role: 'work', expiresIn: 30 * 24 * 3600 });
  expect(json['expiresAt']).toBe(new Date(exp * 1000).toISOString());
});

test('a client certificate has an end too', async () => {
  const validTo = new Date(Date.now() + 60_000);
  const certificate = { name: 'ada', units: ['cosession:prompt'], validTo };
  const principal = await clientCertificates.authenticate({ certificate, header: () => undefined });
  expect(principal?.expiresAt).toBe(validTo.toISOString());
});
