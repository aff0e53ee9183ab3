import type { ConnectionState } from '../../client/connection.js';

/** Reports when the connection is lost and when it is back. The first connection is not reported. */
export function connectionNotes(note: (text: string) => void): (state: ConnectionState) => void {
  let wasLost = false;
  return (state) => {
    if (state === 'reconnecting') note('connection lost, trying again …');
    else if (state === 'open' && wasLost) note('connected again');
    wasLost = state === 'reconnecting';
  };
}
