import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { now } from '../support/clock.js';

export type Burst = { readonly events: number; readonly perTick: number };
export type Pace = { readonly events: number; readonly everyMs: number };

/** Pads an event to a frame of about 300 bytes. */
export const text = 'The quick brown fox jumps over the lazy dog. '.repeat(4);

/** The load waits when one client, or all together, have this many unsent bytes: far below the limit where we disconnect. */
const clientBytes = 1024 * 1024;
const totalBytes = 64 * 1024 * 1024;

/**
 * Puts the same load on any server in this process: `report` sends one event to every client. The
 * server's sockets come from Node itself, so both sides respect back pressure equally.
 */
export function loadOf(report: () => void) {
  const sockets = new Set<Socket>();
  subscribe('net.server.socket', (message) => {
    // Node documents this channel's message.
    const { socket } = message as { socket: Socket };
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  async function drain(limit: number): Promise<void> {
    const full = [...sockets].filter((socket) => socket.writableLength > limit && socket.writableNeedDrain);
    await Promise.all(full.map((socket) => once(socket, 'drain')));
  }

  return {
    /** Resolves when all bytes have left the process. */
    async burst({ events, perTick }: Burst) {
      const limit = Math.min(clientBytes, totalBytes / sockets.size);
      const before = process.cpuUsage();
      const startedAt = now();
      for (let sent = 0; sent < events; sent += perTick) {
        for (let i = 0; i < perTick; i++) report();
        await nextTick();
        await drain(limit);
      }
      await drain(0);
      const { user, system } = process.cpuUsage(before);
      return { startedAt, cpuMicroseconds: user + system };
    },

    /** Resolves to the time at which each event was reported. */
    pace({ events, everyMs }: Pace): Promise<Float64Array> {
      const reportedAt = new Float64Array(events);
      let count = 0;
      return new Promise((resolve) => {
        const timer = setInterval(() => {
          reportedAt[count++] = now();
          report();
          if (count < events) return;
          clearInterval(timer);
          resolve(reportedAt);
        }, everyMs);
      });
    },
  };
}
