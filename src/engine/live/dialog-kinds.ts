import { allowOnceOption, cancelOption } from '../../domain/tool-call.js';
import type { CliActionQuestion, CliLoopQuestion, CliShellQuestion } from './cli-types.js';
import { type DialogKind, yesOrNoQuestion } from './dialog-question.js';

/** Asks whether a turn that seems to loop may continue. */
export const loopDialog: DialogKind<CliLoopQuestion> = {
  name: 'loop_detection',
  approvalOf: () => ({
    options: [
      { id: 'disable', name: 'Disable loop detection for this session' },
      { id: cancelOption, name: 'Keep loop detection enabled (esc)' },
    ],
    details: { kind: 'generic', description: 'A potential loop was detected. Continue anyway?' },
  }),
  answer: (asked, optionId) => asked.onComplete({ userSelection: optionId === 'disable' ? 'disable' : 'keep' }),
  guardAnswer(asked, mayAnswer) {
    const complete = asked.onComplete.bind(asked);
    asked.onComplete = (result) => {
      if (mayAnswer(result.userSelection === 'disable' ? 'disable' : cancelOption)) complete(result);
    };
  },
};

/** Asks whether a custom command may run the shell commands in its text. */
export const shellDialog: DialogKind<CliShellQuestion> = {
  name: 'shell_expansion',
  approvalOf: ({ commands, command }) => ({
    options: [
      { id: allowOnceOption, name: 'Allow once' },
      { id: 'proceed_always', name: 'Allow for this session' },
      { id: cancelOption, name: 'No, suggest changes (esc)' },
    ],
    details: { kind: 'execute', command: (commands ?? [command]).join('\n') },
  }),
  answer: (asked, optionId) => void asked.onConfirm(optionId),
  guardAnswer(asked, mayAnswer) {
    const confirm = asked.onConfirm.bind(asked);
    asked.onConfirm = async (outcome) => {
      if (mayAnswer(outcome)) await confirm(outcome);
    };
  },
};

/** A command asks for confirmation before it does something. */
export const actionDialog: DialogKind<CliActionQuestion> = {
  name: 'command_confirmation',
  approvalOf: ({ prompt }) => yesOrNoQuestion(textOf(prompt) || 'The command asks for confirmation.'),
  answer: (asked, optionId) => asked.onConfirm(optionId !== cancelOption),
  guardAnswer(asked, mayAnswer) {
    const confirm = asked.onConfirm.bind(asked);
    asked.onConfirm = (confirmed) => {
      if (mayAnswer(confirmed ? allowOnceOption : cancelOption)) confirm(confirmed);
    };
  },
};

/** The text of a React node. */
function textOf(node: unknown): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node !== 'object' || node === null || !('props' in node)) return '';
  const { props } = node;
  return typeof props === 'object' && props !== null && 'children' in props ? textOf(props.children) : '';
}
