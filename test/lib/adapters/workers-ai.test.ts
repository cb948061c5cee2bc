import { expect, test } from 'vitest';
import { createTextReader } from '../../../lib/adapters/workers-ai.ts';

const lines: unknown[] = [];
const log = (...line: unknown[]) => void lines.push(line);

test('without the binding nothing is read and nothing is logged', async () => {
  expect(await createTextReader(undefined, log).read('no Fridays')).toBeUndefined();
  expect(lines).toEqual([]);
});

test('a binding that throws at once is no failure of the caller', async () => {
  const ai = {
    run() {
      throw new TypeError('no Fridays');
    },
  };
  expect(await createTextReader(ai, log).read('no Fridays')).toBeUndefined();
  expect(lines).toEqual([['warn', 'the model gave no weights', { error: expect.any(TypeError) }]]);
});
