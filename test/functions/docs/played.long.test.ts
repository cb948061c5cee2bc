import { expect, test } from 'vitest';
import { asCurl, asNode, docsPaths } from '../../support/worlds/docs-blocks.ts';
import { play } from '../../support/worlds/docs-play.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const PATHS = ['/', ...(await docsPaths())];

test('there are pages to play', () => {
  expect(PATHS.length).toBeGreaterThan(20);
});

/** No example is about the days at the end of the year, which many take off. */
async function passYearEnd(): Promise<void> {
  const now = new Date(world.clock.now());
  if (now.toISOString().slice(5) > '12-12')
    await world.advance(Date.UTC(now.getUTCFullYear() + 1, 0, 5) - now.getTime());
}

test.each(PATHS)('%s works as it stands, from top to bottom', async (path) => {
  await passYearEnd();
  await play(path, 'sh', asCurl);
  await play(path, 'js', asNode);
});
