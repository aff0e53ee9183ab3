import type { FileDiff, ToolOutput } from '../../domain/tool-call.js';
import type { CoreOutput } from './core-types.js';

/** The longest result that is shown. Longer text is cut: core limits what the model sees, not what is displayed. */
const maxResult = 256 * 1024;

export function translateOutput(display: CoreOutput | undefined): ToolOutput {
  if (isRecord(display)) {
    const diff = diffOf(display);
    return diff ? { kind: 'diff', diff } : { kind: 'data', data: display };
  }
  return { kind: 'text', text: cut(plainText(display)) };
}

/** The output of a running tool as text. A pseudo terminal reports lines of styled tokens padded to its width. */
export function plainText(output: CoreOutput | undefined): string {
  if (output === undefined) return '';
  if (typeof output === 'string') return output;
  if (isRecord(output)) return typeof output['summary'] === 'string' ? output['summary'] : JSON.stringify(output);
  const lines = output.map((line) =>
    line
      .map((token) => token.text)
      .join('')
      .trimEnd(),
  );
  return lines.join('\n').trimEnd();
}

function diffOf(display: Record<string, unknown>): FileDiff | undefined {
  const { fileDiff, fileName, filePath, originalContent, newContent, isNewFile } = display;
  if (typeof fileDiff !== 'string' || typeof newContent !== 'string') return undefined;
  return {
    fileName: typeof fileName === 'string' ? fileName : '',
    filePath: typeof filePath === 'string' ? filePath : '',
    ...(typeof originalContent === 'string' && isNewFile !== true ? { oldContent: originalContent } : {}),
    newContent,
    formatted: fileDiff,
  };
}

function cut(text: string): string {
  return text.length <= maxResult ? text : `${text.slice(0, maxResult)}\n… ${text.length - maxResult} characters more`;
}

function isRecord(output: CoreOutput | undefined): output is Record<string, unknown> {
  return typeof output === 'object' && !Array.isArray(output);
}
