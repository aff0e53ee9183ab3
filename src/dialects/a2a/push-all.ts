/**
 * Our own extension: a webhook registered by a request that names it gets every update, not only those when the task waits or
 * ends. A2A has no field for that, and the extensions header is the same in both versions and on every transport.
 */
export const pushAllUri = 'https://github.com/google-gemini/gemini-cli/a2a/extensions/push-all-updates/v1';
