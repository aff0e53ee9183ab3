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
  useEffect(() => {
    if (!answered) return;
    const isMine = sentFromHere.current.delete(answered.tool_call_id) && isBy(answered, me);
    setSettled(isMine ? undefined : { call: answered, draft: draft.current });
    draft.current = undefined;
  }, [answered]);
  const at = Math.min(place, pending.length - 1);
  const question = pending[at];
  if (!question) {
    if (!settled) return null;
    return <Settled {...settled} me={me.name} onClose={() => setSettled(undefined)} />;
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
    />
  );
}

function isBy({ metadata }: WireToolCall, { name, principal }: Me): boolean {
  const by = metadata.resolvedBy;
  return by !== undefined && by.surface !== 'tui' && (by.client === name || (by.principal ?? '') === principal);
}
