const gemini = 1_048_576;
const gemma = 256_000;

/** The size of a model's context window in tokens; undefined for an unknown model. */
export function contextWindowOf(model: string): number | undefined {
  if (/^(gemini-(2\.5|3)|auto\b|pro$|flash(-lite)?$)/.test(model)) return gemini;
  return model.startsWith('gemma-4') ? gemma : undefined;
}
