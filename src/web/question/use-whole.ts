import { useEffect, useState } from 'preact/hooks';
import type { LoggedEvent, OpenQuestion } from '../../client/client.js';
import { get } from '../api.js';

/** `cut`: only the beginning is here, and the rest could not be loaded. */
export type Whole = { readonly question: OpenQuestion; readonly stand: 'whole' | 'loading' | 'cut' };

/** Streams send the beginning of a very long question. Nothing that is decided on is left out here, so the rest is fetched. */
export function useWhole(asked: OpenQuestion, taskId: string): Whole {
  const [whole, setWhole] = useState<Whole>({
    question: asked,
    stand: cutAt(asked) === undefined ? 'whole' : 'loading',
  });
  useEffect(() => {
    const seq = cutAt(asked);
    if (seq === undefined) return setWhole({ question: asked, stand: 'whole' });
    let isCurrent = true;
    const show = (found: Whole): void => {
      if (isCurrent) setWhole(found);
    };
    get<LoggedEvent>(`tasks/${encodeURIComponent(taskId)}/events/${seq}`).then(
      (event) => show(isAbout(event, asked) ? { question: event, stand: 'whole' } : { question: asked, stand: 'cut' }),
      () => show({ question: asked, stand: 'cut' }),
    );
    return () => {
      isCurrent = false;
    };
  }, [asked]);
  return whole;
}

/** The number of the whole event, if a text of the question ends with the note that it is cut. */
function cutAt({ confirmation_request }: OpenQuestion): string | undefined {
  const note = /\[cut: \d+ (?:characters|values) in all, the whole is at \/tasks\/[^\s\]]*\/events\/(\d+)\]"/;
  return note.exec(JSON.stringify(confirmation_request.details))?.[1];
}

function isAbout(event: LoggedEvent, asked: OpenQuestion): event is LoggedEvent & OpenQuestion {
  return event.kind === 'TOOL_CALL_UPDATE' && event.tool_call_id === asked.tool_call_id && event.status === 'PENDING';
}
