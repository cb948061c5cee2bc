import { randomUUID } from 'node:crypto';
import { HOSTS } from '../../local/hosts.ts';
import type { PlatformKeys } from '../../local/platforms.ts';
import { type Client, createClient } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { grantCalendar } from './granting.ts';

export interface TestPlatform extends PlatformKeys {
  webhookUrl: string;
  api: Client;
}

export interface TestPerson {
  email: string;
  timezone: string;
}

interface PlatformOptions {
  name?: string;
  plan?: string;
  redirectUris?: string[];
}

/** Creates a platform for one test, with its keys, a client, and an inbox endpoint nobody else uses. */
export async function freshPlatform(options: PlatformOptions = {}): Promise<TestPlatform> {
  const { name = 'Test platform', plan = 'pro', redirectUris = [] } = options;
  const webhookUrl = `https://${HOSTS.inbox}/${randomUUID()}`;
  const keys = await world.platforms.create({
    name,
    plan,
    webhook_url: webhookUrl,
    redirect_uris: redirectUris,
  });
  return { ...keys, webhookUrl, api: createClient(world.baseUrl, keys.secret_key) };
}

/** Creates a person with an empty calendar who is not connected to any platform yet. */
export function freshPerson({ timezone = 'UTC', name = 'person' } = {}): TestPerson {
  const email = `${name}.${randomUUID().slice(0, 8)}@people.test`;
  world.google.addUser({ email, timezone });
  return { email, timezone };
}

/**
 * Creates a person who has connected their calendar to the platform. `world.connectCalendar` goes through the consent
 * itself, which takes four times as long.
 */
export async function connectedPerson(
  platform: PlatformKeys,
  options: { timezone?: string; name?: string; busy?: [start: string, end: string][] } = {},
): Promise<TestPerson> {
  const person = freshPerson(options);
  for (const [start, end] of options.busy ?? []) world.google.addBusy({ email: person.email, start, end });
  await grantCalendar(platform, person);
  return person;
}

/** Lets the queue deliver. Returns the webhooks that reached this platform's endpoint, parsed, in order of arrival. */
export async function webhooksOf(platform: TestPlatform) {
  await world.qstash.deliverDue();
  return world.inbox
    .deliveries()
    .filter(({ url }) => url === platform.webhookUrl)
    .map((delivery) => ({ ...delivery, body: JSON.parse(delivery.body_text) }));
}
