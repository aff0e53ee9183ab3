import { Devices } from '../../auth/devices.js';
import { TokenFolder } from '../../auth/token-folder.js';

/** The browsers that are paired with one session. It keeps its id, and so its devices, when it is resumed. */
export function devicesOfSession(stateDir: string, sessionId: string): Devices {
  return new Devices(new TokenFolder(stateDir), `session:${sessionId}`);
}
