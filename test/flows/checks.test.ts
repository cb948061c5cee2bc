import { expect, test } from 'vitest';
import { HOUR } from '../../lib/engine/time/dates.ts';
import { violations } from '../support/checks/checker.ts';
import { booked } from '../support/people/meetings.ts';
import { bodyFor, put } from '../support/people/updating.ts';
import { quiet } from '../support/worlds/quiet.ts';
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
