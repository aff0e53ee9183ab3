import type { SessionInfo } from '@agentclientprotocol/sdk';
import { defined } from '../../util/defined.js';

export type Described = {
  readonly id: string;
  readonly workspace: string;
  readonly updatedAt?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/** A session as it stands in a list. It is called by the first thing it was asked. */
export function toSessionInfo({ id, workspace, updatedAt, metadata = {} }: Described): SessionInfo {
  const { title } = metadata;
  return {
    sessionId: id,
    cwd: workspace,
    ...(typeof title === 'string' ? { title } : {}),
    ...defined({ updatedAt }),
  };
}
