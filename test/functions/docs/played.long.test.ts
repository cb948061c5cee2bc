import { expect, test } from 'vitest';
import { docsPaths } from '../../support/worlds/docs-blocks.ts';
import { asCurl, asNode } from '../../support/worlds/docs-code.ts';
import { play } from '../../support/worlds/docs-play.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

const PATHS = ['/', ...(await docsPaths())];

test('there are pages to play', () => {
  expect(PATHS.length).toBeGreaterThan(20);
});

test.each(PATHS)('%s works as it stands, from top to bottom', async (path) => {
  await play(path, 'sh', asCurl);
  await play(path, 'js', asNode);
});
