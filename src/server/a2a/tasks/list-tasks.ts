import { type ListTasksRequest, type ListTasksResponse, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { toTaskState } from '../../../protocols/a2a/states.js';
import type { ListedTask, TaskLibrary } from './task-library.js';
import { underName } from './under-name.js';

const defaultPage = 50;
const maxPage = 100;

/** Newest status first, in pages; the token is the place of the last task shown, so new tasks do not shift the pages. */
export async function listTasks(
  library: Pick<TaskLibrary, 'list' | 'show'>,
  params: ListTasksRequest,
  isExtended: boolean,
): Promise<ListTasksResponse> {
  const {
    contextId,
    status,
    pageSize = defaultPage,
    pageToken,
    historyLength,
    statusTimestampAfter,
    includeArtifacts,
  } = params;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > maxPage) {
    throw new RequestMalformedError(`pageSize must be from 1 to ${maxPage}, got ${pageSize}`);
  }
  if (status === TaskState.UNRECOGNIZED) throw new RequestMalformedError('there is no such status');
  const since = parseTime(statusTimestampAfter);
  const before = pageToken === '' ? undefined : parseToken(pageToken);
  const matching = (await library.list(contextId))
    .filter((task) => status === TaskState.TASK_STATE_UNSPECIFIED || toTaskState(task.state) === status)
    .filter((task) => Date.parse(task.at) >= since)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  const rest = before === undefined ? matching : matching.filter((task) => placeOf(task) < before);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  const tasks = await library.show(page, { historyLength, isExtended });
  return {
    tasks: tasks.map((task) => ({
      ...underName(task, contextId || task.contextId),
      ...(includeArtifacts ? {} : { artifacts: [] }),
    })),
    nextPageToken: last && rest.length > pageSize ? Buffer.from(placeOf(last)).toString('base64url') : '',
    pageSize,
    totalSize: matching.length,
  };
}

function placeOf({ at, id }: ListedTask): string {
  return `${at}|${id}`;
}

function parseToken(token: string): string {
  const place = Buffer.from(token, 'base64url').toString('utf8');
  if (place.includes('|')) return place;
  throw new RequestMalformedError('pageToken is not one of ours');
}

function parseTime(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new RequestMalformedError(`statusTimestampAfter is not a time: ${text}`);
  return time;
}
