import { createHash } from 'node:crypto';
import type { Answer, Resolution } from '../../domain/tool-call.js';

/** What we keep to recognise a repeated answer; undefined if the client sent no key. */
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
  const content = JSON.stringify([
    optionId,
    newContent ?? null,
    Object.entries(answers).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    feedback ?? null,
  ]);
  return { answerId, digest: digestOf(content) };
}

/** Whether this is the winning answer, sent again. */
export function isSameAnswer(answer: Answer, { key: first }: Resolution): boolean {
  const key = answerKeyOf(answer);
  return key !== undefined && key.answerId === first?.answerId && key.digest === first.digest;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
