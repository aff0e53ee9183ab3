import * as z from 'zod';
import type { Choice } from '../../../domain/choices.js';
import { maybe } from './maybe.js';

const text = z.string();
const about = { name: text, description: maybe(text) };

const modeChoice = z.object({ id: text, ...about }).transform(({ id, ...rest }) => toChoice(id, rest));
const modelChoice = z.object({ modelId: text, ...about }).transform(({ modelId, ...rest }) => toChoice(modelId, rest));
const optionChoice = z.object({ value: text, ...about }).transform(({ value, ...rest }) => toChoice(value, rest));
const optionGroup = z.object({ options: z.array(optionChoice) }).transform(({ options }) => options);

export const modes = z
  .object({ currentModeId: text, availableModes: maybe(z.array(modeChoice)) })
  .transform(({ currentModeId: current, availableModes: choices }) => ({ current, choices }));

/** Removed from the protocol, but still sent by Gemini, Qwen and Codex. */
export const models = z
  .object({ currentModelId: text, availableModels: maybe(z.array(modelChoice)) })
  .transform(({ currentModelId: current, availableModels: choices }) => ({ current, choices }));

/** Values may come in groups. The names of the groups are not shown to anyone. */
export const configOptions = z.array(
  z.object({
    id: text,
    name: text.catch(''),
    category: maybe(text),
    currentValue: maybe(text),
    options: maybe(z.array(z.union([optionChoice, optionGroup])).transform((list) => list.flat())),
  }),
);

function toChoice(
  id: string,
  { name, description }: { name: string; description?: string | null | undefined },
): Choice {
  return { id, name, ...(description ? { description } : {}) };
}
