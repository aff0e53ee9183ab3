import type { Core } from '../core/core.js';

/** Which workspaces the operator trusts: all, none, or those in the user's trusted folders of the Gemini CLI. */
export type TrustRule = boolean | 'settings';

export type TrustQuestion = { readonly workspace: string; readonly folderTrustEnabled: boolean };

/** The server decides trust, never a client. */
export function decideTrust(rule: TrustRule, question: TrustQuestion, core: Core): boolean {
  if (rule !== 'settings') return rule;
  const { workspace, folderTrustEnabled } = question;
  return core.checkPathTrust({ path: workspace, isFolderTrustEnabled: folderTrustEnabled }).isTrusted ?? false;
}
