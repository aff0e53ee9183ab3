import { useState } from 'preact/hooks';
import { isOpenQuestion, type WireToolCall } from '../../client/client.js';
import type { Me } from '../me.js';
import { CommandLines } from '../question/command.js';
import { planIn } from '../plan/plan-in.js';
import { outcomeOf } from '../question/outcome.js';
import { Clock } from '../ui/clock.js';
import { Lazy } from '../ui/lazy.js';
import { readable } from '../ui/readable.js';
import { Path } from '../ui/path.js';
import { clockTime, duration } from '../ui/time.js';
import { Who } from '../ui/who.js';
import { outcomeWords, sessionWords, toolWords } from '../words/session.js';
import type { ToolBlock } from '../story/story.js';

const loadDiff = () => import('../diff/diff.js').then(({ Diff }) => Diff);

const glyphs = { PENDING: '○', EXECUTING: '', SUCCEEDED: '✓', FAILED: '✕', CANCELLED: '–' };
/** Lines of output shown before somebody asks for more. */
const shownLines = 8;
/** Shorter than this is not worth a number. */
const notableMs = 300;

/** A tool call: what it does, how it stands, what it printed or changed. Its command is left out while the question shows it. */
export function Tool({ block, me }: { block: ToolBlock; me: Me }) {
  const { call } = block;
  const [isOpen, setOpen] = useState(false);
  const isAsked = isOpenQuestion(call);
  const kind = isAsked ? 'ask' : call.status.toLowerCase();
  const { command, file_path: path } = call.input_parameters;
  const lines = linesOf(call);
  const diff = call.status === 'SUCCEEDED' && 'diff' in call.output ? call.output.diff : undefined;
  const hidden = lines.length - shownLines;
  return (
    <div class={`tool ${kind}`}>
      <div class="row">
        <span class={`node ${kind}`} aria-hidden="true">
          {isAsked ? '?' : glyphs[call.status]}
        </span>
        <span class="what">
          <b>{toolWords.names[call.tool_name] ?? readable(call.tool_name)}</b>
          {typeof path === 'string' ? (
            <Path path={readable(path)} />
          ) : typeof command === 'string' ? null : (
            <span class="mono">{readable(call.description ?? '')}</span>
          )}
        </span>
        <span class="meta">
          {isAsked ? sessionWords.waits : <span class="sr">{toolWords.status[call.status]}</span>}
          <Took block={block} />
        </span>
      </div>
      {typeof command === 'string' && !isAsked && <CommandLines command={command} />}
      <Stamp call={call} me={me} />
      {lines.length > 0 && (
        <pre class={call.status === 'FAILED' ? 'out bad' : 'out'} tabIndex={0} aria-label={sessionWords.output}>
          {(isOpen ? lines : lines.slice(-shownLines)).join('\n')}
        </pre>
      )}
      {diff && isOpen && (
        <Lazy load={loadDiff} props={{ before: diff.old_content ?? '', after: diff.new_content, isNarrow: true }} />
      )}
      {(diff || hidden > 0) && (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? sessionWords.less : diff ? sessionWords.showChange : sessionWords.linesAbove(hidden)}
        </button>
      )}
    </div>
  );
}

function Took({ block: { call, startedAt, endedAt } }: { block: ToolBlock }) {
  if (startedAt === undefined) return null;
  const since = Date.parse(startedAt);
  if (call.status === 'EXECUTING') return <Clock since={since} />;
  const ms = endedAt === undefined ? 0 : Date.parse(endedAt) - since;
  return ms > notableMs ? <span class="num">{duration(ms)}</span> : null;
}

/** Who allowed or denied it. */
function Stamp({ call, me }: { call: WireToolCall; me: Me }) {
  const { resolvedBy, resolvedAt } = call.metadata;
  if (!resolvedBy) return null;
  return (
    <p class="stamp">
      {`${outcomeOf(call).text} ${outcomeWords.by} `}
      <Who origin={resolvedBy} me={me} />
      {resolvedAt !== undefined && <time dateTime={resolvedAt}>{clockTime(resolvedAt)}</time>}
    </p>
  );
}

function linesOf(call: WireToolCall): string[] {
  const text = readable(outputOf(call) ?? '').replace(/\n+$/, '');
  return text === '' ? [] : text.split('\n');
}

function outputOf(call: WireToolCall): string | undefined {
  switch (call.status) {
    case 'EXECUTING':
      return call.live_content;
    case 'FAILED':
      return call.error.message;
    case 'CANCELLED':
      return call.metadata.resolvedBy ? undefined : call.metadata.reason;
    case 'SUCCEEDED':
      // The plan is shown above the input.
      if (planIn(call)) return undefined;
      if ('text' in call.output) return call.output.text;
      return 'structured_data' in call.output ? JSON.stringify(call.output.structured_data, null, 2) : undefined;
    default:
      return undefined;
  }
}
