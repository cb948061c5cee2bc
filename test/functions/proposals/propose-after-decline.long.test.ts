import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { violations } from '../../support/checks/checker.ts';
import { eventsOf, tick, writtenEvents } from '../../support/people/calendars.ts';
import { pass } from '../../support/people/meetings.ts';
import { accept, decline, type Proposal, subscribe } from '../../support/people/proposing.ts';
import { booked, readByTick } from '../../support/people/snapshots.ts';
import { hold, met } from '../../support/worlds/held.ts';
import { eventually, quiet } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Scene = Awaited<ReturnType<typeof booked>>;

/** The batch that tells the platform of a decline. */
const REPORT = { target: 'neon', body_match: 'attendee_declined' } as const;

/** Books a meeting some days ahead, on a platform that offers other times for a declined meeting. */
async function scene(hoursAhead = 24 * 8) {
  const made = await booked({ onDecline: 'propose', hoursAhead });
  await subscribe(made.platform);
  return made;
}

const proposalsOf = async ({ platform }: Scene) =>
  ((await platform.api.send('GET', '/v1/proposals')).body as { proposals: Proposal[] }).proposals;

/** Returns the proposals once so many were made. Tandem tells the platform of the decline before it proposes. */
const madeProposals = (made: Scene, count: number) =>
  eventually(async () => {
    const found = await proposalsOf(made);
    if (found.length < count) throw new Error(`${found.length} of ${count} proposals were made`);
    return found;
  });

/** Lets somebody answer in their calendar, and has Tandem read it and act on it. */
async function answers({ inCalendar, ada, bob }: Scene, email: string, responseStatus: string) {
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
