import { useEffect, useState } from 'preact/hooks';
import type { TaskRow } from '../../client/client.js';
import { CommandLines } from '../question/command.js';
import { reveal } from '../../util/text/reveal.js';
import { memo } from '../ui/memo.js';
import { Path } from '../ui/path.js';
import { readable } from '../ui/readable.js';
import { sessionWords } from '../words/session.js';
import { listWords } from '../words/list.js';
import { allowOnce, deny, isSmall, offers, type ListedQuestion } from './small-question.js';

type SessionRowProps = {
  readonly row: TaskRow;
  /** How long ago it changed, as it is shown. */
  readonly age: string;
  readonly mayAnswer: boolean;
  readonly onOpen: (taskId: string) => void;
  readonly onAnswer: (row: TaskRow, question: ListedQuestion, optionId: string) => Promise<void>;
};

/** Drawn again only when it changes: there may be a thousand of them. */
export const SessionRow = memo(({ row, age, mayAnswer, onOpen, onAnswer }: SessionRowProps) => {
  const { id, title, last, workspace, model, pending } = row;
  const [question] = pending;
  return (
    <li data-task={id}>
      <button type="button" class="srow" onClick={() => onOpen(id)}>
        <span class="title">{readable(title ?? sessionWords.untitled)}</span>
        <span class="when num">{age}</span>
        <span class="last">{last && plain(last)}</span>
        <span class="where mono">
          {workspace.split('/').at(-1)} · {model || listWords.noModel}
        </span>
      </button>
      {question && (
        <InPlace
          key={question.id}
          question={question}
          workspace={workspace}
          mayAnswer={mayAnswer}
          onOpen={() => onOpen(id)}
          onAnswer={(optionId) => onAnswer(row, question, optionId)}
        />
      )}
    </li>
  );
});

/** One line has no place for markdown: its signs for code and weight are left out. */
function plain(text: string): string {
  return readable(text).replaceAll(/`+|\*\*/g, '');
}

type InPlaceProps = {
  readonly question: ListedQuestion;
  readonly workspace: string;
  readonly mayAnswer: boolean;
  readonly onOpen: () => void;
  readonly onAnswer: (optionId: string) => Promise<void>;
};

/** Nobody can have read a question that has only just appeared under their finger. */
const deadMs = 500;

function InPlace({ question, workspace, mayAnswer, onOpen, onAnswer }: InPlaceProps) {
  const [isReady, setReady] = useState(false);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), deadMs);
    return () => clearTimeout(timer);
  }, []);
  const send = (optionId: string): void => {
    setReady(false);
    setProblem('');
    onAnswer(optionId).catch((error: unknown) => {
      setProblem(error instanceof Error ? error.message : String(error));
      setReady(true);
    });
  };
  const { command, file, kind, title } = question;
  const isHere = isSmall(question) && mayAnswer && offers(question, allowOnce) && offers(question, deny);
  return (
    <div class="in-place">
      {command !== undefined && isSmall(question) ? (
        <CommandLines command={command} />
      ) : file === undefined ? (
        // The agent's questions are numbered, for those who answer in words.
        <p>{reveal(kind === 'questions' ? title.replace(/^\d+\. /, '') : title)}</p>
      ) : (
        <p>
          {listWords.wantsToChange}{' '}
          <Path path={reveal(file.startsWith(`${workspace}/`) ? file.slice(workspace.length + 1) : file)} />
        </p>
      )}
      <div class="list-answers">
        {isHere ? (
          <>
            <button
              type="button"
              class="primary small"
              data-answer="a"
              disabled={!isReady}
              onClick={() => send(allowOnce)}
            >
              {listWords.runOnce}
            </button>
            <button type="button" class="plain small" data-answer="d" disabled={!isReady} onClick={() => send(deny)}>
              {listWords.deny}
            </button>
          </>
        ) : (
          <button type="button" class="plain small" onClick={onOpen}>
            {reviewWord(question, mayAnswer)}
          </button>
        )}
      </div>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function reviewWord({ kind }: ListedQuestion, mayAnswer: boolean): string {
  if (!mayAnswer) return listWords.look;
  if (kind === 'edit') return listWords.reviewChange;
  return kind === 'execute' ? listWords.reviewCommand : listWords.answer;
}
