import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../local/world.ts';
import { figuresOf, keepsBound } from '../stories/figures.ts';
import { STORIES } from '../stories/stories.ts';
import { BEGINNING, RULES_ALONE, tell } from '../stories/tell.ts';
import { migratedDatabase, preparedScript } from '../support/worlds/prepared.ts';

// The stories set the clock, so they need a world of their own.
let world: World;
let platform: Awaited<ReturnType<World['platforms']['create']>>;

beforeAll(async () => {
  world = await startWorld({ patience: 20, script: await preparedScript(), snapshot: await migratedDatabase() });
  await world.advance(BEGINNING - world.clock.now());
  world.faults.add(RULES_ALONE);
  platform = await world.platforms.create({ name: 'Stories', plan: 'enterprise' });
});
afterAll(() => world.close());

test.each(STORIES.map((story, i) => ({ number: i + 1, story, title: story.title })))(
  '$number: $title',
  async ({ story, number }) => {
    expect(await tell(world, platform, story, number)).toEqual(story.answer);
  },
);

test('the answers to the corpus keep the bound of every figure', () => {
  expect(figuresOf().filter((figure) => !keepsBound(figure))).toEqual([]);
});
