import { encode } from 'uqr';
import { useEffect, useState } from 'preact/hooks';
import { defined } from '../../util/defined.js';
import { ApiError, post } from '../api.js';
import { may, type PageScope } from '../me.js';
import type { ScreenProps } from '../screens.js';
import { serverNow } from '../ui/server-time.js';
import { Dialog } from '../ui/dialog.js';
import { shareWords } from '../words/share.js';
import { appWords } from '../words/app.js';

type Role = 'watch' | 'approve' | 'work';

const roles: readonly { readonly id: Role; readonly needs: PageScope }[] = [
  { id: 'watch', needs: 'view' },
  { id: 'approve', needs: 'approve' },
  { id: 'work', needs: 'approve' },
];
const hour = 3600;
const times = [hour / 2, 2 * hour, 24 * hour, 7 * 24 * hour] as const;

/** What makes an endpoint reachable from other machines. */
const hostFlags = { live: '--a2a-host', serve: '--host' };

type Shared = {
  readonly code: string;
  readonly url: string;
  readonly codeExpiresAt: string;
  readonly expiresAt: string;
};

/** A code, a link and a QR code for one more browser. Choosing something else makes a new code. */
export function ShareScreen({ me, taskId, onClose }: ScreenProps['share']) {
  const [role, setRole] = useState<Role>('watch');
  const [seconds, setSeconds] = useState<number>(times[1]);
  const [round, setRound] = useState(0);
  const shared = useShared(role, seconds, me.mode === 'serve' ? taskId : undefined, round);
  const title = shareWords.title[me.mode === 'serve' && taskId === undefined ? 'server' : 'session'];
  const link = typeof shared === 'object' ? shared : undefined;
  return (
    <Dialog label={title} class="dialog wide" onClose={onClose}>
      <h2 class="dialog-title">{title}</h2>
      <div class="share">
        <div class="share-code">
          {link ? <Qr text={link.url} /> : <div class="qr" />}
          <p class="mono code-line">{link ? `${link.code.slice(0, 4)} ${link.code.slice(4)}` : '\u00a0'}</p>
        </div>
        <div>
          <fieldset class="choices">
            <legend>{shareWords.who}</legend>
            {roles.map(({ id, needs }) => (
              <label key={id}>
                <input
                  type="radio"
                  name="role"
                  checked={role === id}
                  disabled={!may(me, needs)}
                  onChange={() => setRole(id)}
                />
                <b>{shareWords.roles[id].name}</b>
                <small>{shareWords.roles[id].what}</small>
              </label>
            ))}
          </fieldset>
          <fieldset class="pills">
            <legend>{shareWords.how}</legend>
            {times.map((time) => (
              <label key={time}>
                <input type="radio" name="time" checked={seconds === time} onChange={() => setSeconds(time)} />
                <span>{shareWords.time(time)}</span>
              </label>
            ))}
          </fieldset>
          {typeof shared === 'string' ? (
            <p class="problem" role="alert">
              {shared}
            </p>
          ) : (
            <p class="hint">{shareWords.once(link && clock(link.codeExpiresAt), shareWords.time(seconds))}</p>
          )}
          <div class="share-buttons">
            <button type="button" class="plain" onClick={onClose}>
              {shareWords.done}
            </button>
            {link ? (
              <Copy key={link.code} text={link.url} />
            ) : (
              <button type="button" class="primary" onClick={() => setRound(round + 1)}>
                {shareWords.again}
              </button>
            )}
          </div>
        </div>
      </div>
      {link && isHereOnly(link.url) && <p class="notice">{shareWords.hereOnly(hostFlags[me.mode])}</p>}
    </Dialog>
  );
}

/** The code for these choices, until it expires. A text says why there is none. */
function useShared(
  role: Role,
  seconds: number,
  taskId: string | undefined,
  round: number,
): Shared | string | undefined {
  const [shared, setShared] = useState<Shared | string>();
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    setShared(undefined);
    const make = async () => {
      const wish = { role, expiresIn: seconds, ...defined({ taskId }) };
      const answer = await post<Shared>('ui/share', wish).catch((error: unknown) => reasonOf(error));
      if (!isCurrent) return;
      setShared(answer);
      if (typeof answer === 'string') return;
      timer = setTimeout(() => setShared(shareWords.expired), Date.parse(answer.codeExpiresAt) - serverNow());
    };
    void make();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [role, seconds, taskId, round]);
  return shared;
}

function reasonOf(error: unknown): string {
  return error instanceof ApiError ? error.message : appWords.unreachable;
}

/** Pages that are not secure have no clipboard; there the link is selected, to be copied by hand. */
function Copy({ text }: { text: string }) {
  const [state, setState] = useState<'new' | 'copied' | 'shown'>('new');
  if (state === 'shown')
    return (
      <input class="field mono" readOnly value={text} aria-label={shareWords.copy} ref={(field) => field?.select()} />
    );
  const copy = () =>
    void Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setState('copied'),
      () => setState('shown'),
    );
  return (
    <button type="button" class="primary" onClick={copy}>
      {state === 'copied' ? shareWords.copied : shareWords.copy}
    </button>
  );
}

function Qr({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'L', border: 2 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={shareWords.qr} shape-rendering="crispEdges">
      <path d={squares.join('')} />
    </svg>
  );
}

function clock(at: string): string {
  return new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }).format(new Date(at));
}

function isHereOnly(url: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}
