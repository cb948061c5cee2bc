import { expect, test } from 'vitest';
import { patiently } from './patiently.ts';

test.each([0, 1, 2])('an act that fails %i times succeeds in the end', async (failures) => {
  let acts = 0;
  const act = async () => {
    if (acts++ < failures) throw new Error('busy');
    return 'done';
  };
  await expect(patiently(act)).resolves.toBe('done');
});

test('an act that always fails is tried three times, and its last error is thrown', async () => {
  let acts = 0;
  const act = async () => {
    throw new Error(`failed ${++acts}`);
  };
  await expect(patiently(act)).rejects.toThrow('failed 3');
});
