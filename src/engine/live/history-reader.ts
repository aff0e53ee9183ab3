import type { LogLevel } from '../../domain/events.js';
import type { EngineEvent } from '../engine.js';
import type { CliHistoryItem } from './cli-types.js';
import type { Terminal } from './terminal.js';

const levels: Readonly<Record<string, LogLevel>> = { info: 'info', warning: 'warn', error: 'error' };

/** Finds new output in the terminal: results of slash commands, notices, warnings. */
export class HistoryReader {
  readonly #terminal: Terminal;
  #read: readonly CliHistoryItem[] = [];
  #lastId: number;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#read = terminal.history;
    this.#lastId = newestId(terminal.history);
  }

  news(): EngineEvent[] {
    const { history } = this.#terminal;
    if (history === this.#read) return [];
    const fresh = history.filter((item) => (item.id ?? 0) > this.#lastId);
    this.#read = history;
    this.#lastId = Math.max(this.#lastId, newestId(history));
    return fresh.flatMap((item) => this.#toEvent(item));
  }

  #toEvent(item: CliHistoryItem): EngineEvent[] {
    const level = levels[item.type];
    if (level === undefined || typeof item.text !== 'string' || this.#terminal.isOurs(item)) return [];
    return [{ type: 'log', level, text: item.text }];
  }
}

function newestId(history: readonly CliHistoryItem[]): number {
  return history.at(-1)?.id ?? 0;
}
