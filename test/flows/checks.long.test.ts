import { expect, test } from 'vitest';
import { HOUR } from '../../lib/engine/time/dates.ts';
import { meetingsIn, strangeLives } from '../chaos/model/meetings.ts';
import type { Told } from '../chaos/model/told.ts';
import { askForAll } from '../chaos/scene.ts';
import type { Ask, Trace } from '../chaos/trace.ts';
import { violations } from '../support/checks/checker.ts';
import { writtenEvents } from '../support/people/calendars.ts';
import { after, bodyFor, book, cancel, moved, post, put } from '../support/people/changing.ts';
import { webhooksOf } from '../support/people/factories.ts';
import { bookable, booked, DELETE_EVENT, pass, rowOf } from '../support/people/meetings.ts';
import { proposed, proposing } from '../support/people/proposing.ts';
import { dying, quiet } from '../support/worlds/quiet.ts';
import { expectPeace } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const at = ({ start, end }: { start: number; end: number }, hours: number) => ({
  start: start + hours * HOUR,
  end: end + hours * HOUR,
});

async function movedTwice() {
  const meeting = await booked();
  expect((await put(meeting, bodyFor(at(meeting, 1)))).status).toBe(200);
  world.clock.skew(-4_000);
  await world.advance(0);
  expect((await put(meeting, bodyFor(at(meeting, 2)))).status).toBe(200);
  world.clock.skew(0);
  await world.advance(0);
  await quiet([meeting.platform]);
  return meeting;
}

test('two moves reported by Workers with different clocks are accepted', async () => {
  const { platform } = await movedTwice();
  expect(await violations({ platforms: [platform] })).toEqual([]);
});

test('a move that was told otherwise is noticed', async () => {
  const { platform, id } = await movedTwice();
  await world.neon.query(
    `update deliveries set body = replace(body, '"old_start_time":"', '"old_start_time":"1')
    where platform_id = $1 and event_type = 'meeting.updated'`,
    [platform.id],
  );
  expect((await violations({ platforms: [platform] })).join()).toContain(`${id} is at`);
});

async function setClock(ms: number): Promise<void> {
  world.clock.skew(ms);
  await world.advance(0);
}

const freeTimeOf = ({ email }: { email: string }) =>
  world.neon.query(
    'delete from holds where proposal_id is not null and user_id = (select id from users where email = $1)',
    [email],
  );

test('no time is held for a person who returned after the proposal, although the Worker dates the return before it', async () => {
  const { platform, bob, body } = await proposing();
  await platform.api.disconnect(bob.email);
  await setClock(4_000);
  await proposed(platform, body);
  await setClock(0);
  await world.connectCalendar(platform, bob.email);
  await expectPeace({ platforms: [platform], returned: new Set([bob.email]) });
});

test('a time that is not held for a person who never left is noticed', async () => {
  const { platform, ada, bob, body } = await proposing();
  await proposed(platform, body);
  await freeTimeOf(bob);
  await quiet([platform]);
  expect((await violations({ platforms: [platform], returned: new Set([ada.email]) })).join()).toContain(
    'is held and has 1 holds',
  );
});

test('a time that is not held for a person who had returned is noticed', async () => {
  const { platform, bob, body } = await proposing();
  await platform.api.disconnect(bob.email);
  await world.connectCalendar(platform, bob.email);
  await world.advance(60_000);
  await proposed(platform, body);
  await freeTimeOf(bob);
  await quiet([platform]);
  expect((await violations({ platforms: [platform], returned: new Set([bob.email]) })).join()).toContain(
    'is held and has 1 holds',
  );
});

test('a cancellation whose outcome was unknown may end the meeting that replaced its own, and no other may', async () => {
  const meeting = await book();
  const { platform, ada, bob, id, eventId } = meeting;
  await dying({ ...DELETE_EVENT, mode: 'kill' }, () => cancel(meeting));
  await pass(61);
  const { new_meeting_id: heir } = moved(await post(meeting, after(meeting)));
  world.google.patchEvent({ email: ada.email, eventId, deleted: true });
  await pass(301);
  await quiet([platform]);
  const told = (await webhooksOf(platform)).map(
    ({ body }, at) =>
      ({ id: body.id, type: body.event_type, platform: platform.id, written: 0, at, data: body.data }) as Told,
  );
  expect(told.find(({ type }) => type === 'meeting.cancelled')).toMatchObject({
    data: { meeting_id: heir, cancelled_by: platform.id, reason: 'cancelled_by_platform' },
  });
  const shown = await askForAll([platform], [ada.email, bob.email], { asks: [], acts: [] });
  const asked: Ask = {
    ...{ operation: 'cancel', platform: platform.id, key: undefined, meetingId: id },
    ...{ first: 0, since: 0, answers: [], broken: 1 },
  };
  const strangeEnds = (asks: Ask[]) => {
    const trace = { asks, calls: [], acts: [], cancelling: [], shown: { ...shown } } as unknown as Trace;
    return strangeLives(trace, meetingsIn(told)).filter((what) => what.includes('to cancel'));
  };
  expect(strangeEnds([asked])).toEqual([]);
  const refused = { status: 409, text: '', sent: 0, came: 0, clock: 0 };
  const noticed = [expect.stringContaining(`nobody asked to cancel ${heir}`)];
  expect(strangeEnds([{ ...asked, broken: 0, answers: [refused] }])).toEqual(noticed);
  expect(strangeEnds([])).toEqual(noticed);
});

const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars' } as const;

test('a world comes to rest past the day for which a locked meeting waits for its person', async () => {
  const { platform, ada, body } = await bookable();
  world.faults.add({ ...INSERT, mode: 'after', times: 1 });
  world.faults.add({ ...INSERT, mode: 'reset' });
  expect((await platform.api.schedule(body)).status).toBe(500);
  await platform.api.disconnect(ada.email);
  await pass(61);
  await expectPeace({ platforms: [platform], closed: new Set([ada.email]) });
  expect(await writtenEvents(platform, 'meeting.cancelled')).toBe(1);
});

test('a world comes to rest past the operations that wait for the change of a locked meeting', async () => {
  const meeting = await booked();
  const { platform, ada } = meeting;
  await world.neon.query(
    `insert into pending_operations (event_id, platform_id, kind, due_at, created_at)
    select provider_event_id, platform_id, 'link', created_at, created_at from meetings where id = $1`,
    [meeting.id],
  );
  world.faults.add({ ...DELETE_EVENT, mode: 'reset' });
  expect((await cancel(meeting)).status).toBe(500);
  await platform.api.disconnect(ada.email);
  world.faults.clear();
  await pass(61);
  await quiet([platform]);
  expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled' });
  expect(await violations({ platforms: [platform], closed: new Set([ada.email]) })).toEqual([]);
});
