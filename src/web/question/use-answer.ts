import { useEffect, useState } from 'preact/hooks';
import { type AnswerDetails, CosessionError, type OpenQuestion } from '../../client/client.js';
import type { SessionHandle } from '../story/session-handle.js';

/** For this long after a question appears under somebody's finger, no button works. */
const guardMs = 500;

export type Answering = {
  /** An answer can be given now. */
  readonly isReady: boolean;
  readonly isSent: boolean;
  /** Why the last answer did not count. */
  readonly problem: string | undefined;
  /** Gives the answer; what is to happen after it counted comes in `then`. */
  readonly answer: (optionId: string, details?: AnswerDetails, then?: () => Promise<unknown>) => void;
};

type AnsweringOptions = {
  readonly handle: SessionHandle;
  readonly question: OpenQuestion;
  readonly mayAnswer: boolean;
  readonly onSent: () => void;
  /** Somebody else had answered. */
  readonly onLost: () => void;
};

export function useAnswer({ handle, question, mayAnswer, onSent, onLost }: AnsweringOptions): Answering {
  const [isGuarded, setGuarded] = useState(true);
  const [isSent, setSent] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(false), guardMs);
    return () => clearTimeout(timer);
  }, []);
  const isReady = !isGuarded && !isSent && mayAnswer && handle.link.state === 'open';
  const send = async (optionId: string, details: AnswerDetails, then: () => Promise<unknown>): Promise<void> => {
    setSent(true);
    setProblem(undefined);
    onSent();
    try {
      await handle.answer(question.tool_call_id, optionId, details);
      await then();
    } catch (error) {
      if (error instanceof CosessionError && error.code === 'already-answered') onLost();
      setProblem(error instanceof Error ? error.message : String(error));
      setSent(false);
    }
  };
  return {
    isReady,
    isSent,
    problem,
    answer: (optionId, details = {}, then = () => Promise.resolve()) => {
      if (isReady) void send(optionId, details, then);
    },
  };
}
