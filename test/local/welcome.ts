import { DateTime } from 'luxon';
import type { Stack } from './seed.ts';

/** What `npm start` prints: where things are, the keys, and three calls to paste. */
export function welcome({ base_url, world_url, platform, users }: Stack, now: number): string {
  const [first, second] = users;
  if (first === undefined || second === undefined) throw new Error('two people are needed to meet');
  const attendees = [first.email, second.email];
  const availability = { attendees, duration_minutes: 30 };
  const meeting = { attendees, start_time: nextWorkday(now), duration_minutes: 30, title: 'Coffee' };
  const post = (path: string, body: object) =>
    `curl -s ${base_url}${path} -H 'Authorization: Bearer ${platform.secret_key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  return `
Tandem is running.

  API        ${base_url}
  world      ${world_url}   (control server and consent pages)
  platform   Demo, ${platform.id}
    secret key       ${platform.secret_key}
    publishable key  ${platform.publishable_key}
    webhook secret   ${platform.webhook_secret}
  people
${users.map(({ email, timezone, api_key }) => `    ${email.padEnd(24)} ${timezone.padEnd(18)} ${api_key}`).join('\n')}

Find the best times for two people:

  ${post('/v1/availability', availability)}

Book one; both calendars get the event and a Meet link:

  ${post('/v1/schedule', meeting)}

See the signed webhook that told the platform:

  curl -s ${world_url}/inbox

All of this is also in .local/stack.json. Ctrl-C stops it.
`;
}

function nextWorkday(now: number): string {
  const tomorrow = DateTime.fromMillis(now, { zone: 'utc' }).plus({ days: 1 }).startOf('day');
  const day = tomorrow.weekday > 5 ? tomorrow.plus({ days: 8 - tomorrow.weekday }) : tomorrow;
  return day.set({ hour: 14 }).toISO({ suppressMilliseconds: true }) ?? '';
}
