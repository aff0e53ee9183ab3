import {
  allowOnceOption,
  type Approval,
  type ApprovalDetails,
  type ApprovalOption,
  cancelOption,
} from '../../domain/tool-call.js';
import type { CoreConfirmation, CoreQuestion } from './core-types.js';

/** What a question depends on besides core's message: the options that the Gemini CLI offers, and the files on disk. */
export type ApprovalRules = {
  /** The folder is trusted and no administrator has disabled "always". */
  readonly mayAllowSession: boolean;
  /** The user's settings allow approvals to be saved for later sessions. */
  readonly mayAllowForever: boolean;
  /** Core shows a new file like an empty one. */
  readonly fileExists: (path: string) => boolean;
  /** The text of a plan, which core only names. Undefined if it cannot be shown. */
  readonly readPlan: (path: string) => string | undefined;
};

/**
 * The question, with the options and names of the Gemini CLI's own dialog. The external editor is not offered, because
 * it opens in the terminal: clients send their version of the file with `proceed_once`.
 */
export function translateApproval(asked: CoreConfirmation, rules: ApprovalRules): Approval {
  return { options: optionsFor(asked, rules), details: detailsOf(asked, rules) };
}

const once: ApprovalOption = { id: allowOnceOption, name: 'Allow once' };
const session: ApprovalOption = { id: 'proceed_always', name: 'Allow for this session' };
const no: ApprovalOption = { id: cancelOption, name: 'No, suggest changes (esc)' };
const forever = (name: string): ApprovalOption => ({ id: 'proceed_always_and_save', name });

function optionsFor(asked: CoreConfirmation, rules: ApprovalRules): ApprovalOption[] {
  const always = (allowed: boolean, options: ApprovalOption[], save: string): ApprovalOption[] => {
    if (!allowed || !rules.mayAllowSession) return [];
    return rules.mayAllowForever ? [...options, forever(save)] : options;
  };
  switch (asked.type) {
    case 'edit':
      return [once, ...always(!asked.isBuildFile, [session], 'Allow for this file in all future sessions'), no];
    case 'exec': {
      const isRisky = (asked.untrustedFlags?.length ?? 0) > 0 || (asked.modifiedBuildFiles?.length ?? 0) > 0;
      return [once, ...always(!isRisky, [session], 'Allow this command for all future sessions'), no];
    }
    case 'mcp': {
      const tool = { id: 'proceed_always_tool', name: 'Allow tool for this session' };
      const server = { id: 'proceed_always_server', name: 'Allow all server tools for this session' };
      return [once, ...always(true, [tool, server], 'Allow tool for all future sessions'), no];
    }
    case 'ask_user':
      return [
        { id: allowOnceOption, name: 'Submit answers' },
        { id: cancelOption, name: 'Dismiss' },
      ];
    case 'exit_plan_mode':
      return [
        { id: allowOnceOption, name: 'Accept the plan' },
        { id: cancelOption, name: 'Keep planning (esc)' },
      ];
    // `info`, `sandbox_expansion`, and kinds that later releases may add
    default:
      return [once, ...always(true, [session], 'Allow for all future sessions'), no];
  }
}

function detailsOf(asked: CoreConfirmation, { fileExists, readPlan }: ApprovalRules): ApprovalDetails {
  switch (asked.type) {
    case 'exec':
    case 'sandbox_expansion':
      return { kind: 'execute', command: asked.command };
    case 'edit': {
      const { fileName, filePath, originalContent: old, newContent, fileDiff: formatted } = asked;
      const isNew = old === null || (old === '' && !fileExists(filePath));
      const diff = { fileName, filePath, ...(isNew ? {} : { oldContent: old }), newContent, formatted };
      return { kind: 'edit', diff };
    }
    case 'mcp':
      return { kind: 'mcp', serverName: asked.serverName, toolName: asked.toolName };
    case 'info':
      return { kind: 'generic', description: [asked.prompt, ...(asked.urls ?? [])].join('\n') };
    case 'ask_user':
      return { kind: 'questions', description: asked.questions.map(asLine).join('\n'), questions: asked.questions };
    case 'exit_plan_mode': {
      const { planPath } = asked;
      const plan = readPlan(planPath);
      const description = `Accept the plan in ${planPath}?${plan === undefined ? '' : `\n\n${plan.trim()}`}`;
      return { kind: 'plan', description, planPath };
    }
    default:
      return { kind: 'generic', description: JSON.stringify(asked) };
  }
}

function asLine({ question, options }: CoreQuestion, index: number): string {
  const choices = (options ?? []).map((option) => option.label).join(' / ');
  return `${index}. ${question}${choices === '' ? '' : ` (${choices})`}`;
}
