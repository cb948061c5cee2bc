import { end } from '../../functions/cli/command.ts';
import { playMainJob } from './demo/main-job.ts';
import { createStory } from './demo/story.ts';
import { temporaryDatabase } from './open-db.ts';
import { type DemoOptions, readDemoOptions } from './options.ts';
import { startWorld } from './world.ts';

async function demo(options: DemoOptions): Promise<void> {
  const story = createStory((line) => console.log(line));
  const database = options.postgres === undefined ? undefined : await temporaryDatabase(options.postgres);
  const world = await startWorld({ postgresUrl: database?.url, redisUrl: options.redis });
  try {
    world.qstash.start();
    await playMainJob(story, world);
    story.chapter(`Done. All ${story.checked()} checks passed.`);
  } finally {
    await world.close();
    await database?.drop();
  }
}

const asked = readDemoOptions(process.argv.slice(2));
if ('print' in asked) end(asked);
await demo(asked.options).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`\nThe demo failed: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  },
);
