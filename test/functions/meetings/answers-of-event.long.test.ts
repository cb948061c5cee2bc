import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { askByTick, booked, readByTick } from '../../support/people/calendars.ts';
import { bodyFor, later, post, put } from '../../support/people/changing.ts';
import { connectedPerson } from '../../support/people/factories.ts';
import { heldBy, PATCH_EVENT, pass } from '../../support/people/meetings.ts';
import { dying, eventually, hold, met, quiet } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Followed = Awaited<ReturnType<typeof booked>>;

const COMMIT = { target: 'neon', body_match: 'meeting\\.scheduled' } as const;

interface Shown {
  meeting_id: string;
  status: string;
  rescheduled_to?: string;
  rsvps: { email: string; response_status: string; responded_at: string | null }[];
}

/** Returns the meeting that replaced this one last, or this one. */
async function lastOf({ platform, id }: Followed): Promise<Shown> {
  for (let at = id; ; ) {
    const shown = (await platform.api.send('GET', `/v1/meetings/${at}`)).body as Shown;
    if (shown.rescheduled_to === undefined) return shown;
    at = shown.rescheduled_to;
  }
}

const toldDeclines = async ({ platform }: Followed) =>
  (
    await world.neon.query(
      `select body::jsonb #>> '{data,meeting_id}' as id from deliveries
      where platform_id = $1 and body::jsonb #>> '{data,changes,reason}' = 'attendee_declined' order by created_at`,
      [platform.id],
    )
  ).map(({ id }) => String(id));

const rsvpOf = ({ rsvps }: Shown, email: string) => rsvps.find((one) => one.email === email)?.response_status;

/** Reschedules; the Worker dies as soon as Google has taken the move. */
const rescheduledUnknown = (meeting: Followed) => dying({ ...PATCH_EVENT, mode: 'kill_after' }, () => post(meeting));

/** Reschedules; the commit is written only after `meanwhile`. */
async function rescheduledSlowly(meeting: Followed, meanwhile: () => Promise<void>): Promise<void> {
  const held = hold({ ...COMMIT, times: 1 });
  const moving = post(meeting);
  await met(held);
  await meanwhile();
  held.release();
  expect((await moving).status).toBe(200);
}

/** Answers the invitation 15 s later, and has the push followed. */
async function answer(meeting: Followed, responseStatus: string, email = meeting.bob.email): Promise<void> {
  await world.advance(15_000);
  meeting.inCalendar(email, { responseStatus });
  await readByTick(meeting.ada.email);
}

/** Lets time pass until nothing is due, as ticks do it. */
async function settle({ platform }: Followed): Promise<void> {
  await pass(61);
  await quiet([platform]);
}

describe('an answer while a reschedule is unknown', () => {
  test('is shown by the meeting that is live afterwards', async () => {
    const meeting = await booked();
    await rescheduledUnknown(meeting);
    await answer(meeting, 'accepted');
    await settle(meeting);
    const last = await lastOf(meeting);
    expect(last.meeting_id).not.toBe(meeting.id);
    expect(rsvpOf(last, meeting.bob.email)).toBe('accepted');
  });

  test.each([
    ['cancel', 'cancelled'],
    ['notify', 'scheduled'],
  ])('a decline is told once, and answered with %s', async (onDecline, status) => {
    const meeting = await booked({ onDecline });
    await rescheduledUnknown(meeting);
    await answer(meeting, 'declined');
    await settle(meeting);
    const last = await lastOf(meeting);
    expect(last).toMatchObject({ status });
    expect(rsvpOf(last, meeting.bob.email)).toBe('declined');
    expect(await heldBy(last.meeting_id)).toEqual(status === 'cancelled' ? [] : [meeting.ada.email]);
    expect(await toldDeclines(meeting)).toEqual([last.meeting_id]);
    await world.advance(HOUR);
    await readByTick(meeting.ada.email, meeting.bob.email);
    await quiet([meeting.platform]);
    expect(await toldDeclines(meeting)).toHaveLength(1);
  });
});

describe('an answer while a commit is delayed', () => {
  test.each(['accepted', 'tentative', 'declined'])('of a reschedule is kept: %s', async (response) => {
    const meeting = await booked();
    await rescheduledSlowly(meeting, async () => {
      await world.advance(3_500);
      meeting.inCalendar(meeting.bob.email, { responseStatus: response });
      await askByTick(meeting.ada.email);
      await world.google.settled();
    });
    await settle(meeting);
    const last = await lastOf(meeting);
    expect(rsvpOf(last, meeting.bob.email)).toBe(response);
    expect(await toldDeclines(meeting)).toEqual(response === 'declined' ? [last.meeting_id] : []);
  });

  test.each([
    ['of a booking is kept, and a decline told once the meeting is there', ['declined']],
    ['who declined a booking and accepted again is held', ['declined', 'accepted']],
  ])('%s', async (_name, responses) => {
    const meeting = await booked();
    const held = hold({ ...COMMIT, times: 1 });
    const booking = meeting.book(meeting.start + 24 * HOUR);
    await met(held);
    const [event] = world.google
      .events(meeting.ada.email)
      .filter(({ start }) => Date.parse(start?.dateTime ?? '') === meeting.start + 24 * HOUR);
    for (const responseStatus of responses) {
      world.google.patchEvent({ email: meeting.bob.email, eventId: event?.id ?? '', responseStatus });
      await readByTick(meeting.ada.email);
    }
    held.release();
    const { meeting_id: id } = await booking;
    await settle(meeting);
    const shown = await lastOf({ ...meeting, id });
    const isDeclined = responses.at(-1) === 'declined';
    expect(rsvpOf(shown, meeting.bob.email)).toBe(responses.at(-1));
    expect(await heldBy(shown.meeting_id)).toEqual([meeting.ada.email, ...(isDeclined ? [] : [meeting.bob.email])]);
    expect(await toldDeclines(meeting)).toEqual(isDeclined ? [id] : []);
  });
});

describe('after a reschedule', () => {
  test('a decline from before it is not told again under the new id', async () => {
    const meeting = await booked();
    await answer(meeting, 'declined');
    await eventually(async () => expect(await toldDeclines(meeting)).toEqual([meeting.id]));
    await rescheduledSlowly(meeting, async () => undefined);
    await world.advance(15_000);
    const { meeting_id: id } = await lastOf(meeting);
    meeting.inCalendar(meeting.ada.email, { summary: 'Another title' });
    await readByTick(meeting.ada.email);
    await settle(meeting);
    expect(rsvpOf(await lastOf(meeting), meeting.bob.email)).toBe('declined');
    expect(await toldDeclines(meeting)).toEqual([meeting.id]);
    expect(id).not.toBe(meeting.id);
  });

  test('a decline that came during it is told once, though the event is read again under the new id', async () => {
    const meeting = await booked();
    await rescheduledSlowly(meeting, async () => {
      meeting.inCalendar(meeting.bob.email, { responseStatus: 'declined' });
      await askByTick(meeting.ada.email);
      await world.google.settled();
    });
    world.google.expireSyncTokens(meeting.ada.email);
    await readByTick(meeting.ada.email);
    await settle(meeting);
    expect(await toldDeclines(meeting)).toEqual([(await lastOf(meeting)).meeting_id]);
  });
});

test('while an update with another attendee is unknown the new attendee’s answer is kept', async () => {
  const meeting = await booked();
  const { email: dan } = await connectedPerson(meeting.platform, { name: 'dan' });
  const change = { ...bodyFor(later(meeting)), attendees: [meeting.ada.email, dan] };
  await dying({ ...PATCH_EVENT, mode: 'kill_after' }, () => put(meeting, change));
  await answer(meeting, 'accepted', dan);
  await settle(meeting);
  expect(rsvpOf(await lastOf(meeting), dan)).toBe('accepted');
});
