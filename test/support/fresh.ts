import { afterAll, vi } from 'vitest';

/** Test files share processes, which start slowly. Each begins with modules, an environment and a clock that no other file used. */
vi.resetModules();
const given = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in given)) delete process.env[name];
  Object.assign(process.env, given);
});
