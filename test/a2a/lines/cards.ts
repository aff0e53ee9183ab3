import { expect } from 'vitest';
import { extensionUri } from '../../../src/dialects/development-tool/extension.js';
import { all } from '../../support/a2a/transport.js';
import { codeOn, failure } from '../../support/checklist.js';
import type { Line } from './line.js';

export const cardLines: readonly Line[] = [
  {
    section: '3.1.11',
    says: 'an extended card that is not declared is unsupported',
    async check(on) {
      expect((await failure(on.extendedSkills())).code).toBe(codeOn(on.name, 'unsupported'));
    },
  },
  {
    section: '3.1.11, 13.3',
    says: 'where a token is required, the extended card exists, with slash commands as skills',
    only: 'the live endpoint',
    async check(on, checklist) {
      expect(await (await checklist.withToken(on.name)).extendedSkills()).toEqual(['Code Generation', '/stats']);
    },
  },
  {
    section: '7.4, 13.1',
    says: 'where a token is required, every operation needs it',
    async check(on, checklist) {
      const stranger = await checklist.withToken(on.name, '');
      const calls = [
        () => stranger.extendedSkills(),
        () => stranger.send({ text: 'hello' }),
        () => all(stranger.stream({ text: 'hello' })),
        () => stranger.get('none'),
        () => stranger.cancel('none'),
        () => all(stranger.subscribe('none')),
        () => stranger.webhooks.list('none'),
      ];
      for (const call of calls) expect((await failure(call())).code).toBe(codeOn(on.name, 'unauthenticated'));
      const impostor = await checklist.withToken(on.name, 'Bearer wrong');
      expect([-32061, 401, 16]).toContain((await failure(impostor.get('none'))).code);
    },
  },
  {
    section: '4.6',
    says: 'a header activates the extension, and the response confirms it',
    async check(on) {
      const name = on.name.endsWith('v1.0') ? 'a2a-extensions' : 'x-a2a-extensions';
      const headers = { [name]: `${extensionUri}, https://example.com/unknown` };
      expect(await on.activated({ text: 'hello' }, { headers })).toBe(extensionUri);
      expect(await on.activated({ text: 'hello' }, {})).toBe('');
      const events = await all(on.stream({ text: 'hello' }, { headers }));
      expect(JSON.stringify(events)).toContain('TEXT_CONTENT');
    },
  },
  /** [004-3.1] */
  {
    section: '4.6.3',
    says: 'another version of the extension is refused with a clear message',
    async check(on) {
      const asked = extensionUri.replace('/v0/', '/v1/');
      const error = await failure(on.send({ text: 'hello' }, { headers: { 'a2a-extensions': asked } }));
      expect(error.code).toBe(codeOn(on.name, 'unsupported'));
      expect(error.message).toContain('this agent speaks v0');
    },
  },
];
