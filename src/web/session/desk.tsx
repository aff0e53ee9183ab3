import { useMemo } from 'preact/hooks';
import { may, type Me } from '../me.js';
import { amount } from '../ui/time.js';
import { Who } from '../ui/who.js';
import { deskWords as w } from '../words/sides.js';
import { changedFiles } from './changed-files.js';
import { othersHere } from './presence.js';
import type { Story } from '../story/story.js';

/** What is around the conversation: who is here, what changed, what it cost, what answers. */
export function Desk({ story, me }: { story: Story; me: Me }) {
  const { turns, usage, model, approvalMode, seq, workspace } = story;
  const files = useMemo(() => changedFiles(turns, workspace), [turns, workspace]);
  const others = othersHere(story, me);
  return (
    <aside class="desk" aria-label={w.label}>
      <section>
        <h2>{w.here}</h2>
        <ul>
          {me.mode === 'live' && (
            <li>
              <Who origin={{ surface: 'tui' }} />
              <small>{w.whereItRuns}</small>
            </li>
          )}
          {others.map(({ name, surface }) => (
            <li key={name}>
              <Who origin={{ surface, client: name }} />
              <small>{w.surfaces[surface]}</small>
            </li>
          ))}
          {story.moreClients > 0 && <li class="hint">{w.more(story.moreClients)}</li>}
          <li>
            <Who origin={{ ...me, surface: 'web', client: me.name }} me={me} />
            <small>{roleOf(me)}</small>
          </li>
        </ul>
      </section>
      <section>
        <h2>{w.changed}</h2>
        {files.length === 0 && <p class="hint">{w.noFile}</p>}
        <ul>
          {files.map(({ path, stand }) => (
            <li key={path}>
              <span class="mono" title={path}>
                {path.split('/').slice(-2).join('/')}
              </span>
              <small>{stand}</small>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{w.spent}</h2>
        <dl class="num">
          <dt>{w.lastCall}</dt>
          <dd>{amount(usage.last)}</dd>
          <dt>{w.inAll}</dt>
          <dd>{amount(usage.total)}</dd>
          <dt>{w.calls}</dt>
          <dd>{usage.calls}</dd>
        </dl>
      </section>
      <section>
        <h2>{w.agent}</h2>
        <dl>
          {model !== '' && (
            <>
              <dt>{w.model}</dt>
              <dd class="mono">{model}</dd>
            </>
          )}
          {workspace !== undefined && (
            <>
              <dt>{w.folder}</dt>
              <dd class="mono" title={workspace}>
                {workspace.split('/').at(-1)}
              </dd>
            </>
          )}
          <dt>{w.asks}</dt>
          <dd>{w.modes[approvalMode] ?? (approvalMode || w.modes['default'])}</dd>
          <dt>{w.event}</dt>
          <dd class="mono num">{seq}</dd>
        </dl>
      </section>
    </aside>
  );
}

function roleOf(me: Me): string {
  if (me.scopes.includes('admin')) return w.full;
  if (may(me, 'approve')) return may(me, 'prompt') ? w.work : w.answer;
  return may(me, 'prompt') ? w.prompt : w.view;
}
