import { expect, test } from 'vitest';
import { HOUR } from '../../lib/engine/time/dates.ts';
import { isSignedBy } from '../local/inbox.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from '../support/people/factories.ts';
import { answerWith, arrived, drain, hookOf } from '../support/people/webhooks.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

/** Connects two people to a platform. Their bookings start every half hour from the day after tomorrow. */
async function office() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const bob = await connectedPerson(platform, { name: 'bob' });
  await drain(platform);
  const first = Math.ceil(world.clock.now() / HOUR) * HOUR + 48 * HOUR;
  let booked = 0;

  async function bookOne(): Promise<string> {
    const start = first + booked * (HOUR / 2);
    booked += 1;
    const { status, body } = await platform.api.schedule({
      attendees: [ada.email, bob.email],
      start_time: new Date(start).toISOString(),
      duration_minutes: 30,
      title: 'Intro',
    });
    expect(status).toBe(200);
    return (body as { meeting_id: string }).meeting_id;
  }

  /** Books `count` meetings, ten at a time, and returns their ids. */
  async function book(count: number): Promise<string[]> {
    const ids: string[] = [];
    while (ids.length < count)
      ids.push(...(await Promise.all(Array.from({ length: Math.min(10, count - ids.length) }, bookOne))));
    return ids;
  }
  return { platform, book };
}

/** Returns the meetings of the deliveries after the first `from` that are signed with the secret the receiver knows. */
function takenIn(platform: TestPlatform, secret: string, from: number) {
  return arrived(platform)
    .slice(from)
    .filter((delivery) => isSignedBy(secret, delivery))
    .map(({ body_text }): string => JSON.parse(body_text).data.meeting_id)
    .sort();
}

test('an endpoint down for a day gets all 300 events by one replay, each once, under the one secret it knows', async () => {
  const { platform, book } = await office();
  const hook = hookOf(platform);
  const since = new Date(world.clock.now()).toISOString();
  const meetings: string[] = [];
  answerWith(platform, { status: 503 });
  for (const part of ['morning', 'noon', 'evening']) {
    meetings.push(...(await book(100)));
    await drain(platform);
    if (part === 'noon') await hook.rotate();
    await world.advance(8 * HOUR);
  }
  const down = arrived(platform).length;
  expect(down).toBe(2 + 3 * 300);

  const oldSecret = platform.webhook_secret ?? '';
  answerWith(platform, { secret: oldSecret });
  expect((await hook.replaySince({ since, status: 'failed' })).body).toMatchObject({ replayed: 300, has_more: false });
  await drain(platform);
  expect(takenIn(platform, oldSecret, down)).toEqual(meetings.sort());
  expect((await hook.logs('?limit=1')).body).toMatchObject({
    // The failed ones have arrived, so none counts as failed.
    stats: { total_sent: 302, success_rate: 1, last_30_days: { success: 302, failed: 0 } },
  });
  expect((await hook.replaySince({ since, status: 'failed' })).body).toMatchObject({ replayed: 0 });
});
