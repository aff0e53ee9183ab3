import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { liveCard } from '../../src/apps/agent-cards.js';
import { openServer } from '../../src/server/open-server.js';
import { Session } from '../../src/session/session.js';
import { memoryStore } from '../../src/stores/memory.js';
import { ManualEngine } from '../../test/support/manual-engine.js';
import { cpuMicroseconds, now } from '../support/clock.js';
import { serve } from '../support/serve.js';
import { chunkText, chunksPerTick } from './chunk.js';
import type { Pace } from './load.js';

/** The size of a session's log. Models do not wait for readers, but one this fast must let them catch up. */
const keptEvents = 10_000;

/** Answers a prompt with the number of chunks in its text, a few per tick. `hold` starts a turn that `say` fills. */
class ChunkEngine extends ManualEngine {
  override start(request: Parameters<ManualEngine['start']>[0]): void {
    super.start(request);
    if (request.text !== 'hold') void this.stream(Number(request.text)).then(() => this.end());
  }

  async stream(count: number, text = chunkText): Promise<void> {
    for (let sent = 0; sent < count; sent++) {
      if (sent > 0 && sent % keptEvents === 0) await sleep(100);
      if (sent % chunksPerTick === 0) await new Promise(setImmediate);
      this.say(text);
    }
  }
}

const engine = new ChunkEngine();
const session = new Session({ id: 'session-1', engine, store: memoryStore() });
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const methods = {
  cpuMicroseconds,

  async open(): Promise<{ port: number; grpcPort: number }> {
    const nothing = (): void => {};
    const server = await openServer({
      session,
      card: liveCard,
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

  /** Starts a turn that sends nothing by itself; returns its task. */
  hold(): string {
    return session.submit({ kind: 'prompt', text: 'hold', origin: { surface: 'server' } }).turnId;
  },

  say: ({ chunks, text }: { chunks: number; text?: string }): Promise<void> => engine.stream(chunks, text),

  end: (): void => engine.end(),

  /** Sends one chunk at a time; returns when each was reported. */
  async pace({ events, everyMs }: Pace): Promise<number[]> {
    const reportedAt: number[] = [];
    for (let event = 0; event < events; event++) {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      reportedAt.push(now());
      engine.say(chunkText);
    }
    return reportedAt;
  },

  /** Bytes in use after a garbage collection. */
  memory(): number {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};

export type StreamServerMethods = typeof methods;
serve(methods);
