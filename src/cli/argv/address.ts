/** A word of a prompt seldom looks like this; `--` is for when it does. */
const address = /^(?:(?:https?|wss?):\/\/|(?:localhost|127\.0\.0\.1|\[::1\]):\d+(?:\/|$))/i;

export function isAddress(word: string | undefined): word is string {
  return word !== undefined && address.test(word);
}
