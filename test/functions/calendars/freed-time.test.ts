import { expect, test } from 'vitest';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { pair } from '../../support/people/batches.ts';
import { readByTick } from '../../support/people/calendars.ts';
import { holdsAt } from '../../support/people/changing.ts';
import { atDashboard, remove, visit } from '../../support/people/dashboard.ts';
import { freshPlatform, ownClient, webhooksOf } from '../../support/people/factories.ts';
import { booked, inHours, iso, rowOf } from '../../support/people/meetings.ts';
import { leave } from '../../support/people/person-data.ts';
import { accept, proposed, proposing } from '../../support/people/proposing.ts';
import { eventually, hold, met } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** A meeting of two people who are also connected to another platform, and the API key of the organizer. */
async function shared() {
  const { platform, ada, bob } = await pair();
  const other = await freshPlatform({ plan: 'enterprise' });
  const own = await ownClient(other, ada.email);
  await world.connectCalendar(other, bob.email);
  const meeting = await booked({ start: inHours(48), pair: { platform, ada, bob } });
  await readByTick(ada.email, bob.email);
  return { platform, other, ada, bob, meeting, own };
}
type Shared = Awaited<ReturnType<typeof shared>>;

const heldBy = async ({ meeting }: Shared) => (await rowOf(meeting.id))?.holds;
const wholeTime = ({ meeting }: Shared, later = 0) => holdsAt(meeting, meeting.start + later, meeting.end + later);

const moveInCalendar = ({ ada, meeting: { eventId, start, end } }: Shared) =>
  world.google.patchEvent({ email: ada.email, eventId, start: iso(start + DAY), end: iso(end + DAY) });

const bookElsewhere = async ({ other, ada, bob, meeting }: Shared) =>
  (
    await other.api.schedule({
      attendees: [ada.email, bob.email],
      start_time: iso(meeting.start),
      duration_minutes: 30,
      title: 'Elsewhere',
      require_free: true,
    })
  ).status;

const ENDS: [string, (at: Shared) => Promise<unknown>, left: 'nobody' | 'ada'][] = [
  ['the organizer disconnects the platform', (at) => leave(at.ada.email, at.platform), 'nobody'],
  ['the platform disconnects the organizer', (at) => at.platform.api.disconnect(at.ada.email), 'nobody'],
  ['the organizer deletes their account', ({ own }) => own.send('DELETE', '/v1/user'), 'nobody'],
  ['the operator deletes the platform', ({ platform }) => remove(platform), 'nobody'],
  ['the attendee disconnects the platform', (at) => leave(at.bob.email, at.platform), 'ada'],
];

test.each(ENDS)('when %s, the meeting takes no time of those whom it can no longer follow', async (_how, end, left) => {
  const at = await shared();
  expect(await heldBy(at)).toEqual(wholeTime(at));
  await end(at);
  expect(await heldBy(at)).toEqual(left === 'ada' ? [wholeTime(at)[0]] : []);
});

test('after the organizer left, a time that the calendar frees is free for both on every other platform', async () => {
  const at = await shared();
  await leave(at.ada.email, at.platform);
  expect(await bookElsewhere(at)).toBe(409);
  moveInCalendar(at);
  await world.advance(2_000);
  expect(await bookElsewhere(at)).toBe(200);
});

test('a move in the calendar takes no time of an attendee who left', async () => {
  const at = await shared();
  await leave(at.bob.email, at.platform);
  moveInCalendar(at);
  await readByTick(at.ada.email, at.bob.email);
  expect(await heldBy(at)).toEqual([wholeTime(at, DAY)[0]]);
});

test('who connects again has the meeting again, at the time that the calendar shows', async () => {
  const at = await shared();
  await leave(at.ada.email, at.platform);
  await world.connectCalendar(at.platform, at.ada.email);
  expect(await heldBy(at)).toEqual(wholeTime(at));
  await leave(at.ada.email, at.platform);
  moveInCalendar(at);
  await world.connectCalendar(at.platform, at.ada.email);
  await readByTick(at.ada.email, at.bob.email);
  expect(await heldBy(at)).toEqual(wholeTime(at, DAY));
  await leave(at.bob.email, at.platform);
  await world.connectCalendar(at.platform, at.bob.email);
  expect(await heldBy(at)).toEqual(wholeTime(at, DAY));
  await expectPeace({ platforms: [at.platform, at.other] });
});

test('who connects again has no time held for an event that was deleted meanwhile', async () => {
  const at = await shared();
  const { ada, platform, meeting } = at;
  await leave(ada.email, platform);
  world.google.patchEvent({ email: ada.email, eventId: meeting.eventId, deleted: true });
  await world.connectCalendar(platform, ada.email);
  await eventually(async () => expect((await heldBy(at)) ?? []).toEqual([]));
});

test('a booking that is under way keeps its time until it ends, although the organizer leaves meanwhile', async () => {
  const at = await shared();
  const insert = hold({ target: 'google', match: 'POST /calendar/v3/calendars' });
  const start = inHours(96);
  const booking = booked({ start, pair: at });
  await met(insert);
  await leave(at.ada.email, at.platform);
  const held =
    'select count(*)::int as n from holds h join users u on u.id = h.user_id where u.email = any($1) and lower(h.during) = $2';
  const count = async () => (await world.neon.query(held, [`{${at.ada.email},${at.bob.email}}`, iso(start)]))[0];
  expect(await count()).toEqual({ n: 2 });
  insert.release();
  await booking;
  expect(await count()).toEqual({ n: 0 });
});

test('a proposal’s page and the dashboard show no zone to which the person moves after they left', async () => {
  const { platform, ada, body } = await proposing();
  const other = await freshPlatform({ plan: 'enterprise' });
  const own = await ownClient(other, ada.email);
  const proposal = await proposed(platform, body);
  const { meeting_id } = (await accept(platform, proposal.proposal_id, proposal.times[0]?.id)).body as {
    meeting_id: string;
  };
  await leave(ada.email, platform);
  expect((await own.send('PUT', '/v1/user/preferences', { timezone: 'Asia/Tokyo' })).status).toBe(200);
  const page = await fetch(proposal.url, { headers: { 'cf-connecting-ip': '192.0.2.7' } });
  expect([page.status, (await page.text()).includes('Tokyo')]).toEqual([200, false]);
  const { browser } = await atDashboard(platform);
  const meeting = await visit(browser, `/dashboard/meetings/${meeting_id}`);
  expect([meeting.status, meeting.html.includes('Tokyo')]).toEqual([200, false]);
});

test('a platform learns of no change in the calendar after its access ended, and of it once it has access again', async () => {
  const at = await shared();
  const { platform, ada, bob } = at;
  await leave(ada.email, platform);
  const before = (await webhooksOf(platform)).length;
  const told = async () => (await webhooksOf(platform)).slice(before).map(({ body }) => body.event_type);
  moveInCalendar(at);
  await world.google.settled();
  await readByTick(ada.email, bob.email);
  expect((await told()).filter((type) => type !== 'user.calendar.disconnected')).toEqual([]);
  await world.connectCalendar(platform, ada.email);
  await readByTick(ada.email, bob.email);
  expect(await told()).toContain('meeting.updated');
});
