import type { SessionUpdate } from '@agentclientprotocol/sdk/experimental/v2';
import type { AcpDialect } from '../acp/dialect.js';
import { toAvailableCommandsV2 } from './commands.js';
import { toPermissionRequestV2 } from './permission.js';
import { isIdle, toStateUpdate } from './state.js';
import { toUpdatesV2 } from './to-updates.js';

/** ACP version 2, a draft. */
export const v2: AcpDialect = {
  echoesPrompts: true,
  toUpdates: toUpdatesV2,
  toOpening({ commands, scene, isNew }): SessionUpdate[] {
    const availableCommands = toAvailableCommandsV2(commands);
    return [
      ...(availableCommands.length === 0
        ? []
        : [{ sessionUpdate: 'available_commands_update', availableCommands } as const]),
      // A new session is idle by default, and a client that has just prompted must not take this for the end of its turn.
      ...(isNew && isIdle(scene) ? [] : [toStateUpdate(scene)]),
    ];
  },
  toFarewell(error, scene): SessionUpdate[] {
    if (isIdle(scene)) return [];
    return [toStateUpdate({ ...scene, turn: { ...scene.turn, state: 'failed', error } })];
  },
  toPermissionRequest: toPermissionRequestV2,
};
