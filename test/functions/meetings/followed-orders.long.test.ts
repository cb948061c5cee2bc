import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { violations } from '../../support/checks/checker.ts';
import { askByTick, booked, eventsOf, readByTick, tick, writtenEvents } from '../../support/people/calendars.ts';
import { bodyFor, later, moved, post, put } from '../../support/people/changing.ts';
import { connectedPerson } from '../../support/people/factories.ts';
import { heldBy, iso, PATCH_EVENT, pass } from '../../support/people/meetings.ts';
import { accept, type Proposal, passUntil, proposed, readProposal, weekdays } from '../../support/people/proposing.ts';
import { dying, eventually, hold, met, quiet } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

// Changes of a calendar that Tandem follows while, or after, the meeting gets another id or another event.
healAfterEach();

type Followed = Awaited<ReturnType<typeof booked>>;

const SAVED = { target: 'neon', body_match: 'set \\\\"event_token\\\\"', times: 1 } as const;
const LOOK_UP = { target: 'google', match: 'GET /calendar/v3/calendars/primary/events/' } as const;
const DAILY = { recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] };

async function rescheduled(meeting: Followed): Promise<string> {
  const answer = await post(meeting);
  expect(answer.status, answer.text).toBe(200);
  return moved(answer).new_meeting_id;
}

/** Answers the invitation 15 s later, and has the push followed. */
async function answered(meeting: Followed, responseStatus: string, email = meeting.bob.email): Promise<void> {
  await world.advance(15_000);
  meeting.inCalendar(email, { responseStatus });
  await readByTick(meeting.ada.email);
}

/** Lets all pending work be done, and checks the world at rest. */
async function expectPeace({ platform, ada, eventId }: Followed): Promise<void> {
  await readByTick(ada.email);
  await pass(61);
  await quiet([platform]);
  expect(await violations({ platforms: [platform], changed: new Set([eventId]) })).toEqual([]);
}

const eventOf = async (id: string) => {
  const [row] = await world.neon.query('select provider_event_id as event from meetings where id = $1', [id]);
  return String(row?.event);
};

const rsvpsOf = async ({ platform }: Followed, id: string) =>
  ((await platform.api.send('GET', `/v1/meetings/${id}`)).body as { rsvps: { response_status: string }[] }).rsvps.map(
    ({ response_status }) => response_status,
  );

test.each([
  ['declined', 1],
  ['accepted', 2],
])('an answer that was read before a reschedule, and is stored after it: %s', async (response, count) => {
  const meeting = await booked();
  const { ada, bob } = meeting;
  if (response === 'accepted') await answered(meeting, 'declined');
  await world.advance(60_000);
  const saved = hold(SAVED);
  meeting.inCalendar(bob.email, { responseStatus: response });
  await askByTick(ada.email);
  await met(saved);
  const id = await rescheduled(meeting);
  saved.release();
  await eventually(async () => expect(await rsvpsOf(meeting, id)).toContain(response));
  await expectPeace(meeting);
  expect(await heldBy(id)).toEqual([ada.email, bob.email].slice(0, count));
});

describe('a series made of the event of a meeting that was rescheduled', () => {
  test('keeps the counters of the months', async () => {
    const meeting = await booked();
    await answered(meeting, 'accepted');
    await world.advance(60_000);
    const id = await rescheduled(meeting);
    await world.advance(15_000);
    meeting.inCalendar(meeting.ada.email, DAILY);
    await expectPeace(meeting);
    expect(await rsvpsOf(meeting, id)).toContain('accepted');
  });

  test('keeps an answer that was read before and is stored after', async () => {
    const meeting = await booked();
    const { ada, bob } = meeting;
    const id = await rescheduled(meeting);
    await readByTick(ada.email);
    await world.advance(60_000);
    world.faults.add({ ...LOOK_UP, mode: 'status', status: 500 });
    meeting.inCalendar(ada.email, DAILY);
    await readByTick(ada.email);
    world.faults.clear();
    await world.advance(10 * 60_000);
    const lookedUp = hold({ ...LOOK_UP, times: 1 });
    const sweep = world.worker.runScheduled(world.clock.now());
    await met(lookedUp);
    const saved = hold(SAVED);
    meeting.inCalendar(bob.email, { responseStatus: 'declined' });
    await askByTick(ada.email);
    await met(saved);
    lookedUp.release();
    await eventually(async () => expect(await eventOf(id)).toContain('_'));
    saved.release();
    await sweep;
    await expectPeace(meeting);
    expect(await rsvpsOf(meeting, id)).toContain('declined');
    expect(await heldBy(id)).toEqual([ada.email]);
  });
});

describe('a proposal of another time that is accepted', () => {
  test('who was taken off the event is not held', async () => {
    const meeting = await booked();
    const { platform, ada } = meeting;
    meeting.inCalendar(ada.email, { attendees: [{ email: ada.email }] });
    await readByTick(ada.email);
    await quiet([platform]);
    expect(await heldBy(meeting.id)).toEqual([ada.email]);
    const times = weekdays(4).slice(2).map(iso);
    const proposal = await proposed(platform, { meeting_id: meeting.id, times });
    const answer = await accept(platform, proposal.proposal_id, proposal.times[0]?.id);
    expect(answer.status, answer.text).toBe(200);
    await expectPeace(meeting);
    expect(await heldBy((answer.body as { meeting_id: string }).meeting_id)).toEqual([ada.email]);
  });

  test.each([
    ['its platform', ({ platform }: Followed, of: Proposal) => accept(platform, of.proposal_id, of.times[0]?.id)],
    ['its expiry', (_: Followed, { expires_at }: Proposal) => passUntil(expires_at)],
  ])('who had declined is free where %s accepts it, until they accept in their calendar', async (_who, acceptIt) => {
    const meeting = await booked();
    const { platform, ada, bob } = meeting;
    await answered(meeting, 'declined');
    const times = weekdays(4).slice(2).map(iso);
    const body = { meeting_id: meeting.id, times, on_expiry: 'book_first', expires_in_hours: 1 };
    const proposal = await proposed(platform, body);
    await acceptIt(meeting, proposal);
    const { meeting_id: id } = await readProposal(platform, proposal.proposal_id);
    expect(await heldBy(String(id))).toEqual([ada.email]);
    await answered(meeting, 'accepted');
    await expectPeace(meeting);
    expect(await heldBy(String(id))).toEqual([ada.email, bob.email]);
  });
});

const listed = () => world.traffic.list().filter(({ method, path }) => method === 'GET' && path.endsWith('/events'));

const move = (meeting: Followed) => put(meeting, bodyFor(later(meeting)));

const tellers = async (platform: Parameters<typeof eventsOf>[0], count: number) =>
  (await eventsOf(platform, 'meeting.updated', count)).map(
    ({ body }) => (body.data as { changes: { updated_by: string } }).changes.updated_by,
  );

test('our own move is told once, as the platform’s, though the Worker died before the calendar’s answer', async () => {
  const meeting = await booked();
  const { platform, ada } = meeting;
  await dying({ ...PATCH_EVENT, mode: 'kill_after' }, () => move(meeting));
  await readByTick(ada.email);
  await eventually(() => expect(listed().length).toBeGreaterThan(0));
  await world.advance(61_000);
  await tick();
  expect(await tellers(platform, 1)).toEqual([platform.id]);
  await world.advance(10 * 60_000);
  await tick();
  await readByTick(ada.email);
  expect(await writtenEvents(platform, 'meeting.updated')).toBe(1);
});

test('our own move is told once, as the platform’s, though it was pushed and read before it was committed', async () => {
  const meeting = await booked();
  const { platform, ada } = meeting;
  const held = hold({ target: 'neon', body_match: 'meeting\\.updated', times: 1 });
  world.traffic.clear();
  const moving = move(meeting);
  await met(held);
  await eventually(async () => {
    await world.google.settled();
    expect(listed().length).toBeGreaterThan(0);
  });
  held.release();
  expect((await moving).status).toBe(200);
  await world.advance(10 * 60_000);
  await tick();
  await readByTick(ada.email);
  expect(await tellers(platform, 1)).toEqual([platform.id]);
});

test('an answer given on top of our move comes back, and the move is no news', async () => {
  const meeting = await booked();
  const { platform, ada, bob } = meeting;
  world.google.settings.pushes = 'lost';
  expect((await move(meeting)).status).toBe(200);
  meeting.inCalendar(bob.email, { responseStatus: 'accepted' });
  await readByTick(ada.email, bob.email);
  await eventually(async () => expect((await meeting.meeting()).rsvps[1]?.response_status).toBe('accepted'));
  expect(await tellers(platform, 1)).toEqual([platform.id]);
});

test('a person’s move on top of ours is followed, and told beside it', async () => {
  const meeting = await booked();
  const { platform, ada, start } = meeting;
  world.google.settings.pushes = 'lost';
  expect((await move(meeting)).status).toBe(200);
  meeting.inCalendar(ada.email, { start: iso(start + 48 * HOUR), end: iso(start + 49 * HOUR) });
  await askByTick(ada.email);
  await eventually(async () => expect((await tellers(platform, 2)).sort()).toEqual(['calendar', platform.id].sort()));
  expect(Date.parse((await meeting.meeting()).start_time)).toBe(start + 48 * HOUR);
});

test('a move there and back between two reads is no news', async () => {
  const { platform, ada, bob, start, inCalendar } = await booked();
  world.google.settings.pushes = 'lost';
  for (const hours of [3, 0])
    inCalendar(ada.email, { start: iso(start + hours * HOUR), end: iso(start + hours * HOUR + HOUR / 2) });
  await readByTick(ada.email, bob.email);
  await tick();
  expect(await writtenEvents(platform, 'meeting.updated')).toBe(0);
});

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

/** Lets time pass until nothing is due, as ticks do it. */
async function settle({ platform }: Followed): Promise<void> {
  await pass(61);
  await quiet([platform]);
}

describe('an answer while a reschedule is unknown', () => {
  test('is shown by the meeting that is live afterwards', async () => {
    const meeting = await booked();
    await rescheduledUnknown(meeting);
    await answered(meeting, 'accepted');
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
    await answered(meeting, 'declined');
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
    await answered(meeting, 'declined');
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
  await answered(meeting, 'accepted', dan);
  await settle(meeting);
  expect(rsvpOf(await lastOf(meeting), dan)).toBe('accepted');
});
