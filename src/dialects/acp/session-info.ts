import type { SessionInfo } from '@agentclientprotocol/sdk';
import { defined } from '../../util/defined.js';

export type Described = {
  readonly id: string;
  readonly workspace: string;
  readonly updatedAt?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/** A session in a list. Its title is its first prompt. */
export function toSessionInfo({ id, workspace, updatedAt, metadata = {} }: Described): SessionInfo {
  const { title } = metadata;
  return {
    sessionId: id,
    cwd: workspace,
    ...(typeof title === 'string' ? { title } : {}),
    ...defined({ updatedAt }),
  };
}
