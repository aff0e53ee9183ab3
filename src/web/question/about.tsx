import type { OpenQuestion } from '../../client/client.js';
import { reveal } from '../../util/text/reveal.js';
import { DiffCount } from '../diff/diff.js';
import { Path, WholePath } from '../ui/path.js';
import { questionWords } from '../words/question.js';

type AboutProps = {
  readonly question: OpenQuestion;
  /** The reader's own version of the file. */
  readonly edited?: string | undefined;
  readonly workspace: string | undefined;
  /** There is room for one line only. */
  readonly isShort?: boolean;
};

/** What a question is about. */
export function About({ question, edited, workspace, isShort = false }: AboutProps) {
  const { confirmation_request, description = '', input_parameters, tool_name } = question;
  const { details } = confirmation_request;
  if ('file_edit_details' in details) {
    const { file_path, old_content, new_content } = details.file_edit_details;
    return (
      <>
        {isShort ? <Path path={reveal(file_path)} /> : <WholePath path={reveal(file_path)} workspace={workspace} />}
        <DiffCount before={old_content ?? ''} after={edited ?? new_content} />
        {old_content === undefined && <em>{questionWords.newFile}</em>}
      </>
    );
  }
  if ('execute_details' in details) {
    // The CLI appends folder and reason to the command; only the reason is wanted here.
    const { description: why } = input_parameters;
    return <span>{reveal(typeof why === 'string' ? why : description)}</span>;
  }
  return <span class="mono">{reveal(tool_name)}</span>;
}
