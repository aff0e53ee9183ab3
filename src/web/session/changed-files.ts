import { isOpenQuestion, type WireToolCall } from '../../client/client.js';
import { outcomeOf } from '../question/outcome.js';
import { deskWords as w } from '../words/sides.js';
import type { StoryTurn } from '../story/story.js';

const writers = new Set(['write_file', 'replace']);

/** The files that the agent wrote or wants to write, each as it stands now. The one that was touched last comes last. */
export function changedFiles(
  turns: readonly StoryTurn[],
  workspace: string | undefined,
): readonly { path: string; stand: string }[] {
  const files = new Map<string, string>();
  for (const { blocks } of turns) {
    for (const block of blocks) {
      const named = block.kind === 'tool' ? writtenBy(block.call) : undefined;
      if (block.kind !== 'tool' || named === undefined) continue;
      const path = inWorkspace(named, workspace);
      files.delete(path);
      files.set(path, standOf(block.call));
    }
  }
  return Array.from(files, ([path, stand]) => ({ path, stand }));
}

function writtenBy({ tool_name, input_parameters, ...call }: WireToolCall): string | undefined {
  // Other engines have tools of other names; what they wrote is seen by its diff.
  if ('output' in call && 'diff' in call.output) return call.output.diff.file_path;
  const { file_path: path } = input_parameters;
  return writers.has(tool_name) && typeof path === 'string' ? path : undefined;
}

/** A model may name a file by its place in the workspace; the tool's result has the whole path. */
function inWorkspace(path: string, workspace: string | undefined): string {
  const isWhole = /^([/\\]|[a-z]:)/i.test(path);
  return isWhole || workspace === undefined ? path : `${workspace}/${path.replace(/^\.\//, '')}`;
}

function standOf(call: WireToolCall): string {
  if (isOpenQuestion(call)) return w.asked;
  const stands = {
    PENDING: w.asked,
    EXECUTING: w.running,
    SUCCEEDED: w.written,
    FAILED: w.failed,
    CANCELLED: outcomeOf(call).isDenied ? w.denied : w.stopped,
  };
  return stands[call.status];
}
