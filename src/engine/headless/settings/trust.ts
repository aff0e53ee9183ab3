import type { Core } from '../core.js';

/** What the operator says about workspaces: all, none, or as the user's trusted folders of the Gemini CLI say. */
export type TrustRule = boolean | 'settings';

export type TrustQuestion = { readonly workspace: string; readonly folderTrustEnabled: boolean };

/** Trust is the server's decision, never a client's. */
export function decideTrust(rule: TrustRule, question: TrustQuestion, core: Core): boolean {
  if (rule !== 'settings') return rule;
  const { workspace, folderTrustEnabled } = question;
  return core.checkPathTrust({ path: workspace, isFolderTrustEnabled: folderTrustEnabled }).isTrusted ?? false;
}
