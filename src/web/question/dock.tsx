import { useEffect, useRef, useState } from 'preact/hooks';
import type { OpenQuestion, WireToolCall } from '../../client/client.js';
import { may, type Me } from '../me.js';
import type { SessionHandle } from '../story/session-handle.js';
import { Settled } from './settled.js';
import { type Draft, Sheet } from './sheet.js';

type DockProps = { readonly handle: SessionHandle; readonly me: Me; readonly alsoOpenOn: string | undefined };

/** The open question, in the place of the input; or, for a moment, how it was answered by somebody else. */
export function QuestionDock({ handle, me, alsoOpenOn }: DockProps) {
  const { pending, answered } = handle.story;
  const [chosen, setChosen] = useState<string>();
  const [settled, setSettled] = useState<{ call: WireToolCall; draft: string | undefined }>();
  const sentFromHere = useRef(new Set<string>());
  const drafts = useRef(new Map<string, { draft: Draft; own: string | undefined }>());
  const show = (call: WireToolCall): void => {
    const isOwn = sentFromHere.current.has(call.tool_call_id);
    setSettled(isOwn ? undefined : { call, draft: drafts.current.get(call.tool_call_id)?.own });
  };
  useEffect(() => {
    if (answered) show(answered);
    const isOpen = new Set(pending.map((call) => call.tool_call_id));
    for (const id of drafts.current.keys()) if (!isOpen.has(id)) drafts.current.delete(id);
  }, [answered]);
  /** Somebody was faster. The event that says so may have come before the refusal. */
  const onLost = (id: string): void => {
    sentFromHere.current.delete(id);
    if (handle.story.answered?.tool_call_id === id) show(handle.story.answered);
  };
  // The one that the reader looks at stays, whichever of the others is answered.
  const at = Math.max(
    0,
    pending.findIndex((call) => keyOf(call) === chosen),
  );
  const question = pending[at];
  const key = question && keyOf(question);
  // The first one is chosen too, once it is shown.
  if (key !== chosen) setChosen(key);
  if (!question) {
    if (!settled) return null;
    return <Settled {...settled} me={me} onClose={() => setSettled(undefined)} />;
  }
  const { tool_call_id: id } = question;
  const go = (place: number): void => {
    const other = pending[place];
    if (other) setChosen(keyOf(other));
  };
  return (
    <Sheet
      key={key}
      asked={question}
      handle={handle}
      mayApprove={may(me, 'approve')}
      mayPrompt={may(me, 'prompt')}
      alsoOpenOn={alsoOpenOn}
      pager={pending.length > 1 ? { at, of: pending.length, go } : undefined}
      draft={drafts.current.get(id)?.draft}
      onDraft={(draft, own) => drafts.current.set(id, { draft, own })}
      onSent={() => sentFromHere.current.add(id)}
      onLost={() => onLost(id)}
    />
  );
}

/** A call may ask twice; the second question is another one. */
function keyOf({ metadata, tool_call_id }: OpenQuestion): string {
  return metadata.correlationId ?? tool_call_id;
}
