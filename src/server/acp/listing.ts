import { realpath } from 'node:fs/promises';
import type { ListSessionsRequest, ListSessionsResponse } from '@agentclientprotocol/sdk';
import { toSessionInfo } from '../../dialects/acp/session-info.js';
import type { ServerTasks, StoredTask } from '../../tasks/server-tasks.js';
import type { SessionPort } from '../../session/session-port.js';
import { defined } from '../../util/defined.js';

/** The sessions that a client may choose from. */
export type Listing = {
  list(request: ListSessionsRequest): Promise<ListSessionsResponse>;
  /** Absent where clients may not delete sessions. */
  readonly remove?: (id: string) => Promise<unknown>;
};

/** Tasks read from the store at a time. */
const pageSize = 50;
/** A folder without sessions must not cause a scan of all tasks. After this many pages the client continues by cursor. */
const maxPages = 20;

/** The live endpoint: its one session. */
export function liveListing(session: SessionPort, workspace = ''): Listing {
  return {
    async list({ cwd }) {
      const [last] = session.eventsAfter(session.seq - 1);
      const info = toSessionInfo({ id: session.id, workspace, ...(last && { updatedAt: last.at }) });
      return { sessions: isIn(workspace, await realFolder(cwd)) ? [info] : [] };
    },
  };
}

/** All tasks of a server, whether in memory or not, newest first. */
export function tasksListing(tasks: ServerTasks): Listing {
  return {
    async list({ cwd, cursor }) {
      const folder = await realFolder(cwd);
      const found: StoredTask[] = [];
      let pageToken = cursor ?? undefined;
      for (let pages = 0; pages < maxPages; pages++) {
        const page = await tasks.list({ limit: pageSize, ...defined({ pageToken }) });
        found.push(...page.tasks.filter(({ workspace }) => isIn(workspace, folder)));
        pageToken = page.nextPageToken;
        if (pageToken === undefined || found.length >= pageSize) break;
      }
      return { sessions: found.map(toSessionInfo), ...defined({ nextCursor: pageToken }) };
    },
    remove: (id) => tasks.remove(id),
  };
}

function isIn(workspace: string, folder: string | undefined): boolean {
  return folder === undefined || workspace === folder;
}

/** Resolves links, because workspaces are stored without them. */
async function realFolder(cwd: string | null | undefined): Promise<string | undefined> {
  return cwd === undefined || cwd === null ? undefined : realpath(cwd).catch(() => cwd);
}
