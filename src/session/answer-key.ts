import { createHash } from 'node:crypto';
import type { Answer, Resolution } from '../domain/tool-call.js';

/** What is kept of an answer to know it again; nothing when its client gave it no key. */
export function answerKeyOf({
  answerId,
  words,
  optionId,
  newContent,
  answers = {},
  feedback,
}: Answer): Resolution['key'] {
  if (answerId === undefined) return undefined;
  if (words !== undefined) return { answerId, digest: digestOf(words), isMessage: true };
  const said = JSON.stringify([
    optionId,
    newContent ?? null,
    Object.entries(answers).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    feedback ?? null,
  ]);
  return { answerId, digest: digestOf(said) };
}

/** Whether an answer is the one that won, sent again. */
export function isSameAnswer(answer: Answer, { key: first }: Resolution): boolean {
  const key = answerKeyOf(answer);
  return key !== undefined && key.answerId === first?.answerId && key.digest === first.digest;
}

function digestOf(said: string): string {
  return createHash('sha256').update(said).digest('base64');
}
