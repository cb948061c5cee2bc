import type { Stack } from './kept.ts';
import { seed } from './seed.ts';
import type { World } from './world.ts';

const LOGGED_LINES = 5;

/** Seeds a new world. If that fails, the error also has what the Worker logged last, and what to do. */
export const seedOrExplain = (world: World, plant: (world: World) => Promise<Stack> = seed): Promise<Stack> =>
  plant(world).catch((error: unknown) => {
    const logged = world.logs().filter((line) => /"level":"(error|warn)"/.test(line));
    const lines = [
      error instanceof Error ? error.message : String(error),
      ...logged.slice(-LOGGED_LINES),
      'A busy machine may be the cause. Run `npm start` again.',
    ];
    throw new Error(lines.join('\n'), { cause: error });
  });
