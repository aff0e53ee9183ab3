import { readdirSync, readlinkSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AuditFolder } from '../../src/audit/audit-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** Each reader of the audit log who left in the middle left a file open. */
test('a reader of the audit log who leaves early leaves no file open', async () => {
  const folder = temporaryFolder();
  const audit = new AuditFolder(folder);
  const entry = { at: new Date().toISOString(), by: {}, action: 'delete' } as const;
  // More than is read ahead.
  for (let index = 0; index < 9000; index++) audit.add({ ...entry, taskId: String(index) });
  for (let readers = 0; readers < 5; readers++) {
    // oxlint-disable-next-line no-unreachable-loop -- the reader leaves
    for await (const { action } of audit.read({})) {
      expect(action).toBe('delete');
      // A slow reader: the file waits for it.
      for (let ticks = 0; ticks < 100; ticks++) await setImmediate();
      break;
    }
  }
  expect(await until(() => openFilesIn(folder) === 0)).toBe(true);
});

function openFilesIn(folder: string): number {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The one that lists the others.
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(folder)).length;
}
