import { expect, test } from 'vitest';
import { errorTable } from '../../src/server/http/error-table.js';

/** `certificate-required` and `quota-exceeded` had the same. The numbers up to -32050 are A2A's and JSON-RPC's, and may be shared. */
test('each of our errors has a JSON-RPC number of its own', () => {
  const numbers = Object.values(errorTable).flatMap(({ rpc }) => (rpc <= -32050 && rpc > -32100 ? [rpc] : []));
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});
