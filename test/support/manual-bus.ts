import { EventEmitter } from 'node:events';
import type { CoreToolCall } from '../../src/engine/gemini/core-types.js';
import type { CliBusMessage, CliMessageBus } from '../../src/engine/live/cli-types.js';

/** The CLI's message bus as far as tools use it: what is published reaches whoever subscribed. */
export class ManualBus implements CliMessageBus {
  readonly #emitter = new EventEmitter();
  /** What got through to the tools. */
  readonly passed: CliBusMessage[] = [];

  publish(message: CliBusMessage): Promise<void> {
    this.passed.push(message);
    return Promise.resolve();
  }

  subscribe(type: string, listener: (message: { toolCalls: readonly CoreToolCall[] }) => void): void {
    this.#emitter.on(type, listener);
  }

  announce(...toolCalls: CoreToolCall[]): void {
    this.#emitter.emit('tool-calls-update', { toolCalls });
  }
}
