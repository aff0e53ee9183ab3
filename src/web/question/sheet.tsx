import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { defined } from '../../util/defined.js';
import type { AnswerDetails, OpenQuestion } from '../../client/client.js';
import { reveal } from '../../util/text/reveal.js';
import type { SessionHandle } from '../story/session-handle.js';
import { keyOf } from '../ui/key-of.js';
import { questionWords as w } from '../words/question.js';
import { About } from './about.js';
import type { Answers } from './agent-asks.js';
import { Editor } from './editor.js';
import { offeredAnswers, headingOf } from './kind.js';
import { type MenuItem, MoreAnswers } from './more-answers.js';
import { SheetTop, type SheetTopProps } from './sheet-top.js';
import { Subject } from './subject.js';
import { useAnswer } from './use-answer.js';
import { useFirstAnswer } from './use-first-answer.js';
import { useFocus } from './use-focus.js';
import { useUnseen } from './use-unseen.js';
import { useWhole } from './use-whole.js';
import { WhyNot } from './why-not.js';

/** What a reader has typed for a question. */
export type Draft = {
  /** Their version of the proposed file. */
  readonly edited?: string | undefined;
  readonly answers: Answers;
  readonly feedback: string;
};

export type SheetProps = Pick<SheetTopProps, 'pager' | 'alsoOpenOn'> & {
  /** As it came; a very long one is completed first. */
  readonly asked: OpenQuestion;
  readonly handle: SessionHandle;
  readonly mayApprove: boolean;
  readonly mayPrompt: boolean;
  /** What was typed before the reader looked at another question. */
  readonly draft: Draft | undefined;
  /** Kept for them, should somebody else be faster. `own` is the text that they would miss. */
  readonly onDraft: (draft: Draft, own: string | undefined) => void;
  readonly onSent: () => void;
  readonly onLost: () => void;
};

/** One question, with everything that is decided on and all answers to it. */
export function Sheet({ asked, handle, mayApprove, mayPrompt, draft, onDraft, onSent, onLost, ...top }: SheetProps) {
  const { question, stand } = useWhole(asked, handle.story.taskId);
  const { details } = question.confirmation_request;
  const file = 'file_edit_details' in details ? details.file_edit_details : undefined;
  const [edited, setEdited] = useState(draft?.edited);
  const [answers, setAnswers] = useState<Answers>(draft?.answers ?? {});
  const [feedback, setFeedback] = useState(draft?.feedback ?? '');
  const [isDenying, setDenying] = useState(false);
  const [isFolded, setFolded] = useState(!mayApprove);
  const [unseen, body] = useUnseen(edited !== undefined);
  const folded = useRef<HTMLButtonElement>(null);
  useFocus(isFolded, body, folded);
  const mayAnswer = mayApprove && stand !== 'loading';
  const { isReady, isSent, problem, answer } = useAnswer({ handle, question, mayAnswer, onSent, onLost });
  const { once, deny, wider } = offeredAnswers(question);
  const { title, verb } = headingOf(question);
  const hasEdit = file !== undefined && edited !== undefined && edited !== file.new_content;
  // Not after the next frame, which a page in the background may never draw: the answer of somebody else may come first.
  useLayoutEffect(() => {
    onDraft({ edited, answers, feedback }, hasEdit ? edited : feedback.trim() || undefined);
  }, [hasEdit, edited, answers, feedback]);
  const own: AnswerDetails = {
    ...(hasEdit && edited !== undefined ? { newContent: edited } : {}),
    ...(Object.keys(answers).length > 0 ? { answers } : {}),
    ...(feedback.trim() === '' ? {} : { feedback }),
  };
  useFirstAnswer(!isFolded && !isDenying && once ? () => answer(once.id, own) : undefined);
  if (isFolded) {
    return (
      <button type="button" class="folded" ref={folded} onClick={() => setFolded(false)}>
        <span class="node ask" aria-hidden="true">
          ?
        </span>
        <b>{mayApprove ? title : w.somebody}</b>
        <span class="about">
          <About question={question} edited={edited} workspace={handle.story.workspace} isShort />
        </span>
        <span class="open">{mayApprove ? w.review : w.look}</span>
      </button>
    );
  }
  const items: MenuItem[] = [
    // An agent may name its own answers.
    ...wider.map(({ id, name, description: hint }) => ({
      name: reveal(name),
      isOff: !isReady,
      run: () => answer(id, own),
      ...defined({ hint }),
    })),
    ...(deny && mayPrompt ? [{ name: w.denyWith, hint: w.denyWithHint, run: () => setDenying(true) }] : []),
    ...(mayPrompt
      ? [{ name: w.stopTurn, hint: w.stopTurnHint, isOff: !isReady, run: () => void handle.stop().catch(() => {}) }]
      : []),
  ];
  return (
    <section
      class={file ? 'sheet file' : 'sheet'}
      role="alertdialog"
      aria-labelledby="question-title"
      aria-describedby="question-about"
      onKeyDown={(event) => event.key === 'Escape' && setFolded(true)}
    >
      <SheetTop title={title} onFold={() => setFolded(true)} {...top}>
        <About question={question} edited={edited} workspace={handle.story.workspace} />
      </SheetTop>
      <div class="q-body" ref={body} tabIndex={0} role="group" aria-label={w.what}>
        {file && edited !== undefined ? (
          <Editor value={edited} proposal={file.new_content} onInput={setEdited} />
        ) : (
          <Subject {...{ question, answers, feedback }} onAnswers={setAnswers} onFeedback={setFeedback} />
        )}
      </div>
      <div class="q-foot">
        {unseen > 0 && (
          <p class="unseen">
            <button type="button" onClick={() => body.current?.scrollBy({ top: body.current.clientHeight - 40 })}>
              {w.below(unseen)}
            </button>
          </p>
        )}
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {stand === 'cut' && <p class="problem">{w.cut}</p>}
        {handle.link.state !== 'open' && <p class="problem">{w.offline}</p>}
        {!mayApprove && <p class="hint">{w.onlyWatching}</p>}
        {isDenying && deny && (
          <WhyNot
            isReady={isReady}
            onBack={() => setDenying(false)}
            onSend={(why) => answer(deny.id, {}, () => handle.prompt(why))}
          />
        )}
        {mayApprove && !isDenying && (
          <div class="acts">
            {once && (
              <button
                type="button"
                class="primary"
                disabled={!isReady}
                aria-busy={isSent}
                onClick={() => answer(once.id, own)}
              >
                {hasEdit ? w.allowEdit : own.feedback === undefined ? (verb ?? reveal(once.name)) : w.sendFeedback}
                <kbd aria-hidden="true">{keyOf('↵')}</kbd>
              </button>
            )}
            {deny && (
              <button type="button" class="plain" disabled={!isReady} onClick={() => answer(deny.id)}>
                {w.deny}
              </button>
            )}
            {file && file.read_only !== true && stand === 'whole' && edited === undefined && (
              <button type="button" class="plain" onClick={() => setEdited(file.new_content)}>
                {w.edit}
              </button>
            )}
            {edited !== undefined && (
              <button type="button" class="plain" onClick={() => setEdited(undefined)}>
                {hasEdit ? w.dropEdit : w.back}
              </button>
            )}
            {items.length > 0 && <MoreAnswers items={items} />}
          </div>
        )}
      </div>
    </section>
  );
}
