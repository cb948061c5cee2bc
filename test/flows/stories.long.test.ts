import { afterAll, expect, test } from 'vitest';
import { startWorld } from '../local/world.ts';
import { figuresOf, keepsBound } from '../stories/figures.ts';
import { STORIES } from '../stories/stories.ts';
import { BEGINNING, RULES_ALONE, tell } from '../stories/tell.ts';
import { migratedDatabase, preparedScript } from '../support/worlds/prepared.ts';

// The stories set the clock, so they need a world of their own.
const world = await startWorld({ patience: 20, script: await preparedScript(), snapshot: await migratedDatabase() });
afterAll(() => world.close());
await world.advance(BEGINNING - world.clock.now());
world.faults.add(RULES_ALONE);
const platform = await world.platforms.create({ name: 'Stories', plan: 'enterprise' });

test.each(STORIES.map((story, i) => ({ number: i + 1, story, title: story.title })))(
  '$number: $title',
  async ({ story, number }) => {
    expect(await tell(world, platform, story, number)).toEqual(story.answer);
  },
);

test('the answers to the corpus keep the bound of every figure', () => {
  expect(figuresOf().filter((figure) => !keepsBound(figure))).toEqual([]);
});
