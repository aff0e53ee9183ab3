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
  connected: 'connected',
  prompted: (characters: number) => `prompted, ${characters} characters`,
  ran: (command: string) => `ran ${command}`,
  answered: (option: string, about: string) =>
    `${(outcomeWords.outcomes[option] ?? outcomeWords.allowed).toLowerCase()}: ${about}`,
  stopped: 'stopped the turn',
  deleted: (task: string) => `deleted ${task}`,
  paired: (token: string) => `gave access: ${token}`,
  ended: (token: string) => `ended access: ${token}`,
  set: (mode: string | undefined, model: string | undefined) =>
    `set ${[...(mode === undefined ? [] : [`the mode to ${mode}`]), ...(model === undefined ? [] : [`the model to ${model}`])].join(' and ')}`,
  drained: (running: number) =>
    `stopped the server${running === 0 ? '' : `; ${running === 1 ? '1 turn' : `${running} turns`} may finish`}`,
  refused: (reason: string, more: number) => `was refused: ${reason}${more === 0 ? '' : `, and ${more} more times`}`,
} as const;
