import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { defined } from '../util/defined.js';
import { loadMe } from './load-me.js';
import type { Me } from './me.js';
import { useAlerts } from './use-alerts.js';
import { useRoute } from './route.js';
import { type Dialogs, screens } from './screens.js';
import { SessionScreen } from './session/session.js';
import { Lazy } from './ui/lazy.js';
import { appWords } from './words/app.js';

type Visitor = 'loading' | 'unreachable' | 'unpaired' | 'ended' | Me;

/** Which screen is shown: pairing, the list of a server's sessions, or one session; and what lies over it. */
export function App() {
  const [visitor, setVisitor] = useState<Visitor>('loading');
  const [{ code, taskId }, go] = useRoute();
  const [usedCode, setUsedCode] = useState<string>();
  const [dialog, setDialog] = useState<Dialogs>();
  const load = () => void loadMe().then(setVisitor, () => setVisitor('unreachable'));
  useEffect(load, []);
  // A dialog is about the screen below it. Share, left open, would share the whole server instead of one session.
  useLayoutEffect(() => setDialog(undefined), [taskId]);
  const isKnown = typeof visitor === 'object';
  useAlerts(isKnown, taskId ?? (isKnown ? visitor.taskId : undefined), go);
  if (visitor === 'loading') return <div class="boot" role="status" aria-label={appWords.loading} />;
  if (visitor === 'unreachable') return <Unreachable onRetry={load} />;
  // A code works once, so it is useless to a browser whose pairing has ended since.
  const isPairing = code !== undefined && code !== usedCode;
  if (isPairing || !isKnown) {
    const forget = () => setUsedCode(code);
    const onPaired = () => {
      forget();
      load();
    };
    const props = {
      ...(isPairing ? { code } : {}),
      hasEnded: visitor === 'ended',
      onPaired,
      // A paired browser that opens an old link keeps its pairing.
      ...(isKnown ? { onRefused: forget } : {}),
    };
    return screens.pair ? <Lazy key="pair" load={screens.pair} props={props} /> : null;
  }
  const me = visitor;
  const shown = taskId ?? me.taskId;
  const props = { me, ...defined({ taskId: shown }), onClose: () => setDialog(undefined) };
  const isList = me.mode === 'serve' && taskId === undefined;
  return (
    <>
      {isList && screens.list && (
        <Lazy key="list" load={screens.list} props={{ me, onOpen: go, onShow: setDialog, onUnpaired: load }} />
      )}
      {!isList && (
        <SessionScreen
          key={shown}
          me={me}
          taskId={shown}
          onShow={setDialog}
          onUnpaired={load}
          onList={me.mode === 'serve' ? () => go(undefined) : undefined}
        />
      )}
      {dialog === 'share' && screens.share && <Lazy key="share" load={screens.share} props={props} />}
      {dialog === 'settings' && screens.settings && (
        <Lazy key="settings" load={screens.settings} props={{ ...props, onShow: setDialog }} />
      )}
      {dialog === 'activity' && screens.activity && <Lazy key="activity" load={screens.activity} props={props} />}
    </>
  );
}

const retryMs = 5000;

/** A server that is restarting, or that limits wrong credentials from this address, will answer again soon. */
function Unreachable({ onRetry }: { onRetry: () => void }) {
  useEffect(() => {
    const timer = setInterval(onRetry, retryMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <main class="empty">
      <p role="alert">{appWords.unreachable}</p>
      <button type="button" class="quiet" onClick={onRetry}>
        {appWords.retry}
      </button>
    </main>
  );
}
