import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { BEHAVIORS, createHand, reportBehaviors } from './behaviors.ts';
import { openGoogleWorld } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());

test('all behaviors, one after the other on one account, are as the table says, and no event is left of them', async () => {
  const { email, tokens } = await world.join('Europe/Berlin');
  const hand = createHand({ rootUrl: world.url, accessToken: tokens.access_token ?? '', now: world.clock.now() });
  const lines: string[] = [];
  await reportBehaviors(hand, BEHAVIORS, (line) => lines.push(line));
  expect(lines).toEqual([
    ...BEHAVIORS.map(({ title }) => `same     ${title}`),
    '',
    `${BEHAVIORS.length} behaviors: ${BEHAVIORS.length} as the table says, 0 differ, 0 could not be played.`,
  ]);
  await hand.clean();
  expect(world.google.events(email).filter(({ status }) => status !== 'cancelled')).toEqual([]);
});

test('without an account it says so and ends', () => {
  const script = fileURLToPath(new URL('check.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env: {}, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
  expect(stdout).toMatch(/^Nothing was checked, because there is no account to check with\.\n/);
});
