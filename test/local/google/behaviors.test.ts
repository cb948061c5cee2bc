import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ARRANGED } from './behaviors/arranged.ts';
import { createHand } from './behaviors/hand.ts';
import { BEHAVIORS } from './behaviors/index.ts';
import { type GoogleWorld, openGoogleWorld } from './world.ts';

let world: GoogleWorld;

beforeAll(async () => {
  world = await openGoogleWorld();
});
afterAll(() => world.close());

async function handOfSomebody() {
  const { email, tokens } = await world.join('Europe/Berlin');
  const account = { rootUrl: world.url, accessToken: tokens.access_token ?? '', now: world.clock.now() };
  return { email, hand: createHand(account) };
}

describe('any account shows that', () => {
  test.each(BEHAVIORS)('$title', async ({ play, expected }) => {
    const { hand } = await handOfSomebody();
    expect(await play(hand)).toEqual(expected);
  });
});

describe('an account that is arranged for it shows that', () => {
  test.each(ARRANGED)('$title', async ({ play, expected }) => {
    const { hand, email } = await handOfSomebody();
    expect(await play(hand, world.google, email)).toEqual(expected);
  });
});

test('the events of a hand are deleted at its end', async () => {
  const { hand, email } = await handOfSomebody();
  for (const { play } of BEHAVIORS) await play(hand);
  await hand.clean();
  expect(world.google.events(email).filter(({ status }) => status !== 'cancelled')).toEqual([]);
});
