import type { OpenQuestion, WireToolCall } from '../../client/client.js';
import { questionWords as w } from '../words/question.js';

/** What stands above a question, and on its first button. */
export function headingOf({ confirmation_request, tool_name }: OpenQuestion): { title: string; verb?: string } {
  const { details } = confirmation_request;
  if ('execute_details' in details) return { title: w.run, verb: w.runVerb };
  if ('file_edit_details' in details) {
    return { title: details.file_edit_details.old_content === undefined ? w.create : w.change, verb: w.applyVerb };
  }
  if ('mcp_details' in details) return { title: w.server(details.mcp_details.server_name), verb: w.serverVerb };
  const { questions, plan_path } = details.generic_details;
  if (questions) return { title: w.asks, verb: w.answerVerb };
  if (plan_path !== undefined) return { title: w.plan };
  return { title: tool_name === 'loop_detection' ? w.loop : w.other };
}

export type OfferedAnswers = {
  readonly once: Choice | undefined;
  readonly deny: Choice | undefined;
  /** Answers for more than this one call. They never stand on the first level. */
  readonly wider: readonly Choice[];
};

type Choice = OpenQuestion['confirmation_request']['options'][number];

/** The external editor is left out: it would open in the terminal. */
export function offeredAnswers({ confirmation_request }: OpenQuestion): OfferedAnswers {
  const options = confirmation_request.options.filter(({ id }) => id !== 'modify_with_editor');
  const deny = options.find(({ id }) => id === 'cancel');
  const once = options.find(({ id }) => id === 'proceed_once') ?? options.find((option) => option !== deny);
  return { once, deny, wider: options.filter((option) => option !== once && option !== deny) };
}

/** What an answered question was about, as the subject of a sentence. */
export function subjectOf({ input_parameters }: WireToolCall): string {
  const { file_path: file, command } = input_parameters;
  if (typeof file === 'string') return w.theChange(file.split('/').slice(-2).join('/'));
  return command === undefined ? w.theQuestion : w.theCommand;
}
