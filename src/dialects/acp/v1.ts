import { toAvailableCommands } from './commands.js';
import type { Dialect } from './dialect.js';
import { toPermissionRequest } from './permission.js';
import { toUpdates } from './to-updates.js';

/** ACP version 1. */
export const v1: Dialect = {
  echoesPrompts: false,
  toUpdates,
  toOpening({ commands }) {
    const availableCommands = toAvailableCommands(commands);
    return availableCommands.length === 0 ? [] : [{ sessionUpdate: 'available_commands_update', availableCommands }];
  },
  // The prompts that wait for an answer fail, and that is all it has to say.
  toFarewell: () => [],
  toPermissionRequest,
};
