import type { ConfirmationDetails, OpenQuestion, WireFileDiff, WireOption } from '../../client/wire-tool-call.js';
import { reveal, revealLine } from '../../util/reveal.js';
import type { Style } from './style.js';

/** At most this many lines of a file or of parameters are shown; the rest is counted. A command is always shown in full. */
const maxLines = 200;

/** The lines that show a question. They hide nothing that the decision depends on, and none can pass for a line of ours. */
export function questionLines(call: OpenQuestion, style: Style): string[] {
  const { bold, yellow, cyan } = style;
  const { title, lines } = describe(call, style);
  return [
    yellow(bold(`? ${title}`)),
    ...lines.map((line) => `${yellow('│')} ${line}`),
    ...optionsOf(call).map(({ name }, index) => `  ${cyan(`${index + 1})`)} ${revealLine(name)}`),
  ];
}

/** The options of a question. */
export function optionsOf({ confirmation_request }: OpenQuestion): readonly WireOption[] {
  return confirmation_request.options;
}

/** Finds an option by its number or its id. */
export function chooseOption(call: OpenQuestion, word: string): WireOption | undefined {
  const options = optionsOf(call);
  return /^\d+$/.test(word) ? options[Number(word) - 1] : options.find(({ id }) => id === word);
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
  if ('file_edit_details' in details) return describeEdit(name, details.file_edit_details, style);
  if ('mcp_details' in details) {
    const { server_name, tool_name } = details.mcp_details;
    const title = `the tool ${revealLine(tool_name)} of the server ${revealLine(server_name)} wants to run with`;
    return { title, lines: parameters(call) };
  }
  if ('generic_details' in details) {
    const { description, plan_path: plan } = details.generic_details;
    const path = plan === undefined || description.includes(plan) ? [] : [revealLine(plan)];
    return { title: `${name} asks`, lines: [...cut(reveal(description).split('\n')), ...path] };
  }
  return { title: `${name} asks`, lines: parameters(call) };
}

function describeEdit(name: string, diff: WireFileDiff, { red, green }: Style): Description {
  const lines = reveal(diff.formatted_diff ?? diff.new_content).split('\n');
  const paint = (line: string): string =>
    line.startsWith('+') ? green(line) : line.startsWith('-') ? red(line) : line;
  return { title: `${name} wants to write ${revealLine(diff.file_path)}`, lines: cut(lines).map(paint) };
}

function parameters({ input_parameters }: OpenQuestion): string[] {
  return cut(reveal(JSON.stringify(input_parameters, null, 2)).split('\n'));
}

function cut(lines: readonly string[]): string[] {
  if (lines.length <= maxLines) return [...lines];
  return [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines; the terminal shows them all`];
}
