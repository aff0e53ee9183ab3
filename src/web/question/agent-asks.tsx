import { reveal } from '../../util/text/reveal.js';
import { questionWords } from '../words/question.js';

/** Answers by the number of the question, as the server expects them. */
export type Answers = Readonly<Record<string, string>>;

type AgentQuestion = {
  readonly question: string;
  readonly choices: readonly { readonly label: string; readonly description?: string }[];
  readonly isMultiple: boolean;
  readonly placeholder: string;
};

type AgentAsksProps = {
  readonly questions: readonly unknown[];
  readonly answers: Answers;
  readonly onAnswers: (answers: Answers) => void;
};

/** Questions of the agent itself. Besides the choices, any text is an answer. */
export function AgentAsks({ questions, answers, onAnswers }: AgentAsksProps) {
  return (
    <div class="asks">
      {questions.map(readQuestion).map((asked, index) => (
        <Asked
          key={index}
          asked={asked}
          name={`question-${index}`}
          answer={answers[index] ?? ''}
          onAnswer={(answer) => onAnswers({ ...answers, [index]: answer })}
        />
      ))}
    </div>
  );
}

type AskedProps = { asked: AgentQuestion; name: string; answer: string; onAnswer: (answer: string) => void };

function Asked({ asked: { question, choices, isMultiple, placeholder }, name, answer, onAnswer }: AskedProps) {
  const labels = choices.map(({ label }) => label);
  const { chosen, own } = isMultiple ? partsOf(answer, labels) : partOf(answer, labels);
  const pick = (label: string): void => {
    if (!isMultiple) return onAnswer(label);
    const others = labels.filter((each) => (each === label ? !chosen.includes(label) : chosen.includes(each)));
    onAnswer(joined(others, own));
  };
  return (
    <fieldset>
      <legend>{reveal(question)}</legend>
      {choices.map(({ label, description }, index) => (
        <label key={index} class="choice">
          <input
            type={isMultiple ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(label)}
            onChange={() => pick(label)}
          />
          <span>
            <b>{reveal(label)}</b>
            {description !== undefined && <small>{reveal(description)}</small>}
          </span>
        </label>
      ))}
      <input
        type="text"
        class="field"
        aria-label={choices.length === 0 ? question : questionWords.ownAnswer}
        placeholder={placeholder || (choices.length === 0 ? '' : questionWords.ownAnswer)}
        value={own}
        onInput={({ currentTarget: { value } }) => onAnswer(isMultiple ? joined(chosen, value) : value)}
      />
    </fieldset>
  );
}

type Parts = { readonly chosen: readonly string[]; readonly own: string };

function partOf(answer: string, labels: readonly string[]): Parts {
  return labels.includes(answer) ? { chosen: [answer], own: '' } : { chosen: [], own: answer };
}

/** The choices in their order, then the reader's own words. A choice may contain the separator itself. */
function partsOf(answer: string, labels: readonly string[]): Parts {
  const chosen: string[] = [];
  let rest = answer;
  for (const label of labels) {
    if (rest !== label && !rest.startsWith(label + separator)) continue;
    chosen.push(label);
    rest = rest.slice(label.length + separator.length);
  }
  return { chosen, own: rest };
}

function joined(chosen: readonly string[], own: string): string {
  return [...chosen, ...(own === '' ? [] : [own])].join(separator);
}

/** As the Gemini CLI joins several choices. */
const separator = ', ';

const yesOrNo = [{ label: 'Yes' }, { label: 'No' }];

/** Written by the model, so every field may be missing. */
function readQuestion(given: unknown): AgentQuestion {
  const { question, type, options, multiSelect, placeholder } = recordOf(given);
  const listed = Array.isArray(options) ? options.map(readChoice) : [];
  return {
    question: textOf(question),
    choices: type === 'yesno' ? yesOrNo : type === 'text' ? [] : listed,
    isMultiple: multiSelect === true,
    placeholder: textOf(placeholder),
  };
}

function readChoice(given: unknown): { label: string; description?: string } {
  const { label, description } = recordOf(given);
  return { label: textOf(label), ...(typeof description === 'string' ? { description } : {}) };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
