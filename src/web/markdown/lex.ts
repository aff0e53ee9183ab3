import type { Token } from 'marked';

type Lexer = (text: string) => readonly Token[];

/** A text that grows: its finished blocks, where they end, and the blocks that may still change. */
export type Lexed = { readonly done: readonly Token[]; readonly end: number; readonly rest: readonly Token[] };

/** The last blocks of a growing text may become something else: a paragraph a table, a list a longer one. */
const unfinished = 2;

export const nothingLexed: Lexed = { done: [], end: 0, rest: [] };

/** Lexes only what is not finished yet. `text` must begin with what `before` was made from. */
export function lexMore(before: Lexed, text: string, lexer: Lexer): Lexed {
  const { done, end } = text.length < before.end ? nothingLexed : before;
  const tokens = lexer(text.slice(end));
  const finished = tokens.slice(0, Math.max(0, tokens.length - unfinished));
  return {
    done: finished.length === 0 ? done : [...done, ...finished],
    end: end + finished.reduce((length, { raw }) => length + raw.length, 0),
    rest: tokens.slice(finished.length),
  };
}
