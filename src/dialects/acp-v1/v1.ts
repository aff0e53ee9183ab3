import { toAvailableCommands } from '../acp/commands.js';
import type { AcpDialect } from '../acp/dialect.js';
import { toPermissionRequest } from './permission.js';
import { toAcpUpdates } from './to-updates.js';

/** ACP version 1. */
export const v1: AcpDialect = {
  echoesPrompts: false,
  toUpdates: toAcpUpdates,
  toOpening({ commands }) {
    const availableCommands = toAvailableCommands(commands);
    return availableCommands.length === 0 ? [] : [{ sessionUpdate: 'available_commands_update', availableCommands }];
  },
  // Prompts that are still running fail, which is all that version 1 can express.
  toFarewell: () => [],
  toPermissionRequest,
};
