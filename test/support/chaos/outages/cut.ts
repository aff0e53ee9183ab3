import type { TcpProxy } from '../../tcp-proxy.js';
import type { Outage } from './outage.js';

/** Every connection to the database is reset. */
export function cut(proxy: TcpProxy): Outage {
  return {
    name: 'connections cut',
    canLast: false,
    async begin() {
      proxy.cut();
      return async () => proxy.cut();
    },
  };
}
