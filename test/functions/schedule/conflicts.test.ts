import { expect, test } from 'vitest';
import { bookable, hoursLater } from '../../support/people/bookings.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
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
