import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { violations } from '../../support/checks/checker.ts';
import { refusal } from '../../support/checks/errors.ts';
import { booked as bookedSoon, eventsOf, readByTick, tick, writtenEvents } from '../../support/people/calendars.ts';
import { bodyFor, cancel, holdsAt, later, post, put } from '../../support/people/changing.ts';
import { webhooksOf } from '../../support/people/factories.ts';
import { type Booked, booked, iso, pass, rowOf, setPreferences, usageOf } from '../../support/people/meetings.ts';
import { expectMovedBy, expectNoMove, moveOf, moving } from '../../support/people/move-proposals.ts';
import {
  accept,
  decline,
  heldFor,
  type Proposal,
  passUntil,
  propose,
  readProposal,
  subscribe,
  weekdays,
  withdraw,
} from '../../support/people/proposing.ts';
import { eventually, hold, met, quiet } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const at = (time = '') => Date.parse(time);

describe('a proposal that moves a meeting', () => {
  test('holds its times, has what the meeting has, and leaves the meeting as it is', async () => {
    const { meeting, proposal } = await moving({}, { metadata: { deal: 'D-1' } });
    const { platform, ada, bob, id, start, end } = meeting;
    expect(proposal).toMatchObject({
      status: 'open',
      attendees: [ada.email, bob.email],
      duration_minutes: 30,
      title: 'Intro',
      description: null,
      location: 'Google Meet',
      metadata: { deal: 'D-1' },
      meeting_id: null,
      moves_meeting_id: id,
    });
    expect(await readProposal(platform, proposal.proposal_id)).toEqual(proposal);
    expect(await heldFor(platform)).toBe(6);
    expect(await rowOf(id)).toMatchObject({
      status: 'scheduled',
      unlocked: true,
      holds: holdsAt(meeting, start, end),
      pending: [],
    });
  });

  test('moves the meeting to the accepted time, under a new id, and takes nothing from the quota', async () => {
    const made = await moving();
    const { meeting, proposal, id } = made;
    const { platform } = meeting;
    const [, time] = proposal.times;
    const answer = await accept(platform, id, time?.id);
    expect(answer.status).toBe(200);
    expect((await accept(platform, id, time?.id)).text).toBe(answer.text);
    const { meeting_id } = await expectMovedBy(made);
    expect(meeting_id).not.toBe(meeting.id);
    const scheduled = (await webhooksOf(platform)).flatMap(({ body }) =>
      body.event_type === 'meeting.scheduled' ? [body.data] : [],
    );
    expect(scheduled).toMatchObject([
      { meeting_id: meeting.id },
      { meeting_id, rescheduled_from: meeting.id, start_time: time?.start_time },
    ]);
    expect(await usageOf(platform)).toEqual([{ used: 1, confirmed: 1 }]);
  });

  test('can move it to a time that overlaps its own', async () => {
    const [start = 0] = weekdays(1);
    const made = await moving({ times: [iso(start + 15 * MINUTE)] });
    expect((await accept(made.meeting.platform, made.id, made.proposal.times[0]?.id)).status).toBe(200);
    await expectMovedBy(made);
  });

  test('can give it another length', async () => {
    const made = await moving({ duration_minutes: 45 });
    expect(made.proposal).toMatchObject({ duration_minutes: 45 });
    expect((await accept(made.meeting.platform, made.id, made.proposal.times[0]?.id)).status).toBe(200);
    const { times } = await expectMovedBy(made);
    const [time] = times.filter(({ status }) => status === 'accepted');
    expect(at(time?.end_time) - at(time?.start_time)).toBe(45 * MINUTE);
  });

  test('lets Tandem pick the times, none of them the one that the meeting has', async () => {
    const { meeting, proposal } = await moving({ times: undefined, count: 5 });
    expect(proposal.times).toHaveLength(5);
    for (const { start_time } of proposal.times)
      expect(Math.abs(at(start_time) - meeting.start)).toBeGreaterThanOrEqual(30 * MINUTE);
  });

  test('counts with its meeting as one of a day', async () => {
    const meeting = await booked({ start: weekdays(1)[0] ?? 0 });
    await setPreferences(meeting.ada.email, { max_meetings_per_day: 1 });
    const answer = await propose(meeting.platform, { ...moveOf(meeting), times: [iso(meeting.start + HOUR)] });
    expect(answer.status).toBe(201);
  });
});

describe('the expiry of a move', () => {
  test('comes at the latest when the meeting begins, or 15 minutes before if it moves the meeting', async () => {
    const { proposal, meeting } = await moving({ expires_in_hours: 336 });
    expect(proposal.expires_at).toBe(iso(meeting.start));
    const other = await moving({ expires_in_hours: 336, on_expiry: 'book_first' });
    expect(other.proposal.expires_at).toBe(iso(other.meeting.start - 15 * MINUTE));
  });

  test('moves it with book_first', async () => {
    const made = await moving({ expires_in_hours: 1, on_expiry: 'book_first' });
    await passUntil(made.proposal.expires_at);
    const { times } = await expectMovedBy(made);
    expect(times.map(({ status }) => status)).toEqual(['accepted', 'released', 'released']);
  });
});

describe('if the meeting changes meanwhile, the proposal expires', () => {
  test.each<[string, (meeting: Booked) => Promise<{ status: number }>]>([
    ['cancelled', (meeting) => cancel(meeting)],
    ['moved', (meeting) => put(meeting, bodyFor(later(meeting)))],
    ['lengthened', (meeting) => put(meeting, bodyFor({ start: meeting.start, end: meeting.end + HOUR }))],
  ])('%s', async (_how, change) => {
    const made = await moving();
    expect((await change(made.meeting)).status).toBe(200);
    expect(await accept(made.meeting.platform, made.id, made.proposal.times[0]?.id)).toMatchObject(
      refusal(409, 'proposal_ended', { message: expect.stringContaining('it is expired') }),
    );
    await pass(60);
    await expectNoMove(made, 'expired');
    expect(await heldFor(made.meeting.platform)).toBe(0);
  });

  test.each<[string, (meeting: Booked) => object]>([
    ['moved', ({ start, end }) => ({ start: iso(start + HOUR), end: iso(end + HOUR) })],
    ['deleted', () => ({ deleted: true })],
  ])('%s in the calendar', async (_how, change) => {
    const made = await moving({ on_expiry: 'book_first' });
    const { ada, eventId } = made.meeting;
    world.google.patchEvent({ email: ada.email, eventId, ...change(made.meeting) });
    await world.google.settled();
    for (let ticks = 0; ticks < 3; ticks += 1) await pass(60);
    await expectNoMove(made, 'expired');
    expect(await heldFor(made.meeting.platform)).toBe(0);
  });

  test('but not if only its metadata changes', async () => {
    const made = await moving();
    const change = { ...bodyFor(made.meeting), metadata: { deal: 'D-2' } };
    expect((await put(made.meeting, change)).status).toBe(200);
    expect((await accept(made.meeting.platform, made.id, made.proposal.times[0]?.id)).status).toBe(200);
    await expectMovedBy(made);
  });

  test('a reschedule may take a time that the proposal holds', async () => {
    const made = await moving();
    const { start_time: start = '', end_time: end = '' } = made.proposal.times[0] ?? {};
    const answer = await post(made.meeting, { preferred_time_range: { start, end } });
    expect(answer).toMatchObject({ status: 200, body: { new_meeting_time: start } });
    await pass(60);
    await expectNoMove(made, 'expired');
  });
});

test('a meeting has at most one open proposal', async () => {
  const made = await moving();
  const { platform, start } = made.meeting;
  const again = { ...moveOf(made.meeting), times: [iso(start + 7 * DAY)] };
  expect(await propose(platform, again)).toMatchObject(
    refusal(409, 'too_many_proposals', { field: 'meeting_id', message: expect.stringContaining(made.id) }),
  );
  await withdraw(platform, made.id);
  expect((await propose(platform, again)).status).toBe(201);
});

type Declined = Awaited<ReturnType<typeof bookedSoon>>;

const REPORT = { target: 'neon', body_match: 'attendee_declined' } as const;

async function scene(hoursAhead = 24 * 8) {
  const made = await bookedSoon({ onDecline: 'propose', hoursAhead });
  await subscribe(made.platform);
  return made;
}

const proposalsOf = async ({ platform }: Declined) =>
  ((await platform.api.send('GET', '/v1/proposals')).body as { proposals: Proposal[] }).proposals;

/** Returns the proposals once so many were made. Tandem tells the platform of the decline before it proposes. */
const madeProposals = (made: Declined, count: number) =>
  eventually(async () => {
    const found = await proposalsOf(made);
    if (found.length < count) throw new Error(`${found.length} of ${count} proposals were made`);
    return found;
  });

/** Lets somebody answer in their calendar, and has Tandem read it and act on it. */
async function answers({ inCalendar, ada, bob }: Declined, email: string, responseStatus: string) {
  inCalendar(email, { responseStatus });
  await world.google.settled();
  await readByTick(ada.email, bob.email);
  await tick();
  // A sweep that met another change of the meeting comes back a minute later.
  await pass(60);
}

test('a decline offers three other times, tells the platform of the decline, and leaves the meeting', async () => {
  const made = await scene();
  await answers(made, made.bob.email, 'declined');
  const [told] = await eventually(() => eventsOf(made.platform, 'meeting.updated'));
  expect(told?.body.data.changes).toMatchObject({ reason: 'attendee_declined', attendee: made.bob.email });
  const [proposal, ...more] = await madeProposals(made, 1);
  expect(more).toEqual([]);
  expect(proposal).toMatchObject({ status: 'open', moves_meeting_id: made.id, on_expiry: 'cancel' });
  expect(proposal?.times).toHaveLength(3);
  expect(proposal?.times.map(({ start_time }) => Date.parse(start_time))).not.toContain(made.start);
  expect((await made.meeting()).status).toBe('scheduled');
  await tick();
  expect(await proposalsOf(made)).toHaveLength(1);
  expect(await writtenEvents(made.platform, 'meeting.updated')).toBe(1);
  await accept(made.platform, proposal?.proposal_id ?? '', proposal?.times[0]?.id);
  expect((await made.meeting()).status).toBe('rescheduled');
  await expectPeace({ platforms: [made.platform] });
});

test('a decline that a sweep finds while the read of the calendar reports it is told once, and answered at once', async () => {
  const made = await scene();
  // A push would start a read of its own, and the first tick could report the decline before that read does.
  world.google.settings.pushes = 'lost';
  made.inCalendar(made.bob.email, { responseStatus: 'declined' });
  await world.google.settled();
  // Without a push, a calendar's changes are listed every ten minutes.
  await world.advance(11 * MINUTE);
  const byRead = hold({ ...REPORT, times: 1 });
  const reading = readByTick(made.ada.email, made.bob.email);
  await met(byRead);
  await tick();
  byRead.release();
  await reading;
  await pass(60);
  expect(await madeProposals(made, 1)).toMatchObject([{ status: 'open', moves_meeting_id: made.id }]);
  await quiet([made.platform]);
  expect(await writtenEvents(made.platform, 'meeting.updated')).toBe(1);
  expect(await violations({ platforms: [made.platform] })).toEqual([]);
});

test('a decline within 48 hours of the meeting only tells the platform', async () => {
  const made = await scene(48 + 2);
  await world.advance(3 * HOUR);
  await answers(made, made.bob.email, 'declined');
  await eventually(() => eventsOf(made.platform, 'meeting.updated'));
  expect(await proposalsOf(made)).toEqual([]);
  await expectPeace({ platforms: [made.platform] });
});

test('at most three times, over all moves of the meeting, and never a time that was declined', async () => {
  const made = await scene(24 * 20);
  const offered: number[] = [made.start];
  for (const round of [1, 2, 3]) {
    await answers(made, made.bob.email, 'declined');
    const open = (await madeProposals(made, round)).find(({ status }) => status === 'open');
    if (open === undefined) throw new Error(`Nothing was offered in round ${round}.`);
    const starts = open.times.map(({ start_time }) => Date.parse(start_time));
    expect(starts.filter((start) => offered.includes(start))).toEqual([]);
    // Of an accepted proposal only the chosen time is the meeting's own; nobody declined the others.
    offered.push(...(round === 2 ? starts.slice(0, 1) : starts));
    // The second proposal is accepted, so the third belongs to the meeting that replaced the first.
    if (round === 2) {
      expect((await accept(made.platform, open.proposal_id, open.times[0]?.id)).status).toBe(200);
      await world.advance(MINUTE);
    } else expect((await decline(made.platform, open.proposal_id)).status).toBe(200);
    await answers(made, made.bob.email, 'accepted');
  }
  await answers(made, made.bob.email, 'declined');
  expect((await proposalsOf(made)).map(({ status }) => status).sort()).toEqual(['accepted', 'declined', 'declined']);
  await expectPeace({ platforms: [made.platform] });
});

test('a second person who declines finds the open proposal', async () => {
  const made = await scene();
  await answers(made, made.bob.email, 'declined');
  await madeProposals(made, 1);
  await answers(made, made.ada.email, 'declined');
  await quiet([made.platform]);
  expect(await proposalsOf(made)).toHaveLength(1);
  expect(await violations({ platforms: [made.platform] })).toEqual([]);
});

test('a calendar that fails is asked again five minutes later', async () => {
  const made = await scene();
  world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 500 });
  made.inCalendar(made.bob.email, { responseStatus: 'declined' });
  await eventually(() => eventsOf(made.platform, 'meeting.updated'));
  await tick();
  expect(await proposalsOf(made)).toEqual([]);
  world.faults.clear();
  await pass(6 * 60);
  await pass(60);
  expect(await madeProposals(made, 1)).toHaveLength(1);
});
