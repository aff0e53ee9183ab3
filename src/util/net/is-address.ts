/** Words of a prompt rarely look like this. If one does, the user can put `--` before it. */
const address = /^(?:(?:https?|wss?):\/\/|(?:localhost|127\.0\.0\.1|\[::1\]):\d+(?:\/|$))/i;

export function isAddress(word: string | undefined): word is string {
  return word !== undefined && address.test(word);
}
