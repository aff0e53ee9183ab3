import { afterEach, expect, test } from 'vitest';
import { announce } from '../../src/discovery/discovery.js';
import { runHere } from '../support/command.js';
import { type ServedHub, serveHub, token } from '../support/served-hub.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let hub: ServedHub;
afterEach(() => hub.stop());

test.each(['send', 'approve', 'cancel', 'attach', 'watch', 'acp'] as const)(
  'cosession %s does not take the only live session if it is in another folder',
  async (name) => {
    hub = await serveHub();
    const stateDir = temporaryFolder();
    const { port, url } = hub.server;
    const found = { port, url, token, pid: process.pid, sessionId: hub.session.id, startedAt: '2026-01-01' };
    announce(stateDir, { ...found, workspace: '/home/ada/elsewhere' });
    const ran = runHere(name, name === 'send' ? ['hi'] : [], { stateDir, folder: '/home/ada/here' });
    await expect(ran.code).rejects.toThrow('no live session in this folder; name one of these');
    expect(hub.engine.started).toEqual([]);
  },
);
