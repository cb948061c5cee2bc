import { createTandem } from '../../lib/client/tandem.ts';
import type { Stack } from './kept.ts';

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
