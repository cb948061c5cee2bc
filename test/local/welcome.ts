import * as z from 'zod';
import { createSealer } from '../../lib/adapters/sealed-tokens.ts';
import { createTandem } from '../../lib/client/tandem.ts';
import type { Stack } from './kept.ts';
import { isLive } from './people.ts';
import { seed } from './seed.ts';
import type { World } from './world.ts';

const DURATION_MINUTES = 30;
const REPLACED = 'replaced since, so only you have it';

/**
 * Finds the best time for the first two people. Returns undefined if the next two weeks have none, or without a secret
 * key.
 */
export async function findSlot(stack: Stack): Promise<string | undefined> {
  const { secret_key: apiKey } = stack.platform;
  if (apiKey === null) return undefined;
  const tandem = createTandem({ apiKey, baseUrl: stack.base_url });
  const { slots } = await tandem.findAvailability(searchOf(stack));
  return slots[0]?.start_time;
}

/** Returns what `npm start` prints: addresses, keys, people, and three calls to paste. The second call books `slot`. */
export function welcome(stack: Stack, slot = '<start_time of a slot in that answer>'): string {
  const { base_url, world_url, platform, users, cases } = stack;
  const meeting = { ...searchOf(stack), start_time: slot, require_free: true, title: 'Coffee' };
  const key = platform.secret_key ?? '<your secret key>';
  // The API's answers end without a newline, so curl adds one for the terminal.
  const post = (path: string, body: object) =>
    `curl -s -w '\\n' ${base_url}${path} -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const rows = (shown: { email: string; timezone: string; last: string }[]) =>
    shown.map(({ email, timezone, last }) => `    ${email.padEnd(24)} ${timezone.padEnd(18)} ${last}`).join('\n');
  return `
Tandem is running.

  API        ${base_url}
  world      ${world_url}   (controls the stand-ins and serves the consent pages; open it to see its calls)
  dashboard  ${world_url}/dashboard   (creates a link that is valid for ten minutes, and opens it)
  platform   Demo, ${platform.id}
    secret key       ${platform.secret_key ?? REPLACED}
    publishable key  ${platform.publishable_key ?? REPLACED}
    webhook secret   ${platform.webhook_secret ?? 'none, because there is no endpoint'}
  people
${rows(users.map(({ api_key, ...user }) => ({ ...user, last: api_key ?? REPLACED })))}
  people for trying a case
${rows(cases.map(({ what, ...person }) => ({ ...person, last: what })))}

Find the best times for two people:

  ${post('/v1/availability', searchOf(stack))}

Book the best of them; both calendars get the event and a Meet link:

  ${post('/v1/schedule', meeting)}

See the signed webhook that the platform received:

  curl -s ${world_url}/inbox

All of this is also in stack.json in the data folder. The world is kept there for the next start. Press Ctrl-C to stop.
`;
}

function searchOf({ users }: Stack) {
  const [first, second] = users;
  if (first === undefined || second === undefined)
    throw new Error('A search needs two people, and fewer are connected.');
  return { attendees: [first.email, second.email], duration_minutes: DURATION_MINUTES };
}

const Request = z.object({
  ...{ message: z.literal('request'), method: z.string(), route: z.string() },
  ...{ status: z.number(), duration_ms: z.number(), code: z.string().optional() },
});

/**
 * Returns a line of the Worker's log as a person at a terminal reads it: `POST /v1/schedule 409 slot_unavailable in 38 ms`. Errors stay
 * as they are. Returns undefined for what only the whole log has: the service's calls to itself, and other information.
 */
export function shownLine(line: string): string | undefined {
  if (!line.startsWith('{"level":"info"')) return line;
  const { data: request } = Request.safeParse(JSON.parse(line));
  if (request === undefined || request.route.startsWith('/internal/')) return undefined;
  const { method, route, status, code, duration_ms: took } = request;
  return [method, route, status, ...(code === undefined ? [] : [code]), `in ${took} ms`].join(' ');
}

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

/**
 * Returns what an earlier start printed, as far as it still holds: addresses are those of this start, and a key that was
 * replaced since is null. The webhook secret is the current one, because the product can read it.
 */
export async function currentStack(world: World, { platform, users, cases }: Stack): Promise<Stack> {
  const valid = async (key: string | null) => (key !== null && (await isLive(world.neon, key)) ? key : null);
  const [secret_key, publishable_key, webhook_secret, ...keys] = await Promise.all([
    valid(platform.secret_key),
    valid(platform.publishable_key),
    webhookSecretOf(world, platform.id),
    ...users.map(({ api_key }) => valid(api_key)),
  ]);
  return {
    base_url: world.baseUrl,
    world_url: world.worldUrl,
    platform: { id: platform.id, secret_key, publishable_key, webhook_secret },
    users: users.map(({ email, timezone }, at) => ({ email, timezone, api_key: keys[at] ?? null })),
    cases,
  };
}

async function webhookSecretOf({ neon, secrets }: World, platformId: string): Promise<string | null> {
  const [row] = await neon.query('select secret from webhook_endpoints where platform_id = $1', [platformId]);
  if (row === undefined) return null;
  const place = { column: 'webhook_endpoints.secret', row: platformId } as const;
  return createSealer(secrets.TOKEN_KEYS).open(String(row.secret), place);
}
