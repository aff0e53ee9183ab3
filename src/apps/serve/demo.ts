import { demoEnvironment } from '../../demo/demo-home.js';
import { startModelServer } from '../../demo/model-server.js';
import { demoScript } from '../../demo/script.js';

/** Starts the scripted model, and returns the environment that makes everything use it. */
export async function startDemo(home: string): Promise<{ env: Record<string, string>; close(): Promise<void> }> {
  const model = await startModelServer(demoScript);
  return { env: demoEnvironment(home, model.url), close: () => model.close() };
}
