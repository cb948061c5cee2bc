import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { healAfterEach } from '../support/worlds/world.ts';
import { play } from './history.ts';

healAfterEach();

const { CHAOS_SEEDS = '', CHAOS_REPORT } = process.env;
const SEEDS = CHAOS_SEEDS.split(',').filter(Boolean).map(Number);

test.each(SEEDS)('seed %i: whatever happens, every party agrees in the end', async (seed) => {
  const outcome = await play(seed);
  if (CHAOS_REPORT !== undefined) appendFileSync(CHAOS_REPORT, `${JSON.stringify(outcome)}\n`);
  expect(outcome.found, outcome.found.join('\n')).toEqual([]);
});
