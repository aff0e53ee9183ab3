import type { ConnectionState } from '../../client/connection.js';

/** Tells people that the connection went away and came back; that it is there at first needs no words. */
export function connectionNotes(note: (text: string) => void): (state: ConnectionState) => void {
  let wasLost = false;
  return (state) => {
    if (state === 'reconnecting') note('connection lost, trying again …');
    else if (state === 'open' && wasLost) note('connected again');
    wasLost = state === 'reconnecting';
  };
}
