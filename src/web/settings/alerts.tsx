import { useEffect, useState } from 'preact/hooks';
import { type AlertsState, alertsState, sendTest, switchOff, switchOn } from '../alerts.js';
import { alertWords } from '../words/alerts.js';

const { settings } = alertWords;

/** The row "Alerts" of the settings: off or on, and a test. */
export function AlertsRow() {
  const [state, setState] = useState<AlertsState>();
  const [note, setNote] = useState('');
  useEffect(() => void alertsState().then(setState), []);
  const run = (work: () => Promise<AlertsState>) => () => {
    setNote('');
    work().then(setState, (error: unknown) =>
      setNote(settings.notChanged(error instanceof Error ? error.message : String(error))),
    );
  };
  const test = () => {
    setNote('');
    sendTest().then(
      (isSent) => setNote(isSent ? settings.sent : settings.failed),
      () => setNote(settings.failed),
    );
  };
  return (
    <div class="settings-row alerts">
      <span class="hint" id="alerts">
        {settings.title}
      </span>
      {state === 'unsupported' && <span>{settings.unsupported}</span>}
      {state === 'blocked' && <span>{settings.blocked}</span>}
      {state === 'off' && (
        <button type="button" class="plain" aria-describedby="alerts" onClick={run(switchOn)}>
          {settings.on}
        </button>
      )}
      {state === 'on' && (
        <>
          <button type="button" class="plain" aria-describedby="alerts" onClick={test}>
            {settings.test}
          </button>
          <button type="button" class="plain" aria-describedby="alerts" onClick={run(switchOff)}>
            {settings.off}
          </button>
        </>
      )}
      <span role="status">{note}</span>
    </div>
  );
}
