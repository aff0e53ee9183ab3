import { type ListTasksRequest, type ListTasksResponse, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { toTurnStates } from '../../../dialects/a2a/states.js';
import type { TaskLibrary } from './task-library.js';
import { underName } from './under-name.js';
import { defined } from '../../../util/defined.js';

const defaultPage = 50;
const maxPage = 100;

/** Newest status first, in pages. The token is the position of the last task shown, so new tasks do not shift the pages. */
export async function listTasks(
  library: Pick<TaskLibrary, 'list'>,
  params: ListTasksRequest,
  isExtended: boolean,
): Promise<ListTasksResponse> {
  const { contextId, status, pageSize = defaultPage, pageToken, historyLength, includeArtifacts } = params;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > maxPage) {
    throw new RequestMalformedError(`pageSize must be from 1 to ${maxPage}, got ${pageSize}`);
  }
  if (status === TaskState.UNRECOGNIZED) throw new RequestMalformedError('there is no such status');
  const since = readTime(params.statusTimestampAfter);
  const query = {
    limit: pageSize,
    ...(pageToken === '' ? {} : { pageToken }),
    ...(contextId === '' ? {} : { taskId: contextId }),
    ...(status === TaskState.TASK_STATE_UNSPECIFIED ? {} : { states: toTurnStates(status) }),
    ...defined({ since }),
  };
  const { tasks, total, nextPageToken = '' } = await library.list(query, { historyLength, isExtended });
  return {
    tasks: tasks.map((task) => ({
      ...underName(task, contextId || task.contextId),
      ...(includeArtifacts ? {} : { artifacts: [] }),
    })),
    nextPageToken,
    pageSize,
    totalSize: total,
  };
}

/** In UTC with milliseconds, as times are stored. */
function readTime(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new RequestMalformedError(`statusTimestampAfter is not a time: ${text}`);
  return time.toISOString();
}
