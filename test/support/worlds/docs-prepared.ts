import type { TestPlatform } from '../people/factories.ts';
import { world } from './world.ts';

/** A page of the documentation while it is played. */
export interface Reader {
  platform: TestPlatform;
  /** Texts of the page, each with the one of this world that takes its place. */
  names: Record<string, string>;
  /** Environment variables of the code. */
  env: Record<string, string>;
}

/** What a page of the documentation takes for given, by its path. */
export const PREPARED: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
  '/docs/authentication': async ({ platform, names, env }) => {
    env.TANDEM_USER_KEY = (await world.connect(platform, names['ana.silva@demo.test'] ?? '')).api_key;
  },
};
