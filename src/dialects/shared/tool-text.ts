import type { ToolOutput } from '../../domain/tool-call.js';
import { unreachable } from '../../util/unreachable.js';

/** The output of a tool, for dialects in which a result is text. */
export function outputText(output: ToolOutput): string {
  switch (output.kind) {
    case 'text':
      return output.text;
    case 'diff':
      return output.diff.formatted ?? output.diff.newContent;
    case 'data':
      return JSON.stringify(output.data);
    default:
      return unreachable(output);
  }
}

/** A thought, for dialects in which it is text. */
export function thoughtText({ subject, description }: { subject: string; description: string }): string {
  return [subject, description].filter((text) => text !== '').join(': ');
}
