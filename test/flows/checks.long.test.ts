import { expect, test } from 'vitest';
import { meetingsIn, strangeLives } from '../chaos/model/meetings.ts';
import type { Told } from '../chaos/model/told.ts';
import { askForAll } from '../chaos/scene.ts';
import type { Ask, Trace } from '../chaos/trace.ts';
import { violations } from '../support/checks/checker.ts';
import { after, bodyFor, book, cancel, later, moved, post, put } from '../support/people/changing.ts';
import { webhooksOf } from '../support/people/factories.ts';
import { booked, DELETE_EVENT, pass } from '../support/people/meetings.ts';
import { proposed, proposing } from '../support/people/proposing.ts';
import { dying, quiet } from '../support/worlds/quiet.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

test('a move that was told otherwise is noticed', async () => {
  const meeting = await booked();
  const { platform, id } = meeting;
  for (const times of [later(meeting), meeting]) expect((await put(meeting, bodyFor(times))).status).toBe(200);
  await quiet([platform]);
  await world.neon.query(
    `update deliveries set body = replace(body, '"old_start_time":"', '"old_start_time":"1')
    where platform_id = $1 and event_type = 'meeting.updated'`,
    [platform.id],
  );
  expect((await violations({ platforms: [platform] })).join()).toContain(`${id} is at`);
});

test('a time that is not held for a person who never left is noticed', async () => {
  const { platform, ada, bob, body } = await proposing();
  await proposed(platform, body);
  await world.neon.query(
    'delete from holds where proposal_id is not null and user_id = (select id from users where email = $1)',
    [bob.email],
  );
  await quiet([platform]);
  expect((await violations({ platforms: [platform], returned: new Set([ada.email]) })).join()).toContain(
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
