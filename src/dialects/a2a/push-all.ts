/**
 * An extension of ours: webhooks that are registered by a request that names it are told of every update, not only when the
 * task waits or is over. A2A has no field to ask for that, and this header is the same in both versions, on every transport.
 */
export const pushAllUri = 'https://github.com/google-gemini/gemini-cli/a2a/extensions/push-all-updates/v1';
