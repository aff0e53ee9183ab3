import { openServer } from '../../src/server/open-server.js';
import { Session } from '../../src/session/session.js';
import { memoryStore } from '../../src/stores/memory.js';
import { ManualEngine } from '../../test/support/manual-engine.js';
import { cpuMicroseconds } from '../support/clock.js';
import { serve } from '../support/serve.js';
import { chunkText, chunksPerTick } from './chunk.js';

/** Answers every prompt with as many chunks as its text says, a few per tick. */
class ChunkEngine extends ManualEngine {
  override start(request: Parameters<ManualEngine['start']>[0]): void {
    super.start(request);
    void this.#stream(Number(request.text));
  }

  async #stream(count: number): Promise<void> {
    for (let sent = 0; sent < count; sent++) {
      if (sent % chunksPerTick === 0) await new Promise(setImmediate);
      this.say(chunkText);
    }
    this.end();
  }
}

const session = new Session({ id: 'session-1', engine: new ChunkEngine(), store: memoryStore() });

const methods = {
  cpuMicroseconds,

  async open(): Promise<{ port: number; grpcPort: number }> {
    const nothing = (): void => {};
    const server = await openServer({
      session,
      port: 0,
      grpcPort: 0,
      token: 'bench',
      requireToken: false,
      version: '0.0.0',
      log: { debug: nothing, info: nothing, error: nothing },
      presence: { joined: nothing, left: nothing },
    });
    return { port: server.port, grpcPort: server.grpcPort ?? 0 };
  },
};

export type StreamServerMethods = typeof methods;
serve(methods);
