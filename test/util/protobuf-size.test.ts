import { SendMessageRequest } from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { innerFields } from '../../src/util/protobuf-size.js';

const encode = (message: object): Buffer =>
  A2AService.sendMessage.requestSerialize(SendMessageRequest.fromJSON({ message }));

test.each([
  [0, { role: 'ROLE_USER' }],
  [1, { messageId: 'm' }],
  [3, { messageId: 'm', parts: [{ text: 'a' }, { text: '' }] }],
  [5001, { messageId: 'm', parts: Array.from({ length: 5000 }, () => ({ text: 'a' })) }],
  [2, { messageId: 'm', parts: [{ text: 'x'.repeat(300_000) }] }],
])('a message with %i fields', (count, message) => {
  expect(innerFields(encode(message))).toBe(count);
});

test('whatever comes, it is read to its end', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => innerFields(bytes) <= bytes.length));
});
