/** The flags of the Gemini CLI that also apply without a terminal. */
export type GeminiWishes = {
  /** If empty, the settings decide. */
  readonly model: string;
  /** `--yolo`: run tools without asking. */
  readonly autoExecute: boolean;
  /** Arguments that have no meaning here. */
  readonly ignored: readonly string[];
};

export function readGeminiWishes(args: readonly string[]): GeminiWishes {
  let model = '';
  let autoExecute = false;
  const ignored: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [name = '', inline] = arg.split(/=(.*)/s);
    if (name === '-m' || name === '--model') model = inline ?? rest.shift() ?? '';
    else if (arg === '-y' || arg === '--yolo' || arg === '--approval-mode=yolo') autoExecute = true;
    else if (arg === '--approval-mode' && rest[0] === 'yolo') autoExecute = rest.shift() === 'yolo';
    else ignored.push(arg);
  }
  return { model, autoExecute, ignored };
}
