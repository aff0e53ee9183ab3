import { expect } from 'vitest';
import { all, nextId } from '../../support/a2a/transport.js';
import { codeOn, failure, later } from '../../support/checklist.js';
import type { Line } from './line.js';

export const messageLines: readonly Line[] = [
  {
    section: '3.1.1',
    says: 'a message to a finished task is refused, and the error names the context to continue in',
    async check(on) {
      const { id = '', contextId = '' } = await on.send({ text: 'hello' });
      const before = await on.get(id);
      const error = await failure(on.send({ text: 'more', taskId: id }));
      expect(error.code).toBe(codeOn(on.name, 'unsupported'));
      expect(error.message).toContain(contextId);
      expect(await on.get(id)).toEqual(before);
    },
  },
  {
    section: '3.1.1',
    says: 'every operation reports an unknown task as not found',
    async check(on) {
      const unknown = [
        () => on.send({ text: 'hello', taskId: 'none' }),
        () => on.get('none'),
        () => on.cancel('none'),
        () => all(on.subscribe('none')),
        () => on.webhooks.create('none', { url: 'http://127.0.0.1:9/' }),
        () => on.webhooks.list('none'),
      ];
      for (const call of unknown) expect((await failure(call())).code).toBe(codeOn(on.name, 'notFound'));
    },
  },
  {
    section: '3.1.1',
    says: 'a media type that the card does not name is refused with its own error',
    async check(on) {
      const error = await failure(on.send({ text: 'look', file: 'image/png' }));
      expect(error.code).toBe(codeOn(on.name, 'mediaType'));
      expect(error.message).toContain('image/png');
    },
  },
  {
    section: '3.2.2',
    says: 'a send waits until the task is over or needs input; returnImmediately does not',
    async check(on) {
      expect((await on.send({ text: 'hello 5' })).state).toBe('completed');
      expect((await on.send({ text: 'pause' })).state).toBe('input-required');
      const asked = await on.send({ text: 'tool' });
      expect(asked.state).toBe('input-required');
      await on.cancel(asked.id ?? '');
      expect((await on.send({ text: 'hold' }, later)).state).toBe('working');
    },
  },
  {
    section: '3.3.2',
    says: 'a malformed message is reported as malformed',
    async check(on) {
      for (const wrong of [{}, { text: 'hello', messageId: '' }])
        expect((await failure(on.send(wrong))).code).toBe(codeOn(on.name, 'malformed'));
    },
  },
  {
    section: '3.4.1',
    says: 'the server generates a context, or keeps the one the client gave; it never replaces one',
    async check(on) {
      const { contextId = '' } = await on.send({ text: 'hello' });
      expect(contextId).toMatch(/^[\w-]{8,}$/);
      const own = `own-${nextId()}`;
      expect((await on.send({ text: 'hello', contextId: own })).contextId).toBe(own);
      const tooLong = on.send({ text: 'hello', contextId: 'x'.repeat(300) });
      expect((await failure(tooLong)).code).toBe(codeOn(on.name, 'malformed'));
    },
  },
  {
    section: '3.4.2, 3.4.3',
    says: 'the server makes task ids; a task implies its context, and a different one is refused',
    async check(on) {
      const { id = '', contextId = '' } = await on.send({ text: 'pause' });
      const next = await on.send({ text: 'hello', taskId: id });
      expect([next.id, next.contextId, next.state]).toEqual([id, contextId, 'completed']);
      const paused = await on.send({ text: 'pause' });
      const wrong = on.send({ text: 'hello', taskId: paused.id ?? '', contextId: 'another' });
      expect((await failure(wrong)).code).toBe(codeOn(on.name, 'malformed'));
    },
  },
  {
    section: '3.6',
    says: 'only the major and minor version matter',
    async check(on) {
      const version = on.name.endsWith('1.0') ? '1.0.7' : '0.3.2';
      const { state } = await on.send({ text: 'hello' }, { headers: { 'a2a-version': version } });
      expect(state).toBe('completed');
    },
  },
  {
    section: '3.6.2',
    says: 'an unknown version is refused',
    async check(on) {
      const { code } = await failure(on.send({ text: 'hello' }, { headers: { 'a2a-version': '99.0' } }));
      expect(code).toBe(codeOn(on.name, 'version'));
    },
  },
  {
    section: '(ours)',
    says: 'the same messageId twice is one task, and the answer is sent again',
    async check(on) {
      const message = { text: 'hello', messageId: nextId(), contextId: `twice-${nextId()}` };
      const first = await all(on.stream(message));
      const second = await all(on.stream(message));
      expect(second.map(({ what, id, state }) => [what, id, state])).toEqual(
        first.map(({ what, id, state }) => [what, id, state]),
      );
      expect((await on.send(message)).id).toBe(first[0]?.id);
    },
  },
];
