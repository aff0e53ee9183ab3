import type { ConnectionState } from '../../client/connection.js';
import type { CosessionError } from '../../client/transport/cosession-error.js';

/** Reports when the connection is lost, when it is back, and that the session has ended. The first connection is not reported. */
export function connectionNotes(
  note: (text: string) => void,
): (state: ConnectionState, error?: CosessionError) => void {
  let wasLost = false;
  return (state, error) => {
    if (error?.code === 'ended') note(error.message);
    else if (state === 'reconnecting') note('connection lost, trying again …');
    else if (state === 'open' && wasLost) note('connected again');
    wasLost = state === 'reconnecting';
  };
}
