/** The development-tool extension (RFC 3.1). Its version is the `v0` in the URI. */
export const extensionUri =
  'https://github.com/google-gemini/gemini-cli/blob/main/docs/a2a/developer-profile/v0/spec.md';
