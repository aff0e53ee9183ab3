import { useCallback, useEffect, useState } from 'preact/hooks';
import type { TaskRow } from '../../client/client.js';
import { may } from '../me.js';
import type { ScreenProps } from '../screens.js';
import { Mark } from '../ui/mark.js';
import { serverNow } from '../ui/server-time.js';
import { duration } from '../ui/time.js';
import { listWords } from '../words/list.js';
import { appWords, stateWords } from '../words/app.js';
import { answer } from './answer.js';
import { groupsOf } from './groups.js';
import { NewSession } from './new-session.js';
import { followRows, type Rows } from './rows.js';
import { SessionRow } from './session-row.js';
import type { ListedQuestion } from './small-question.js';
import { useKeys } from './use-keys.js';

const classes = { asks: 'needs', works: 'runs', quiet: 'rests' };

/** How often the times beside the rows are drawn again. */
const tickMs = 5000;

/** All sessions of a server: what needs somebody, what works, and what is quiet. */
export function ListScreen({ me, onOpen, onShow, onUnpaired }: ScreenProps['list']) {
  const [rows, setRows] = useState<Rows>();
  const [isLive, setLive] = useState(true);
  const [find, setFind] = useState('');
  const [isCreating, setCreating] = useState(false);
  const [now, setNow] = useState(serverNow);
  useKeys();
  useEffect(() => {
    const end = new AbortController();
    void followRows({ onRows: setRows, onLive: setLive, onUnpaired }, end.signal);
    return () => end.abort();
  }, []);
  useEffect(() => {
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), tickMs);
    return () => clearInterval(timer);
  }, [rows]);
  const groups = groupsOf(rows ?? new Map<string, TaskRow>(), find);
  const asks = groups.find(({ name }) => name === 'asks')?.rows.length ?? 0;
  useEffect(() => {
    document.title = `${asks > 0 ? `(${asks}) ` : ''}${listWords.title} · ${appWords.name}`;
  }, [asks]);
  const onAnswer = useCallback(
    ({ id }: TaskRow, question: ListedQuestion, optionId: string): Promise<void> =>
      answer({ taskId: id, callId: question.id, optionId, client: me.name }),
    [me.name],
  );
  return (
    <div class="list-screen">
      <header class="bar">
        <span class="brand">
          <Mark />
        </span>
        <h1>
          <span class="title">{listWords.title}</span>
          <small class="mono">{location.host}</small>
        </h1>
        <span class="state" role="status">
          {isLive ? '' : stateWords.reconnecting}
        </span>
        <button type="button" class="quiet" onClick={() => onShow('settings')}>
          {appWords.settings}
        </button>
        {may(me, 'prompt') && (
          <button type="button" class="quiet" onClick={() => onShow('share')}>
            {appWords.share}
          </button>
        )}
      </header>
      <main class="list-main">
        <div class="list-find">
          <input
            type="search"
            class="field"
            placeholder={listWords.find}
            aria-label={listWords.find}
            value={find}
            onInput={(event) => setFind(event.currentTarget.value)}
          />
          {may(me, 'prompt') && (
            <button type="button" class="primary small" onClick={() => setCreating(true)}>
              {listWords.newSession}
            </button>
          )}
        </div>
        {rows && groups.length === 0 && <Nothing isFinding={find !== ''} />}
        {groups.map(({ name, rows: list }) => (
          <section key={name} class={`list-group ${classes[name]}`} aria-label={listWords.groups[name]}>
            <h2>
              {listWords.groups[name]}
              <span class="num">{list.length}</span>
            </h2>
            <ul>
              {list.map((row) => (
                <SessionRow
                  key={row.id}
                  row={row}
                  age={duration(Math.max(1000, now - Date.parse(row.updatedAt)))}
                  mayAnswer={may(me, 'approve')}
                  onOpen={onOpen}
                  onAnswer={onAnswer}
                />
              ))}
            </ul>
          </section>
        ))}
      </main>
      {isCreating && <NewSession onOpen={onOpen} onClose={() => setCreating(false)} />}
    </div>
  );
}

function Nothing({ isFinding }: { isFinding: boolean }) {
  const { title, hint } = isFinding ? listWords.nothingFound : listWords.nothingYet;
  return (
    <div class="list-nothing">
      <Mark size={34} />
      <h2>{title}</h2>
      <p class="hint">{hint}</p>
    </div>
  );
}
