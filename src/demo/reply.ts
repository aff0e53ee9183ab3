import { defined } from '../util/defined.js';
/** One reply of a scripted model: chunks of parts, in the form of the Gemini API. */
export type ScriptedReply = {
  readonly chunks: readonly (readonly Part[])[];
  readonly pauseMs?: number;
  readonly citations?: readonly string[];
  /** The connection is cut after this many chunks. */
  readonly cutAfter?: number;
  /** The last chunk waits for this. */
  readonly holdLast?: Promise<unknown>;
  readonly error?: { readonly status: number; readonly message: string };
};

export type Part =
  | { readonly text: string; readonly thought?: true }
  | {
      readonly functionCall: {
        readonly name: string;
        readonly args: Readonly<Record<string, unknown>>;
        /** Not every model sends one. */
        readonly id?: string;
      };
    };

export function say(text: string): Part {
  return { text };
}

/** A thought. The Gemini CLI takes the bold beginning as its subject. */
export function think(subject: string, description: string): Part {
  return { text: `**${subject}** ${description}`, thought: true };
}

export function call(name: string, args: Readonly<Record<string, unknown>>, id?: string): Part {
  return { functionCall: { name, args, ...defined({ id }) } };
}

/** Splits a text into chunks of a few words, as a model streams it. */
export function stream(text: string): (readonly Part[])[] {
  return (text.match(/\S+\s+\S*\s*\S*\s*|\S+/g) ?? [text]).map((words) => [say(words)]);
}
