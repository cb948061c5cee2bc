import assert from 'node:assert/strict';
import type { Tandem } from '../../../lib/client/tandem.ts';
import type { PlatformKeys } from '../platforms.ts';
import type { Caller } from './caller.ts';

export type Story = ReturnType<typeof createStory>;

/** Everything that a chapter of the demo needs: the story, the callers, the platform and the addresses. */
export interface Scene {
  story: Story;
  world: Caller;
  api: Tandem;
  platform: PlatformKeys;
  baseUrl: string;
  worldUrl: string;
}

/** Creates a story that prints line by line, and stops at the first check that fails. */
export function createStory(say: (line: string) => void) {
  let checked = 0;
  return {
    chapter: (title: string) => say(`\n${title}`),
    tell: (line: string) => say(`  ${line}`),
    /** Prints `said` if `fact` is true. Otherwise throws, which ends the story. */
    check(fact: boolean, said: string) {
      assert.ok(fact, `This is not true: ${said}`);
      checked += 1;
      say(`  ✓ ${said}`);
    },
    checked: () => checked,
  };
}
