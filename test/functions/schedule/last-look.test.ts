import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
import { accepted, ended, pair } from '../../support/people/auto.ts';
import { FREE_BUSY, iso } from '../../support/people/meetings.ts';
import { weekdays } from '../../support/people/proposing.ts';
import { neon } from '../../support/worlds/crash-points.ts';
import { count, hold, met } from '../../support/worlds/held.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const RESERVE = neon('insert into "pending_operations"', '"book"');

/** Creates two people who share two half hours of one day: 10:00, and 14:00. */
async function twoTimes() {
  const made = await pair();
  const { email } = made.ada;
  const day = Math.floor((weekdays(1)[0] ?? 0) / DAY) * DAY;
  const busy = [
    [world.clock.now() - DAY, day + 10 * HOUR],
    [day + 10.5 * HOUR, day + 14 * HOUR],
    [day + 14.5 * HOUR, day + 30 * DAY],
  ] as const;
  for (const [start, end] of busy) world.google.addBusy({ email, start: iso(start), end: iso(end) });
  return { ...made, day };
}

test('a job whose booking is held up for more than a second reads both calendars again, and takes the next time', async () => {
  const { platform, bob, body, day } = await twoTimes();
  const id = await accepted(platform, body);
  const looks = count(FREE_BUSY);
  const reserving = hold({ ...RESERVE, times: 1 });
  const running = world.qstash.deliverDue();
  await met(reserving);
  const before = looks.hits();
  world.google.addBusy({ email: bob.email, start: iso(day + 10 * HOUR), end: iso(day + 10.5 * HOUR) });
  await world.advance(1_100);
  reserving.release();
  await running;
  const { result } = await ended(platform, id);
  expect(result).toMatchObject({ success: true, chosen_slot: { start_time: expect.any(String) } });
  expect(Date.parse((result.chosen_slot as { start_time: string }).start_time)).toBe(day + 14 * HOUR);
  expect(before).toBe(2);
  expect(looks.hits()).toBeGreaterThanOrEqual(before + 2);
});
