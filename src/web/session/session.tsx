import { useEffect, useState } from 'preact/hooks';
import { type ClientSession, connect, type ConnectionState } from '../../client/client.js';
import type { Me } from '../me.js';
import type { Dialogs } from '../screens.js';
import { Mark } from '../ui/mark.js';
import { words } from '../words.js';

type SessionProps = {
  readonly me: Me;
  readonly taskId: string | undefined;
  readonly onShow: (dialog: Dialogs) => void;
  /** The server no longer knows this browser. */
  readonly onUnpaired: () => void;
  readonly onList: (() => void) | undefined;
};

export function SessionScreen({ me, onList }: SessionProps) {
  const [state, setState] = useState<ConnectionState>();
  useEffect(() => {
    let session: ClientSession | undefined;
    const url = new URL('.', location.href).href;
    void connect({ url, client: me.name, onState: setState }).then(
      (opened) => (session = opened),
      () => setState('closed'),
    );
    return () => session?.close();
  }, [me.name]);
  return (
    <div class="app">
      <header class="bar">
        <button type="button" class="brand" onClick={onList} disabled={!onList} aria-label={words.app.allSessions}>
          <Mark />
        </button>
        <span class="state" role="status">
          {state === 'open' ? '' : state === 'closed' ? words.state.ended : words.state.connecting}
        </span>
      </header>
    </div>
  );
}
