import type { Approval, ApprovalDetails, ApprovalOption } from '../../domain/tool-call.js';
import type { CoreConfirmation, CoreQuestion } from './core-types.js';

/** What decides which options the Gemini CLI offers beside yes and no. */
export type ApprovalRules = {
  /** The folder is trusted and "always" is not disabled by an administrator. */
  readonly mayAllowSession: boolean;
  /** The user's setting lets approvals be saved for later sessions. */
  readonly mayAllowForever: boolean;
  readonly mayEdit: boolean;
};

/** The question with exactly the options, and the names, that the Gemini CLI's own dialog shows. */
export function translateApproval(asked: CoreConfirmation, rules: ApprovalRules): Approval {
  return { options: optionsFor(asked, rules), details: detailsOf(asked) };
}

const once: ApprovalOption = { id: 'proceed_once', name: 'Allow once' };
const session: ApprovalOption = { id: 'proceed_always', name: 'Allow for this session' };
const no: ApprovalOption = { id: 'cancel', name: 'No, suggest changes (esc)' };
const forever = (name: string): ApprovalOption => ({ id: 'proceed_always_and_save', name });

function optionsFor(asked: CoreConfirmation, rules: ApprovalRules): ApprovalOption[] {
  const always = (allowed: boolean, options: ApprovalOption[], save: string): ApprovalOption[] => {
    if (!allowed || !rules.mayAllowSession) return [];
    return rules.mayAllowForever ? [...options, forever(save)] : options;
  };
  switch (asked.type) {
    case 'edit':
      return [
        once,
        ...always(!asked.isBuildFile, [session], 'Allow for this file in all future sessions'),
        ...(rules.mayEdit ? [{ id: 'modify_with_editor', name: 'Modify with external editor' }] : []),
        no,
      ];
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
        { id: 'proceed_once', name: 'Submit answers' },
        { id: 'cancel', name: 'Dismiss' },
      ];
    case 'exit_plan_mode':
      return [
        { id: 'proceed_once', name: 'Accept the plan' },
        { id: 'cancel', name: 'Keep planning (esc)' },
      ];
    // `info`, `sandbox_expansion`, and kinds a later release may add
    default:
      return [once, ...always(true, [session], 'Allow for all future sessions'), no];
  }
}

function detailsOf(asked: CoreConfirmation): ApprovalDetails {
  switch (asked.type) {
    case 'exec':
    case 'sandbox_expansion':
      return { kind: 'execute', command: asked.command };
    case 'edit':
      return {
        kind: 'edit',
        diff: {
          fileName: asked.fileName,
          filePath: asked.filePath,
          ...(asked.originalContent === null ? {} : { oldContent: asked.originalContent }),
          newContent: asked.newContent,
          formatted: asked.fileDiff,
        },
      };
    case 'mcp':
      return { kind: 'mcp', serverName: asked.serverName, toolName: asked.toolName };
    case 'info':
      return { kind: 'generic', description: [asked.prompt, ...(asked.urls ?? [])].join('\n') };
    case 'ask_user':
      return { kind: 'questions', description: asked.questions.map(asLine).join('\n'), questions: asked.questions };
    case 'exit_plan_mode':
      return { kind: 'plan', description: `Accept the plan in ${asked.planPath}?`, planPath: asked.planPath };
    default:
      return { kind: 'generic', description: JSON.stringify(asked) };
  }
}

function asLine({ question, options }: CoreQuestion, index: number): string {
  const choices = (options ?? []).map((option) => option.label).join(' / ');
  return `${index}. ${question}${choices === '' ? '' : ` (${choices})`}`;
}
