import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tandem } from '../../../lib/client/tandem.ts';
import type { InboxDelivery } from '../inbox.ts';
import type { PlatformKeys } from '../platforms.ts';

export type Story = ReturnType<typeof createStory>;

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

/**
 * Creates functions that call the control server. They throw an error with the whole answer for a status outside
 * 200-299.
 */
export function createCaller(base: string) {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const init =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(base + path, { method, ...init });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  return {
    get: <T>(path: string) => call<T>('GET', path),
    post: <T>(path: string, body: object) => call<T>('POST', path, body),
  };
}

export type Caller = ReturnType<typeof createCaller>;

const PATIENCE_MS = 15_000;

/** Waits for a webhook of this type whose body contains `about`. Throws if none arrives in 15 seconds. */
export async function awaitWebhook(world: Caller, type: string, about: string): Promise<InboxDelivery> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(50)) {
    const { deliveries } = await world.get<{ deliveries: InboxDelivery[] }>('/inbox');
    const found = deliveries.find((one) => one.headers['x-service-event'] === type && one.body_text.includes(about));
    if (found !== undefined) return found;
  }
  throw new Error(`No webhook ${type} about ${about} arrived.`);
}
