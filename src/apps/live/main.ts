/**
 * Loaded into the Gemini CLI's process before the CLI itself. Does as little as possible: it hooks a
 * few functions of the user interface, and loads the rest once the interface is drawn.
 */
import { patchOnLoad } from '../../engine/live/loader.js';
import { installTap } from '../../engine/live/tap.js';
import { Terminal } from '../../engine/live/terminal.js';
import type { LiveApp } from './app.js';
import { takeLiveOptions } from './take-options.js';

const options = takeLiveOptions(process.env);
if (options) {
  const terminal = new Terminal(options);
  let app: Promise<LiveApp> | undefined;
  const open = (): Promise<LiveApp> => (app ??= import('./app.js').then(({ openLive }) => openLive(terminal, options)));
  const errors: unknown[] = [];
  patchOnLoad();
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
