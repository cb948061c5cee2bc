import type { Reader } from './docs-play.ts';
import { world } from './world.ts';

/** What a page of the documentation takes for given, by its path. */
export const PREPARED: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
  '/docs/authentication': async ({ platform, names, env }) => {
    env.TANDEM_USER_KEY = (await world.connect(platform, names['ana.silva@demo.test'] ?? '')).api_key;
  },
};
