import { startWorld } from '../local/world.ts';
import { STORIES } from './stories.ts';
import { BEGINNING, RULES_ALONE, tell } from './tell.ts';

const world = await startWorld({ patience: 20 });
let differ = 0;
try {
  await world.advance(BEGINNING - world.clock.now());
  world.faults.add(RULES_ALONE);
  const platform = await world.platforms.create({ name: 'Stories', plan: 'enterprise' });
  for (const [i, story] of STORIES.entries()) {
    const told = await tell(world, platform, story, i + 1);
    const isAsWritten = told.chosen === story.chosen && told.said === story.said;
    if (!isAsWritten) differ += 1;
    console.log(`\n${i + 1}. ${story.title}${isAsWritten ? '' : '   (not as written)'}`);
    console.log(`   ${told.chosen}\n   ${told.said}`);
  }
  console.log(`\n${STORIES.length} stories, ${STORIES.length - differ} as written.`);
} finally {
  await world.close();
}
process.exit(differ === 0 ? 0 : 1);
