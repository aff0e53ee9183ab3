/// <reference types="node" />
const tables = [
  'events',
  'tasks',
  'turns',
  'summaries',
  'checkpoints',
  'checkpoint_entries',
  'artifacts',
  'webhooks',
  'servers',
  'claims',
  'usage',
  'tokens',
  'alerts',
  'places',
];
const sql = tables.map((table) => `alter table cosession_${table} add column more text not null default ''`).join(';');

/** @type {import('node:module').LoadHook} */
export const load = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  if (!url.includes('/dist/') || loaded.format !== 'module' || loaded.source === undefined) return loaded;
  const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
  const source = text
    .replace(
      /\bmissing\(migrations,\s?found\)/,
      () => `missing([...migrations, { compatibleSince: migrations.length, sql: ${JSON.stringify(sql)} }], found)`,
    )
    .replace(/\bvar speaks\s?=\s?(\d+)/, (whole, version) => `var speaks = ${Number(version) + 1}`)
    .replace(/\bmin:\s?readableSince,/, 'min: readableSince, more: "of the next release",');
  return { ...loaded, source };
};
