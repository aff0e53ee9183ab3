import type { TcpProxy } from '../../tcp-proxy.js';
import type { Outage } from './outage.js';

/** The way to the database swallows every byte and says nothing. */
export function blackHole(proxy: TcpProxy): Outage {
  return {
    name: 'black hole',
    canLast: true,
    async begin() {
      proxy.stall();
      return async () => proxy.heal();
    },
  };
}
