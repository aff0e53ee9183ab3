import { useEffect, useRef, useState } from 'preact/hooks';
import type { WireToolCall } from '../../client/client.js';
import { may, type Me } from '../me.js';
import type { Store } from '../session/store.js';
import { Settled } from './settled.js';
import { Sheet } from './sheet.js';

type DockProps = { readonly store: Store; readonly me: Me; readonly alsoOpenOn: string | undefined };

/** The open question, in the place of the input; or, for a moment, how it was answered by somebody else. */
export function QuestionDock({ store, me, alsoOpenOn }: DockProps) {
  const { pending, answered } = store.story;
  const [place, setPlace] = useState(0);
  const [settled, setSettled] = useState<{ call: WireToolCall; draft: string | undefined }>();
  const sentFromHere = useRef(new Set<string>());
  const draft = useRef<string | undefined>(undefined);
  const show = (call: WireToolCall | undefined): void => {
    setSettled(call && { call, draft: draft.current });
    draft.current = undefined;
  };
  useEffect(() => {
    if (answered) show(sentFromHere.current.has(answered.tool_call_id) ? undefined : answered);
  }, [answered]);
  /** Somebody was faster. The event that says so may have come before the refusal. */
  const onLost = (id: string): void => {
    sentFromHere.current.delete(id);
    if (store.story.answered?.tool_call_id === id) show(store.story.answered);
  };
  const at = Math.min(place, pending.length - 1);
  const question = pending[at];
  if (!question) {
    if (!settled) return null;
    return <Settled {...settled} me={me} onClose={() => setSettled(undefined)} />;
  }
  return (
    <Sheet
      // A call may ask twice; the second question is another one.
      key={question.metadata.correlationId ?? question.tool_call_id}
      question={question}
      store={store}
      mayApprove={may(me, 'approve')}
      mayPrompt={may(me, 'prompt')}
      alsoOpenOn={alsoOpenOn}
      pager={pending.length > 1 ? { at, of: pending.length, go: setPlace } : undefined}
      onDraft={(typed) => (draft.current = typed)}
      onSent={() => sentFromHere.current.add(question.tool_call_id)}
      onLost={() => onLost(question.tool_call_id)}
    />
  );
}
