import { randomUUID } from 'node:crypto';
import { createContext } from '../../../functions/http/context.ts';
import type { Env } from '../../../functions/http/env.ts';
import { commitConnection } from '../../../lib/calendars/connect/commit-connection.ts';
import { beginConsent } from '../../../lib/calendars/grants/revoke.ts';
import type { Ctx } from '../../../lib/kit/context.ts';
import { maskKey, sha256 } from '../../../lib/kit/ids.ts';
import { PERMISSIONS } from '../../../lib/kit/permissions.ts';
import type { QueueMessage } from '../../../lib/kit/ports.ts';
import { insertKeys } from '../../../schema/access/api-keys.ts';
import { openDb } from '../../local/open-db.ts';
import type { PlatformKeys } from '../../local/platforms.ts';
import { HOSTS } from '../../local/targets.ts';
import { type Client, createClient } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';

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
  const keys = await world.platforms.create({ name, plan, webhook_url: webhookUrl, redirect_uris: redirectUris });
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
  await connectTo(platform, person);
  return person;
}

/** Creates a connected person with a key of their own, which no page made, and a client that has it. */
export async function personWithKey(platform: PlatformKeys, options: Parameters<typeof connectedPerson>[1] = {}) {
  const person = await connectedPerson(platform, options);
  const { db, keys } = inProcess();
  const key = await keys.create('sk_user_');
  const [row] = await world.neon.query('select id from users where email = $1', [person.email]);
  const stored = { hash: await sha256(key), masked: maskKey(key), createdAt: world.clock.now() };
  await insertKeys(db, [{ kind: 'user', userId: String(row?.id), ...stored }]);
  return { ...person, key, own: createClient(world.baseUrl, key) };
}

export async function ownClient(platform: PlatformKeys, email: string): Promise<Client> {
  const { api_key } = await world.connect(platform, email);
  return createClient(world.baseUrl, api_key);
}

/** Lets the queue deliver. Returns the webhooks that reached this platform's endpoint, parsed, in order of arrival. */
export async function webhooksOf(platform: TestPlatform) {
  await world.qstash.deliverDue();
  return world.inbox
    .deliveries()
    .filter(({ url }) => url === platform.webhookUrl)
    .map((delivery) => ({ ...delivery, body: JSON.parse(delivery.body_text) }));
}

const SCOPES = PERMISSIONS.map(({ scope }) => scope);
const LIFE_MS = 3_599_000;

const works: Promise<unknown>[] = [];
let made: Ctx | undefined;
const inProcess = () => (made ??= productContext());

/**
 * Connects a person's calendar to a platform by the product's own code in this process, as far as the batch and the
 * queue. Nobody visits a page, so no call of the Worker or to Google is counted.
 */
export async function connectTo(platform: { id: string }, person: TestPerson): Promise<void> {
  const context = inProcess();
  const { email, timezone: timeZone } = person;
  const { sub: id, ...tokens } = world.google.grant(email, SCOPES);
  const consent = await beginConsent(context, email);
  const accessExpiresAt = world.clock.now() + LIFE_MS;
  const stored = await commitConnection(context, {
    email,
    platformId: platform.id,
    suggested: undefined,
    consent,
    follow: async () => undefined,
    grant: {
      ...tokens,
      account: { id, email, emailVerified: true, ownsAddress: true },
      accessExpiresAt,
      scope: SCOPES.join(' '),
      timeZone,
      calendars: [{ id: 'primary', name: email, isOwned: true }],
    },
  });
  if ('refusal' in stored) throw new Error(`The consent of ${email} was refused: ${stored.refusal}.`);
  await Promise.all(works.splice(0));
}

function productContext(): Ctx {
  // What is left out belongs to services that a consent does not call.
  const env = { ...world.secrets, BASE_URL: world.baseUrl, DATABASE_URL: 'postgresql://none@none.test/none' };
  const outside = { UPSTASH_REDIS_REST_URL: `https://${HOSTS.redis}`, QSTASH_URL: `https://${HOSTS.qstash}` };
  return {
    ...createContext({ ...env, ...outside } as Env, 'req_test', (work) => works.push(work)),
    db: openDb(world.neon),
    clock: world.clock,
    queue: { publish: async (...messages) => void (await Promise.all(messages.map(publish))) },
  };
}

async function publish({ path, body, lane }: QueueMessage): Promise<void> {
  const lanes = {
    'Upstash-Flow-Control-Key': lane?.key ?? '',
    'Upstash-Flow-Control-Value': `parallelism=${lane?.parallelism}`,
  };
  const response = await world.qstash.fetch(
    new Request(`https://${HOSTS.qstash}/v2/publish/${world.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${world.secrets.QSTASH_TOKEN}`,
        'Content-Type': 'application/json',
        'Upstash-Retries': '3',
        ...(lane === undefined ? {} : lanes),
      },
      body: JSON.stringify(body),
    }),
  );
  if (!response.ok) throw new Error(`the queue answered ${response.status}`);
}
