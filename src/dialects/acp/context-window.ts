const gemini = 1_048_576;
const gemma = 256_000;

/** How many tokens a model can see at once; undefined when we do not know the model. */
export function contextWindowOf(model: string): number | undefined {
  if (/^(gemini-(2\.5|3)|auto\b|pro$|flash(-lite)?$)/.test(model)) return gemini;
  return model.startsWith('gemma-4') ? gemma : undefined;
}
