/**
 * Loaded into the Gemini CLI's process before the CLI itself. Does as little as possible: it hooks a
 * few functions of the user interface, and loads the rest once the interface is drawn.
 */
import { putLiveOptions } from '../../config/live-options.js';
import { patchOnLoad } from '../../engine/live/loader.js';
import { installTap } from '../../engine/live/tap.js';
import { Terminal } from '../../engine/live/terminal.js';
import type { LiveApp } from './app.js';
import { keepCompiledCode } from './compiled-code.js';
import { startAgainInPlace } from './start-again.js';
import { takeLiveOptions } from './take-options.js';

const options = takeLiveOptions(process.env);
if (options) {
  keepCompiledCode(process.env, options.version);
  // A launcher would have opened a channel to us.
  if (!process.send) startAgainInPlace(putLiveOptions(options));
  const terminal = new Terminal(options);
  let app: Promise<LiveApp> | undefined;
  const open = (): Promise<LiveApp> => (app ??= import('./app.js').then(({ openLive }) => openLive(terminal, options)));
  const errors: unknown[] = [];
  patchOnLoad(process.env['NODE_OPTIONS']);
  installTap({ observers: terminal.observers, onError: (error) => errors.push(error) });
  terminal.added.push({
    name: 'a2a',
    description: 'Share this session: /a2a on [port], off, qr [role], devices; /a2a for its status',
    kind: 'built-in',
    autoExecute: true,
    isSafeConcurrent: true,
    run: async (args) => (await open()).command(args),
  });
  terminal.onFirstRender = () => {
    open().catch((error: unknown) => {
      terminal.listen(undefined);
      terminal.show('error', `Cosession could not start: ${String(error)}`);
    });
  };
}
