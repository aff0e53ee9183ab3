import { demoEnvironment } from '../../src/demo/demo-home.js';

/** The demo's home for tests whose workspace brings settings, commands and memory of its own: it is trusted. */
export function trustingEnvironment(home: string, modelUrl: string): Record<string, string> {
  return { ...demoEnvironment(home, modelUrl), GEMINI_CLI_TRUST_WORKSPACE: 'true' };
}
