import { createTandem } from '../../lib/client/tandem.ts';
import type { Stack } from './kept.ts';

const DURATION_MINUTES = 30;

/** The best time for the first two people, if the next two weeks have one. */
export async function findSlot(stack: Stack): Promise<string | undefined> {
  const tandem = createTandem({ apiKey: stack.platform.secret_key, baseUrl: stack.base_url });
  const { slots } = await tandem.findAvailability(searchOf(stack));
  return slots[0]?.start_time;
}

/** What `npm start` prints: where things are, the keys, and three calls to paste, the second of which books `slot`. */
export function welcome(stack: Stack, slot = '<a start_time of that answer>'): string {
  const { base_url, world_url, platform, users } = stack;
  const meeting = { ...searchOf(stack), start_time: slot, require_free: true, title: 'Coffee' };
  const post = (path: string, body: object) =>
    `curl -s ${base_url}${path} -H 'Authorization: Bearer ${platform.secret_key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  return `
Tandem is running.

  API        ${base_url}
  world      ${world_url}   (control server and consent pages)
  dashboard  ${world_url}/dashboard   (makes a link of ten minutes, and opens it)
  platform   Demo, ${platform.id}
    secret key       ${platform.secret_key}
    publishable key  ${platform.publishable_key}
    webhook secret   ${platform.webhook_secret}
  people
${users.map(({ email, timezone, api_key }) => `    ${email.padEnd(24)} ${timezone.padEnd(18)} ${api_key}`).join('\n')}

Find the best times for two people:

  ${post('/v1/availability', searchOf(stack))}

Book the best of them; both calendars get the event and a Meet link:

  ${post('/v1/schedule', meeting)}

See the signed webhook that told the platform:

  curl -s ${world_url}/inbox

All of this is also in stack.json in the data folder, where the world is kept for the next start. Ctrl-C stops it.
`;
}

function searchOf({ users }: Stack) {
  const [first, second] = users;
  if (first === undefined || second === undefined) throw new Error('two people are needed to meet');
  return { attendees: [first.email, second.email], duration_minutes: DURATION_MINUTES };
}
