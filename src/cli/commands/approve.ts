import { createInterface } from 'node:readline/promises';
import { CosessionError } from '../../client/transport/cosession-error.js';
import type { AnswerDetails, ClientSession } from '../../client/session.js';
import type { OpenQuestion } from '../../client/wire-tool-call.js';
import { revealLine } from '../../util/text/reveal.js';
import { UsageError } from '../../util/usage-error.js';
import type { GivenTo } from '../argv/commands.js';
import { openSession } from '../find/open-session.js';
import type { Io } from '../view/io.js';
import { editText } from '../view/input/editor.js';
import { answerChoices, choose } from '../view/question/choices.js';
import { questionLines } from '../view/question/question-lines.js';
import { styleOf } from '../view/text/style.js';

/** `cosession approve [url] [option]`: answers the open question. Without an option, it shows the question and asks. */
export async function approve(given: GivenTo<'approve'>, io: Io): Promise<number> {
  const [word] = given.words;
  const session = await openSession(io, given);
  try {
    const call = findQuestion(session, given.flags.call);
    io.stdout.write(`${questionLines(call, styleOf(io.useColor)).join('\n')}\n`);
    const chosen = word ?? (await ask(io));
    const choice = choose(call, chosen);
    if (!choice) throw new UsageError(`"${chosen}" is not one of the options: ${list(call)}`);
    if (choice.option === 'edit') await session.approve(call.tool_call_id, undefined, await edited(call, io));
    else await session.approve(call.tool_call_id, choice.option.id);
    io.stdout.write(`Answered: ${choice.name}\n`);
    return 0;
  } finally {
    session.close();
  }
}

function findQuestion({ pending }: ClientSession, callId: string | undefined): OpenQuestion {
  const [first, ...more] = callId === undefined ? pending : pending.filter((call) => call.tool_call_id === callId);
  if (!first) throw new CosessionError('unknown-tool-call', 'no question is open');
  if (more.length === 0) return first;
  const lines = pending.map((call) => `  ${revealLine(call.tool_call_id)}  ${revealLine(call.tool_name)}`);
  throw new UsageError(`${pending.length} questions are open; name one with --call:\n${lines.join('\n')}`);
}

async function ask({ stdin, stdout }: Io): Promise<string> {
  if (!stdin.isTTY) throw new UsageError('say which option: cosession approve <number or id>');
  const lines = createInterface({ input: stdin, output: stdout });
  try {
    return (await lines.question('Your answer: ')).trim();
  } finally {
    lines.close();
  }
}

/** The user's own version of the proposed file. */
async function edited({ confirmation_request: { details } }: OpenQuestion, io: Io): Promise<AnswerDetails> {
  if (!('file_edit_details' in details)) return {};
  const { file_name: name, new_content: proposed } = details.file_edit_details;
  const newContent = await editText(proposed, name, io.env);
  if (newContent === undefined) throw new UsageError('the editor failed; nothing was answered');
  return newContent === proposed ? {} : { newContent };
}

function list(call: OpenQuestion): string {
  return answerChoices(call)
    .map(({ option, key }, index) => `${index + 1} (${option === 'edit' ? key : revealLine(option.id)})`)
    .join(', ');
}
