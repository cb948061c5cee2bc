import assert from 'node:assert/strict';
import type { Tandem } from '../../../lib/client/tandem.ts';
import type { PlatformKeys } from '../platforms.ts';
import type { Caller } from './caller.ts';

export type Story = ReturnType<typeof createStory>;

/** Where a story plays, and who calls whom. */
export interface Scene {
  story: Story;
  world: Caller;
  api: Tandem;
  platform: PlatformKeys;
  baseUrl: string;
  worldUrl: string;
}

/** Tells what happens, line by line, and stops at the first thing that did not come out as told. */
export function createStory(say: (line: string) => void) {
  let checked = 0;
  return {
    chapter: (title: string) => say(`\n${title}`),
    tell: (line: string) => say(`  ${line}`),
    /** Says so if `fact` holds, ends the story if not. */
    check(fact: boolean, said: string) {
      assert.ok(fact, `not so: ${said}`);
      checked += 1;
      say(`  ✓ ${said}`);
    },
    checked: () => checked,
  };
}
