import type { SessionUpdate } from '@agentclientprotocol/sdk/experimental/v2';
import type { Dialect } from '../acp/dialect.js';
import { toAvailableCommands } from './commands.js';
import { toPermissionRequest } from './permission.js';
import { isIdle, toStateUpdate } from './state.js';
import { toUpdates } from './to-updates.js';

/** ACP version 2, a draft. */
export const v2: Dialect = {
  echoesPrompts: true,
  toUpdates,
  toOpening({ commands, scene, isNew }): SessionUpdate[] {
    const availableCommands = toAvailableCommands(commands);
    return [
      ...(availableCommands.length === 0
        ? []
        : [{ sessionUpdate: 'available_commands_update', availableCommands } as const]),
      // A new session is idle until it is said otherwise, and who has just prompted it must not take this for the end.
      ...(isNew && isIdle(scene) ? [] : [toStateUpdate(scene)]),
    ];
  },
  toFarewell(error, scene): SessionUpdate[] {
    if (isIdle(scene)) return [];
    return [toStateUpdate({ ...scene, turn: { ...scene.turn, state: 'failed', error } })];
  },
  toPermissionRequest,
};
