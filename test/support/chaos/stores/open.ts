import { postgresStore } from './postgres.js';
import { s3Store } from './s3.js';
import { sqliteStore } from './sqlite.js';
import type { ChaosStore } from './store.js';

export const stores: Readonly<Record<string, () => Promise<ChaosStore>>> = {
  sqlite: async () => sqliteStore(),
  postgres: postgresStore,
  s3: s3Store,
};
