import { expect, test } from 'vitest';
import { createTextReader } from '../../../lib/adapters/workers-ai.ts';

const lines: unknown[] = [];
const log = (...line: unknown[]) => void lines.push(line);

test('without the binding nothing is read and nothing is logged', async () => {
  expect(await createTextReader(undefined, log).read('no Fridays')).toBeUndefined();
  expect(lines).toEqual([]);
});

test.each([
  ['words', { response: 'I cannot tell.' }],
  ['JSON of another shape', { response: '{"morning": 1.6}' }],
  ['nothing of a model', 'busy'],
])('%s as an answer are dropped, and said without a stack', async (_name, answer) => {
  const told: unknown[] = [];
  const reader = createTextReader({ run: async () => answer }, (...line) => void told.push(line));
  expect(await reader.readWish('no Fridays', { today: '2026-12-01', meeting: '2026-12-04' })).toBeUndefined();
  expect(told).toEqual([['info', "the model's answer is no wish"]]);
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
