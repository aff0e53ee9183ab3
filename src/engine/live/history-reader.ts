import type { LogLevel } from '../../domain/events.js';
import type { EngineEvent } from '../engine.js';
import type { CliHistoryItem } from './cli-types.js';
import { forClients } from './client-commands.js';
import { itemText } from './drawn/item-text.js';
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

  /** `isAnswer`: a client's command is running, so what the terminal prints is its answer. */
  news(isAnswer: boolean): EngineEvent[] {
    const { history } = this.#terminal;
    if (history === this.#read) return [];
    const fresh = history.filter((item) => (item.id ?? 0) > this.#lastId);
    this.#read = history;
    this.#lastId = Math.max(this.#lastId, newestId(history));
    return fresh.flatMap((item) => this.#toEvent(item, isAnswer));
  }

  #toEvent(item: CliHistoryItem, isAnswer: boolean): EngineEvent[] {
    if (this.#terminal.isOurs(item)) return [];
    const level = levels[item.type] ?? 'info';
    const text = item.type in levels ? item.text : this.#drawn(item);
    if (typeof text !== 'string' || text === '') return [];
    return isAnswer && level === 'info' ? [{ type: 'text', text: `${text}\n` }] : [{ type: 'log', level, text }];
  }

  #drawn(item: CliHistoryItem): string | undefined {
    const { commands, stats } = this.#terminal;
    return itemText(item, { commands: forClients(commands ?? []), stats });
  }
}

function newestId(history: readonly CliHistoryItem[]): number {
  return history.at(-1)?.id ?? 0;
}
