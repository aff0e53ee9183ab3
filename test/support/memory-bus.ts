import { type Bus, NobodyThere } from '../../src/cluster/bus/bus.js';

type Member = {
  readonly answer: (request: string) => Promise<string>;
  readonly heard: Set<(message: string) => void>;
  readonly followed: Map<string, Set<(message: string) => void>>;
};

/** A bus between servers of one process. `loses` decides which published messages are lost. */
export class MemoryBus {
  readonly #members = new Map<string, Member>();
  readonly #loses: (taskId: string) => boolean;

  constructor(loses: (taskId: string) => boolean = () => false) {
    this.#loses = loses;
  }

  join(server: string): Bus {
    let answer: Member['answer'] = () => Promise.reject(new NobodyThere(server));
    const member: Member = { answer: (request) => answer(request), heard: new Set(), followed: new Map() };
    this.#members.set(server, member);
    const others = (): Member[] => [...this.#members.values()].filter((other) => other !== member);
    return {
      serve: (given) => void (answer = given),
      request: async (to, request) => {
        const found = this.#members.get(to);
        if (!found) throw new NobodyThere(to);
        return found.answer(request);
      },
      publish: (taskId, message) => {
        if (this.#loses(taskId)) return;
        for (const { followed } of others()) for (const listener of followed.get(taskId) ?? []) listener(message);
      },
      async follow(taskId, listener) {
        const listeners = member.followed.get(taskId) ?? new Set();
        member.followed.set(taskId, listeners.add(listener));
        return () => void listeners.delete(listener);
      },
      announce: (message) => {
        for (const { heard } of others()) for (const listener of heard) listener(message);
      },
      onAnnouncement: (listener) => void member.heard.add(listener),
      isConnected: true,
      noticesAbsence: true,
      close: async () => void this.#members.delete(server),
    };
  }
}
