import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { may, type Me } from '../me.js';
import type { Dialogs } from '../screens.js';
import { Lazy } from '../ui/lazy.js';
import { useWide } from '../ui/use-wide.js';
import { sessionWords } from '../words/session.js';
import { appWords } from '../words/app.js';
import { Bar, type Tone } from './bar.js';
import { Composer } from './composer.js';
import { isUnpaired } from '../story/link.js';
import { LinkLine } from './link-line.js';
import { alsoOpenOn } from './presence.js';
import { Queue } from './queue.js';
import { openSessionHandle, type SessionHandle } from '../story/session-handle.js';
import { runningTurn, shownPlan, turnsOnThread, storyTitle } from '../story/story.js';
import { Thread } from './thread.js';
import { useStick } from './use-stick.js';

type SessionProps = {
  readonly me: Me;
  readonly taskId: string | undefined;
  readonly onShow: (dialog: Dialogs) => void;
  /** The server no longer knows this browser. */
  readonly onUnpaired: () => void;
  readonly onList: (() => void) | undefined;
};

// Loaded at once but after the first paint, so that a question never waits for it.
const loadQuestion = () => import('../question/dock.js').then(({ QuestionDock }) => QuestionDock);
const loadPlan = () => import('../plan/plan.js').then(({ PlanDock }) => PlanDock);
const loadSides = () => import('./sides.js').then(({ Sides }) => Sides);
const loadPalette = () => import('../palette/palette.js').then(({ Palette }) => Palette);

/** One session: the thread, and below it the input or, in its place, a question. */
export function SessionScreen({ me, taskId, onShow, onUnpaired, onList }: SessionProps) {
  const handle = useSessionHandle(me.name, taskId);
  const { story, link } = handle;
  const [palette, setPalette] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const isWide = useWide();
  const { scroller, isAtEnd, toEnd } = useStick(story.oldest);
  const turns = turnsOnThread(story);
  const isRunning = runningTurn(story) !== undefined;
  const asks = story.pending.length;
  const plan = shownPlan(story);
  const tone: Tone = link.state !== 'open' ? 'off' : asks > 0 ? 'ask' : isRunning ? 'run' : 'idle';
  const title = storyTitle(story) ?? sessionWords.untitled;
  useTitle(title, asks, isRunning);
  useEffect(() => {
    if (link.state === 'closed' && isUnpaired(link.error)) onUnpaired();
  }, [link]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setPalette('');
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class={`app ${tone}`}>
      <Bar
        {...{ title, tone, link, asks, onList }}
        place={story.workspace?.split('/').at(-1) ?? location.host}
        hasFailed={turns.at(-1)?.state === 'failed'}
        onShare={may(me, 'prompt') ? () => onShow('share') : undefined}
        onCommands={() => setPalette('')}
      />
      <main ref={scroller} class="scroll" tabIndex={-1} aria-label={sessionWords.label}>
        <Thread handle={handle} me={me} />
      </main>
      {!isAtEnd && (
        <button type="button" class="to-end" onClick={toEnd}>
          {sessionWords.latest} <span aria-hidden="true">↓</span>
        </button>
      )}
      <footer class="dock">
        <LinkLine link={link} />
        <Lazy load={loadQuestion} props={{ handle, me, alsoOpenOn: alsoOpenOn(story, me) }} />
        {plan.length > 0 && <Lazy load={loadPlan} props={{ steps: plan }} />}
        <Queue handle={handle} me={me} />
        {problem !== undefined && (
          <p class="problem center" role="alert">
            {problem}
          </p>
        )}
        {may(me, 'prompt') ? (
          <Composer {...{ handle, taskId, isRunning }} onSlash={may(me, 'admin') ? () => setPalette('/') : undefined} />
        ) : (
          <p class="viewonly">{may(me, 'approve') ? sessionWords.mayAnswer : sessionWords.watching}</p>
        )}
      </footer>
      {isWide && <Lazy load={loadSides} props={{ story, me }} />}
      {palette !== undefined && (
        <Lazy
          load={loadPalette}
          props={{
            handle,
            me,
            start: palette,
            onShow,
            onList,
            onProblem: setProblem,
            onClose: () => setPalette(undefined),
          }}
        />
      )}
    </div>
  );
}

function useSessionHandle(client: string, taskId: string | undefined): SessionHandle {
  const handle = useMemo(() => openSessionHandle({ client, taskId }), [client, taskId]);
  const [, setCount] = useState(0);
  // An effect would come after the first paint, and all of a session that rests may have come before.
  useLayoutEffect(() => {
    const stop = handle.subscribe(() => setCount((count) => count + 1));
    return () => {
      stop();
      handle.close();
    };
  }, [handle]);
  return handle;
}

/** The tab and the app's badge say it too when somebody is asked. */
function useTitle(title: string, asks: number, isRunning: boolean): void {
  const sign = asks > 0 ? '? ' : isRunning ? '· ' : '';
  useEffect(() => {
    document.title = `${sign}${title} · ${appWords.name}`;
  }, [sign, title]);
  useEffect(() => {
    // Only installed apps have a badge.
    if ('setAppBadge' in navigator) void navigator.setAppBadge(asks).catch(() => {});
  }, [asks]);
}
