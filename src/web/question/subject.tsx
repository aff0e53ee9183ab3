import type { OpenQuestion } from '../../client/client.js';
import { reveal } from '../../util/text/reveal.js';
import { Diff } from '../diff/diff.js';
import { Steps } from '../plan/plan.js';
import { planIn } from '../plan/plan-in.js';
import { questionWords } from '../words/question.js';
import { AgentAsks, type Answers } from './agent-asks.js';
import { CommandLines } from './command.js';

type SubjectProps = {
  readonly question: OpenQuestion;
  readonly answers: Answers;
  readonly onAnswers: (answers: Answers) => void;
  readonly feedback: string;
  readonly onFeedback: (feedback: string) => void;
};

/** Everything that the decision depends on. */
export function Subject({ question, answers, onAnswers, feedback, onFeedback }: SubjectProps) {
  const { details } = question.confirmation_request;
  if ('execute_details' in details) {
    const { command, working_directory: folder } = details.execute_details;
    return (
      <div class="subject">
        <CommandLines command={command} />
        {folder !== undefined && <p class="hint mono">{questionWords.inFolder(reveal(folder))}</p>}
      </div>
    );
  }
  if ('file_edit_details' in details) {
    const { old_content: before = '', new_content: after } = details.file_edit_details;
    return <Diff before={before} after={after} />;
  }
  if ('mcp_details' in details) {
    const { server_name, tool_name } = details.mcp_details;
    return (
      <div class="subject">
        <p class="why">{reveal(`${server_name} · ${tool_name}`)}</p>
        <pre class="input">{reveal(JSON.stringify(question.input_parameters, null, 2))}</pre>
      </div>
    );
  }
  const { description, questions, plan_path: plan } = details.generic_details;
  if (questions) return <AgentAsks questions={questions} answers={answers} onAnswers={onAnswers} />;
  const steps = planIn(question)?.map((step) => ({ ...step, text: reveal(step.text) }));
  return (
    <div class="subject">
      <p class="why">{reveal(description)}</p>
      {steps && <Steps steps={steps} />}
      {plan !== undefined && (
        <textarea
          class="field area"
          rows={3}
          aria-label={questionWords.feedback}
          placeholder={questionWords.feedback}
          value={feedback}
          onInput={(event) => onFeedback(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
