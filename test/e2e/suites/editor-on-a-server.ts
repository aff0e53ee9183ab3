import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { AcpClient } from '../../support/acp-client.js';
import { until } from '../../support/until.js';

export type EditorPlace = {
  /** Where editors connect now. */
  readonly base: () => string;
  readonly headers?: Record<string, string>;
  readonly workspace: string;
  /** Kills the server that the first editor reached. */
  readonly crash: () => Promise<void>;
};

/** An editor's day on a server: a task in its folder, a permission, a crash, and the same task again. */
export async function editorOnAServer({ base, headers = {}, workspace, crash }: EditorPlace): Promise<void> {
  const clients: AcpClient[] = [];
  const connect = async (url: string): Promise<AcpClient> => {
    const client = await AcpClient.connect(url, { join: false, headers });
    clients.push(client);
    return client;
  };
  try {
    const alice = await connect(`${base().replace('http', 'ws')}/ws`);
    await expect(alice.join('/')).rejects.toMatchObject({ code: -32065 });
    await alice.join(workspace);
    const { sessionId } = alice;
    const [shown] = (
      await alice.agent.request('session/set_config_option', {
        sessionId,
        configId: 'model',
        value: 'gemini-2.5-pro',
      })
    ).configOptions;
    expect(shown).toMatchObject({ id: 'model', currentValue: 'gemini-2.5-pro' });
    await alice.find((update) => update.sessionUpdate === 'config_option_update');
    await expect(alice.agent.request('session/set_mode', { sessionId, modeId: 'yolo' })).rejects.toThrow(
      'default, plan',
    );
    expect(await alice.prompt('hello')).toEqual({ stopReason: 'end_turn' });
    expect(alice.text).toBe('You said: hello');
    alice.prompt('touch one').catch(() => {});
    await alice.question();
    await crash();

    const again = await connect(`${base()}/acp`);
    const { sessions } = await again.agent.request('session/list', { cwd: workspace });
    expect(sessions).toContainEqual(expect.objectContaining({ sessionId, title: 'hello' }));
    await again.load(sessionId);
    // Over HTTP the reply and the updates come on streams of their own.
    await until(() => again.heard === 'hellotouch one' && again.text === 'You said: helloI will run it.');
    (await again.question()).answer('proceed_once');
    await again.tool('completed');
    expect(existsSync(join(workspace, 'one.txt'))).toBe(true);
    expect(await again.prompt('and now?')).toEqual({ stopReason: 'end_turn' });
  } finally {
    for (const client of clients) client.close();
  }
}
