import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
import { accepted, ended, pair } from '../../support/people/batches.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { bookable, FREE_BUSY, hoursLater, iso } from '../../support/people/meetings.ts';
import { weekdays } from '../../support/people/proposing.ts';
import { neon } from '../../support/worlds/crash-points.ts';
import { count, hold, met } from '../../support/worlds/held.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

interface Booked {
  meeting_id: string;
  start_time: string;
  end_time: string;
  conflicts: unknown[];
}

test('a meeting booked over others of the platform names them and whose they are', async () => {
  const { platform, ada, bob, body, start } = await bookable();
  const book = async (minutesLater: number, attendees = body.attendees) => {
    const start_time = hoursLater(start, minutesLater / 60);
    return (await platform.api.schedule({ ...body, attendees, start_time })).body as Booked;
  };
  const both = await book(0);
  expect(both.conflicts).toEqual([]);
  const carol = await connectedPerson(platform, { name: 'carol' });
  const early = await book(-15, [carol.email, bob.email]);
  const conflict = ({ meeting_id, start_time, end_time }: Booked, email: string) => ({
    email,
    meeting_id,
    start_time,
    end_time,
  });
  expect(early.conflicts).toEqual([conflict(both, bob.email)]);
  const over = await book(10);
  const [first, second] = [ada.email, bob.email].sort();
  expect(over.conflicts).toEqual([
    conflict(early, bob.email),
    conflict(both, first ?? ''),
    conflict(both, second ?? ''),
  ]);
  const touching = await book(40);
  expect(touching.conflicts).toEqual([]);
});

test('a cancelled meeting and another platform’s are no conflict', async () => {
  const { platform, ada, bob, body } = await bookable();
  const cancelled = (await platform.api.schedule(body)).body as Booked;
  await platform.api.send('DELETE', `/v1/meetings/${cancelled.meeting_id}`);
  const other = await freshPlatform({ plan: 'enterprise' });
  for (const { email } of [ada, bob]) await world.connectCalendar(other, email);
  expect((await other.api.schedule(body)).body).toMatchObject({ conflicts: [] });
  expect((await platform.api.schedule(body)).body).toMatchObject({ conflicts: [] });
});

test('the conflicts are part of the answer that is kept under a key', async () => {
  const { platform, body } = await bookable();
  const first = (await platform.api.schedule(body)).body as Booked;
  const headers = { 'Idempotency-Key': 'twice' };
  const answer = await platform.api.schedule(body, { headers });
  expect((answer.body as Booked).conflicts).toMatchObject([
    { meeting_id: first.meeting_id },
    { meeting_id: first.meeting_id },
  ]);
  expect((await platform.api.schedule(body, { headers })).text).toBe(answer.text);
});

const RESERVE = neon('insert into "pending_operations"', '"book"');

/** Creates two people who share two half hours of one day: 10:00, and 14:00. */
async function twoTimes() {
  const made = await pair();
  const { email } = made.ada;
  const day = Math.floor((weekdays(1)[0] ?? 0) / DAY) * DAY;
  const busy = [
    [world.clock.now() - DAY, day + 10 * HOUR],
    [day + 10.5 * HOUR, day + 14 * HOUR],
    [day + 14.5 * HOUR, day + 30 * DAY],
  ] as const;
  for (const [start, end] of busy) world.google.addBusy({ email, start: iso(start), end: iso(end) });
  return { ...made, day };
}

test('a job whose booking is held up for more than a second reads both calendars again, and takes the next time', async () => {
  const { platform, bob, body, day } = await twoTimes();
  const id = await accepted(platform, body);
  const looks = count(FREE_BUSY);
  const reserving = hold({ ...RESERVE, times: 1 });
  const running = world.qstash.deliverDue();
  await met(reserving);
  const before = looks.hits();
  world.google.addBusy({ email: bob.email, start: iso(day + 10 * HOUR), end: iso(day + 10.5 * HOUR) });
  await world.advance(1_100);
  reserving.release();
  await running;
  const { result } = await ended(platform, id);
  expect(result).toMatchObject({ success: true, chosen_slot: { start_time: expect.any(String) } });
  expect(Date.parse((result.chosen_slot as { start_time: string }).start_time)).toBe(day + 14 * HOUR);
  expect(before).toBe(2);
  expect(looks.hits()).toBeGreaterThanOrEqual(before + 2);
});
