import * as z from 'zod';

const questionSchema = z.object({
  question: z.string(),
  header: z.string().optional(),
  type: z.string().optional(),
  multiSelect: z.boolean().optional(),
  placeholder: z.string().optional(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })).optional(),
});

/** A question that the agent asks its user. */
export type Question = z.infer<typeof questionSchema>;

export type QuestionChoice = NonNullable<Question['options']>[number];

export function readQuestions(questions: readonly unknown[]): Question[] {
  return questions.flatMap((given) => questionSchema.safeParse(given).data ?? []);
}

/** The available choices; empty if the answer has to be typed. */
export function choicesOf({ type, options = [] }: Question): readonly QuestionChoice[] {
  return type === 'yesno' ? [{ label: 'Yes' }, { label: 'No' }] : type === 'text' ? [] : options;
}
