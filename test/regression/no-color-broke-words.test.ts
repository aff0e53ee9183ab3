import { expect, test } from 'vitest';
import { runHere } from '../support/command.js';
import { serveHub } from '../support/served-hub.js';

/** With NO_COLOR, replies came as raw Markdown, and a narrow terminal broke them in the middle of words. */
test('a terminal without colours shows replies drawn and wrapped, too', async () => {
  const hub = await serveHub({ model: 'test-model' });
  try {
    const watching = runHere('watch', [hub.server.url], { columns: 24 });
    await watching.shows('test-model');
    hub.engine.report({ type: 'started', text: 'hello', origin: { surface: 'tui' } });
    hub.engine.say('Please **run** the slow command `npm test` first.\n- one');
    hub.engine.end('completed');
    await watching.shows('— completed');
    expect(watching.out.replaceAll(/ +$/gm, '')).toContain(
      '\n  Please run the slow\n  command `npm test`\n  first.\n  • one\n',
    );
    process.emit('SIGINT');
    expect(await watching.code).toBe(0);
  } finally {
    await hub.stop();
  }
});
