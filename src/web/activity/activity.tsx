import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError, openStream } from '../api.js';
import type { ScreenProps } from '../screens.js';
import { serverNow } from '../ui/server-time.js';
import { Dialog } from '../ui/dialog.js';
import { activityWords as w } from '../words/activity.js';
import { appWords } from '../words/app.js';
import { shareWords } from '../words/share.js';
import { type ActivityEntry, readEntries } from './entries.js';

/** Who did what, newest first: the audit log of the last day. */
export function ActivityScreen({ taskId, onClose }: ScreenProps['activity']) {
  const [entries, setEntries] = useState<readonly ActivityEntry[]>();
  const [problem, setProblem] = useState<string>();
  const [person, setPerson] = useState('');
  useEffect(() => {
    const end = new AbortController();
    const load = async (): Promise<void> => setEntries(await readEntries(await openStream(pathOf(taskId), end.signal)));
    load().catch((error: unknown) => {
      if (!end.signal.aborted) setProblem(error instanceof ApiError ? error.message : appWords.unreachable);
    });
    return () => end.abort();
  }, [taskId]);
  const people = useMemo(() => [...new Set((entries ?? []).map(({ who }) => who))].toSorted(), [entries]);
  const shown = (entries ?? []).filter(({ who }) => person === '' || who === person);
  return (
    <Dialog label={w.title} class="dialog wide" onClose={onClose}>
      <h2 class="dialog-title">{w.title}</h2>
      {people.length > 1 && (
        <label class="activity-who">
          <span class="hint">{w.by}</span>
          <select class="field" value={person} onChange={(event) => setPerson(event.currentTarget.value)}>
            <option value="">{w.everybody}</option>
            {people.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {entries?.length === 0 && <p class="hint">{w.nothing}</p>}
      <ol class="activity" tabIndex={0} aria-label={w.title}>
        {shown.map(({ at, who, what }, index) => (
          <li key={index}>
            <time class="num" dateTime={at}>
              {clock(at)}
            </time>
            <b>{who}</b>
            <span>{what}</span>
          </li>
        ))}
      </ol>
      <div class="settings-end">
        <span class="hint">{w.what}</span>
        <button type="button" class="plain" onClick={onClose}>
          {shareWords.done}
        </button>
      </div>
    </Dialog>
  );
}

const dayMs = 24 * 3600 * 1000;

function pathOf(taskId: string | undefined): string {
  const since = `audit?since=${new Date(serverNow() - dayMs).toISOString()}`;
  return taskId === undefined ? since : `${since}&taskId=${encodeURIComponent(taskId)}`;
}

function clock(at: string): string {
  return new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }).format(new Date(at));
}
