import type { Choice } from '../../domain/choices.js';

/** The Gemini CLI's approval modes, by its own ids. */
export const approvalModes = {
  default: { id: 'default', name: 'Default', description: 'Asks before tools change anything' },
  autoEdit: { id: 'autoEdit', name: 'Auto edit', description: 'Edits files without asking' },
  plan: { id: 'plan', name: 'Plan', description: 'Reads and plans, changes nothing' },
  yolo: { id: 'yolo', name: 'YOLO', description: 'Runs every tool without asking' },
} as const satisfies Record<string, Choice>;
