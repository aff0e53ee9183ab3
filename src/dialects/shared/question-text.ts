import { allowOnceOption, type ApprovalDetails, cancelOption, type WaitingCall } from '../../domain/tool-call.js';
import { reveal, revealLine } from '../../util/text/reveal.js';
import { unreachable } from '../../util/unreachable.js';
import { choicesOf, type Question, readQuestions } from './agent-questions.js';

/** For a diff or parameters; a command is always shown in full. */
const maxLength = 64 * 1024;

/**
 * The open questions as text: what would happen, what the options are, how to answer. The content to decide on is quoted
 * and its hidden characters are revealed, so it cannot pass as our own text. Pure.
 */
export function questionText(open: readonly WaitingCall[]): string {
  const [first, second] = open;
  if (!first) return '';
  if (!second) return oneQuestion(first);
  const how = `${open.length} questions are open. Begin an answer with the id of its call, such as "${first.id}: no".`;
  return [
    how,
    ...open.map((call, index) => `Question ${index + 1}, ${revealLine(call.id)}:\n${oneQuestion(call)}`),
  ].join('\n\n');
}

function oneQuestion(call: WaitingCall): string {
  const { details } = call.approval;
  const { title, shown } = describe(call, details);
  const questions = details.kind === 'questions' ? readQuestions(details.questions) : [];
  const choices = details.kind === 'questions' ? questions.flatMap(questionLines) : optionLines(call);
  return [title, ...quote(shown), ...choices, ...howToAnswer(call, questions.length)].join('\n');
}

type Described = { readonly title: string; readonly shown: string };

function describe({ name, args }: WaitingCall, details: ApprovalDetails): Described {
  const tool = revealLine(name);
  switch (details.kind) {
    case 'execute': {
      const { command, workingDirectory: folder } = details;
      const where = folder === undefined ? '' : ` in ${revealLine(folder)}`;
      return { title: `Permission needed: ${tool} wants to run${where}`, shown: command };
    }
    case 'edit': {
      const { filePath, oldContent, newContent, formatted } = details.diff;
      const verb = oldContent === undefined ? 'create' : 'change';
      const title = `Permission needed: ${tool} wants to ${verb} ${revealLine(filePath)}`;
      return { title, shown: cut(formatted ?? newContent) };
    }
    case 'mcp': {
      const what = `the tool ${revealLine(details.toolName)} of the MCP server ${revealLine(details.serverName)}`;
      return { title: `Permission needed: ${what} wants to run with`, shown: cut(JSON.stringify(args, null, 2)) };
    }
    case 'generic':
      return { title: `Permission needed: ${tool} asks`, shown: cut(details.description) };
    case 'plan':
      return { title: `${tool} asks`, shown: cut(details.description) };
    case 'questions':
      return { title: 'The agent asks', shown: '' };
    default:
      return unreachable(details);
  }
}

function optionLines({ approval }: WaitingCall): string[] {
  return approval.options.map(({ id, name }, index) => `${index + 1}. ${revealLine(name)} [${revealLine(id)}]`);
}

function questionLines(question: Question): string[] {
  const choices = choicesOf(question).map(({ label, description }, index) => {
    const more = description === undefined ? '' : `: ${revealLine(description)}`;
    return `${index + 1}. ${revealLine(label)}${more}`;
  });
  return [...quote(cut(question.question)), ...choices];
}

function howToAnswer({ id, approval }: WaitingCall, questions: number): string[] {
  const { options, details } = approval;
  const part = (fields: string): string => `Or send a data part: {"tool_call_id": ${JSON.stringify(id)}, ${fields}}`;
  if (details.kind === 'questions') {
    const words =
      questions > 1 ? 'one line for each question, in this order' : 'the number or name of a choice, or your own words';
    return [
      `Answer with a text message to this task: ${words}; "${cancelOption}" dismisses it.`,
      part(`"selected_option_id": "proceed_once", "answers": {"0": "…"}`),
    ];
  }
  const mayAgree = options.some((option) => option.id === allowOnceOption);
  const plain = mayAgree ? ', or yes (this once) or no' : ', or no';
  const feedback = details.kind === 'plan' ? '; anything else is said about the plan, which is then not accepted' : '';
  return [
    `Answer with a text message to this task: the number, id or name of an option${plain}${feedback}.`,
    part('"selected_option_id": "…"'),
  ];
}

function quote(text: string): string[] {
  return text === ''
    ? []
    : reveal(text)
        .split('\n')
        .map((line) => `│ ${line}`);
}

function cut(text: string): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength)}\n… ${text.length - maxLength} more characters; with the development-tool extension all of it is in the data`;
}
