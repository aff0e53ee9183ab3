import { Devices } from '../../src/auth/devices.js';
import { TokenFolder } from '../../src/auth/token-folder.js';
import { temporaryFolder } from './temporary-folder.js';

/** The settings with which a server of a test has all of the page: pairing and alerts. */
export function wholePage() {
  const stateDir = temporaryFolder();
  return { stateDir, devices: new Devices(new TokenFolder(stateDir), 'here') };
}
