import type { ConfirmationDetails, OpenQuestion } from '../../../client/wire-tool-call.js';
import { reveal, revealLine } from '../../../util/text/reveal.js';
import { diffLines } from '../text/diff-lines.js';
import type { Style } from '../text/style.js';
import { agentQuestionLines, agentQuestions } from './agent-questions.js';
import { answerChoices } from './choices.js';

/** At most this many lines of a file or of parameters are shown; the rest is counted. A command is always shown in full. */
const maxLines = 200;

/** The lines that show a question. They hide nothing that the decision depends on, and none can pass for a line of ours. */
export function questionLines(call: OpenQuestion, style: Style): string[] {
  const { bold, yellow } = style;
  const { title, lines } = describe(call, style);
  return [
    yellow(bold(`? ${title}`)),
    ...lines.map((line) => `${yellow('│')} ${line}`),
    ...(agentQuestions(call).length > 0 ? [style.dim('  Esc dismisses')] : choiceLines(call, style)),
  ];
}

function choiceLines(call: OpenQuestion, { cyan, dim }: Style): string[] {
  const { details } = call.confirmation_request;
  const isPlan = 'generic_details' in details && details.generic_details.plan_path !== undefined;
  return [
    ...answerChoices(call).map(
      ({ name, key }, index) => `  ${cyan(`${index + 1})`)} ${name}${key ? dim(` [${key}]`) : ''}`,
    ),
    ...(isPlan ? [dim('  or type what to change in the plan')] : []),
  ];
}

type Description = { title: string; lines: string[] };

function describe(call: OpenQuestion, style: Style): Description {
  const name = revealLine(call.tool_name);
  const details: ConfirmationDetails = call.confirmation_request.details;
  if ('execute_details' in details) {
    const { command, working_directory: folder } = details.execute_details;
    const where = folder === undefined ? [] : [style.dim(`in ${revealLine(folder)}`)];
    return { title: `${name} wants to run`, lines: [...reveal(command).split('\n'), ...where] };
  }
  if ('file_edit_details' in details) {
    const diff = details.file_edit_details;
    return { title: `${name} wants to write ${revealLine(diff.file_path)}`, lines: cut(diffLines(diff, style)) };
  }
  if ('mcp_details' in details) {
    const { server_name, tool_name } = details.mcp_details;
    const title = `the tool ${revealLine(tool_name)} of the server ${revealLine(server_name)} wants to run with`;
    return { title, lines: parameters(call) };
  }
  if ('generic_details' in details) {
    const asked = agentQuestions(call);
    if (asked.length > 0) return { title: `${name} asks`, lines: cut(asked.flatMap(agentQuestionLines)) };
    const { description, plan_path: plan } = details.generic_details;
    const path = plan === undefined || description.includes(plan) ? [] : [revealLine(plan)];
    return { title: `${name} asks`, lines: [...cut(reveal(description).split('\n')), ...path] };
  }
  return { title: `${name} asks`, lines: parameters(call) };
}

function parameters({ input_parameters }: OpenQuestion): string[] {
  return cut(reveal(JSON.stringify(input_parameters, null, 2)).split('\n'));
}

function cut(lines: readonly string[]): string[] {
  if (lines.length <= maxLines) return [...lines];
  return [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines; the terminal shows them all`];
}
