import type { Writer } from './sqlite-connections.js';
import type { SqliteCommit } from './sqlite-commit.js';

/** Few enough that the next batch does not wait long. */
const pagesAtOnce = 1000;

/** Returns the space of deleted tasks to the disk, some after each commit until all of it is free. */
export function shrinking(writer: Writer, commit: SqliteCommit): SqliteCommit {
  let hasFree = true;
  return async (batch, first) => {
    const found = await commit(batch, first);
    hasFree ||= batch.some(({ type }) => type === 'delete');
    if (hasFree) hasFree = await shrink(writer);
    return found;
  };
}

/** Returns whether any is left. If another program is writing, the next commit tries again. */
async function shrink(writer: Writer): Promise<boolean> {
  await writer.exec(`pragma incremental_vacuum(${pagesAtOnce})`).catch(() => undefined);
  const left = (await writer.prepare('select 1 from pragma_freelist_count where freelist_count > 0')).get();
  return left !== undefined;
}
