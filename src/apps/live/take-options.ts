import { hideStart } from '../../util/text/hide-start.js';
import { type LiveOptions, liveVariable } from '../../config/live-options.js';

/** Reads the options and removes them: tools that the CLI starts must not see them in their own environment or the CLI's. */
export function takeLiveOptions(env: NodeJS.ProcessEnv): LiveOptions | undefined {
  const json = env[liveVariable];
  delete env[liveVariable];
  hideStart(env, { variable: (name) => name !== liveVariable, argument: () => true });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by our own launcher
  return json === undefined ? undefined : (JSON.parse(json) as LiveOptions);
}
