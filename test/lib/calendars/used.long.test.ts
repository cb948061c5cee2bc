import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { scheduleMeeting } from '../../../lib/meetings/verbs/schedule.ts';
import { type Cases, openCases, type Person } from '../../support/checks/calendar-cases.ts';

// Each case has its own lab, because the same ticks would also read, and count, the calendars of others.
let cases: Cases;
beforeEach(async () => {
  cases = await openCases();
});
afterEach(() => cases.lab.close());

/** Counts the calls to the calendar in this many minutes, with a tick in each. */
async function callsIn(minutes: number, before: () => unknown = () => undefined): Promise<number> {
  const { lab } = cases;
  const calls = lab.counts.calendar;
  for (let passed = 0; passed < minutes; passed++) {
    await before();
    lab.advance(MINUTE);
    await lab.tick();
  }
  return lab.counts.calendar - calls;
}

async function watched(): Promise<Person> {
  const ada = await cases.person('Europe/Berlin');
  await cases.rest();
  return ada;
}

const sourceOf = async ({ email }: Person) => (await cases.lab.ask(email))[0];
const change = ({ email }: Person, at: number) =>
  cases.lab.google.addEvent({ email, ...cases.day(at, '09:00', '10:00') });

/** Books a Tandem meeting on the first person's calendar, three weeks ahead. */
async function meetingOf([ada, bob]: [Person, Person]) {
  const { lab } = cases;
  await lab.run(() =>
    scheduleMeeting(lab.ctx, lab.platform, {
      attendees: [ada.email, bob.email],
      start: lab.clock.now() + 21 * DAY,
      durationMinutes: 30,
      title: 'Talk',
      description: null,
      location: 'Google Meet',
      requireFree: false,
      metadata: {},
    }),
  );
  const row = async () => (await lab.neon.query('select status, provider_event_id from meetings'))[0];
  const eventId = String((await row())?.provider_event_id);
  return { eventId, status: async () => (await row())?.status };
}

/** Two people whom nobody asked for since their meeting was booked, which is still to come. */
async function meetingAhead() {
  const [ada, bob] = [await watched(), await watched()];
  const meeting = await meetingOf([ada, bob]);
  await cases.rest();
  cases.lab.advance(2 * DAY);
  await callsIn(90);
  return { ada, meeting };
}

test('a calendar is read once after somebody asked for its person, and costs nothing after that', async () => {
  const { lab } = cases;
  const ada = await watched();
  lab.advance(2 * HOUR);
  expect(await callsIn(240)).toBe(0);
  await lab.ask(ada.email);
  expect(await callsIn(60)).toBe(1);
  expect(await callsIn(240)).toBe(0);
});

test('somebody whom nobody needs is not watched, and is read once a week to find out if they revoked access', async () => {
  const { lab } = cases;
  const ada = await watched();
  const readAt = async () => String((await lab.rowOf(ada.userId))?.read_at);
  const before = await readAt();
  lab.advance(2 * DAY + HOUR);
  await callsIn(5);
  expect(await readAt()).toBe(before);
  expect(lab.google.channels()).toEqual([]);
  const calls = lab.counts.calendar;
  for (let days = 0; days < 28; days++) {
    lab.advance(DAY);
    await lab.tick();
  }
  expect(lab.counts.calendar - calls).toBe(4);
  lab.google.revoke(ada.email);
  for (let days = 0; days < 7; days++) {
    lab.advance(DAY);
    await lab.tick();
  }
  const [row] = await lab.neon.query('select status from calendar_accounts where user_id = $1', [ada.userId]);
  expect(row?.status).not.toBe('connected');
});

test('somebody idle is watched again once they are asked for', async () => {
  const { lab } = cases;
  const ada = await watched();
  lab.advance(2 * DAY + HOUR);
  await callsIn(5);
  expect(await sourceOf(ada)).toBe('google');
  await callsIn(1);
  expect(lab.google.channels()).toHaveLength(1);
});

test('the time zone of somebody idle is read again once they are asked for, even just after they were read', async () => {
  const { lab } = cases;
  const ada = await watched();
  const zone = async () =>
    (await lab.neon.query('select calendar_time_zone as zone from users where id = $1', [ada.userId]))[0]?.zone;
  const readAt = async () => String((await lab.rowOf(ada.userId))?.read_at);
  lab.advance(2 * DAY + HOUR);
  await callsIn(5);
  const before = await readAt();
  while ((await readAt()) === before) await callsIn(1, () => lab.advance(HOUR));
  lab.google.addUser({ email: ada.email, timezone: 'Asia/Tokyo' });
  lab.advance(MINUTE);
  expect(await zone()).toBe('Europe/Berlin');
  await lab.ask(ada.email);
  await callsIn(1);
  expect(await zone()).toBe('Asia/Tokyo');
});

test('a search for somebody whom nobody asked for is live, and from the next tick on they are served', async () => {
  const { lab } = cases;
  const ada = await watched();
  lab.advance(2 * DAY);
  change(ada, 9);
  expect(await sourceOf(ada)).toBe('google');
  await callsIn(1);
  expect(await sourceOf(ada)).toBe('snapshot');
  await cases.agree(ada);
});

test('somebody whose last read failed is tried again as soon as they are asked for', async () => {
  const { lab } = cases;
  const ada = await watched();
  lab.advance(2 * DAY);
  for (let failures = 0; failures < 8; failures++) {
    lab.advance(20 * MINUTE);
    await lab.tick(cases.failing('/calendar/v3/freeBusy'));
  }
  expect(await sourceOf(ada)).toBe('google');
  await callsIn(1);
  for (const push of lab.google.takePushes()) await lab.deliver(push);
  expect(await sourceOf(ada)).toBe('snapshot');
});

test('a push makes the copy one of unknown truth, and no call', async () => {
  const { lab } = cases;
  const ada = await watched();
  await cases.agree(ada);
  change(ada, 9);
  const calls = lab.counts.calendar;
  for (const push of lab.google.takePushes()) await lab.deliver(push);
  expect(lab.counts.calendar).toBe(calls);
  expect(await lab.served(ada.email)).toBeUndefined();
});

test('what becomes of a meeting ahead is known within a quarter of an hour when its push is lost, though nobody asks', async () => {
  const { lab } = cases;
  const { ada, meeting } = await meetingAhead();
  // Six checks of the meeting per hour, or eight with the random shifts.
  expect(await callsIn(60)).toBeLessThanOrEqual(8);
  lab.google.patchEvent({ email: ada.email, eventId: meeting.eventId, deleted: true });
  lab.google.takePushes();
  await callsIn(15);
  expect(await meeting.status()).toBe('cancelled');
});

test('a change to an upcoming meeting is known at the next tick if its push arrives', async () => {
  const { lab } = cases;
  const { ada, meeting } = await meetingAhead();
  lab.google.patchEvent({ email: ada.email, eventId: meeting.eventId, deleted: true });
  for (const push of lab.google.takePushes()) await lab.deliver(push);
  expect(await meeting.status()).toBe('scheduled');
  await callsIn(1);
  expect(await meeting.status()).toBe('cancelled');
});
