import { outcomeWords } from './session.js';

/** The words of Activity. */
export const activityWords = {
  title: 'Activity',
  what: 'The last 24 hours, from the audit log.',
  nothing: 'Nobody has done anything in the last 24 hours.',
  by: 'Who',
  everybody: 'Everybody',
  somebody: 'somebody',
  terminal: 'terminal',
  prompted: (characters: number) => `prompted, ${characters} characters`,
  ran: (command: string) => `ran ${command}`,
  answered: (option: string, about: string) =>
    `${(outcomeWords.outcomes[option] ?? outcomeWords.allowed).toLowerCase()}: ${about}`,
  stopped: 'stopped the turn',
  deleted: (task: string) => `deleted ${task}`,
  paired: (token: string) => `gave access: ${token}`,
  ended: (token: string) => `ended access: ${token}`,
  refused: (reason: string) => `was refused: ${reason}`,
} as const;
