import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DAY } from '../../lib/engine/time/dates.ts';
import { violations } from '../support/checks/checker.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { type Booked, booked, freshPair, inHours, iso } from '../support/people/meetings.ts';
import { readByTick } from '../support/people/snapshots.ts';
import { bodyFor, later, put } from '../support/people/updating.ts';
import type { Answer } from '../support/worlds/client.ts';
import { quiet } from '../support/worlds/quiet.ts';
import { tally } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const ROUNDS = Number(process.env.ACCESS_ROUNDS ?? 16);
const LONGEST_PAUSE_MS = 150;

const random = seeded(Number(process.env.ACCESS_SEED ?? 1));

async function soon<T>(act: () => Promise<T>): Promise<T> {
  await pause(random.below(LONGEST_PAUSE_MS));
  return act();
}

/** Checks that the meetings hold the time of those people alone whose time they may take, once all is at rest. */
async function expectHeldRightly({ platform }: Booked, left: string[]): Promise<void> {
  await quiet([platform]);
  expect(await violations({ platforms: [platform], closed: new Set(left) })).toEqual([]);
}

const leaverOf = ({ ada, bob }: Booked, round: number) => (round % 2 === 0 ? ada : bob).email;

test(`in ${ROUNDS} rounds of bookings and changes against a disconnection, no time of who has left stays held`, async () => {
  const answers: Answer[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const meeting = await booked({ pair: await freshPair() });
    const { platform, ada, bob } = meeting;
    const leaver = leaverOf(meeting, round);
    const body = { attendees: [ada.email, bob.email], duration_minutes: 30, title: 'Race' };
    const at = (days: number) => iso(inHours(48) + days * DAY);
    answers.push(
      ...(await Promise.all([
        soon(() => platform.api.schedule({ ...body, start_time: at(2) })),
        soon(() => platform.api.schedule({ ...body, start_time: at(3), require_free: true })),
        soon(() => put(meeting, bodyFor(later(meeting)))),
        soon(() => platform.api.disconnect(leaver)),
      ])),
    );
    await expectHeldRightly(meeting, [leaver]);
  }
  console.log(`answers of ${ROUNDS} rounds: ${JSON.stringify(tally(answers))}`);
}, 3_600_000);

test(`in ${ROUNDS} rounds of a move in the calendar that is followed against a disconnection, no time of who has left stays held`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const meeting = await booked({ pair: await freshPair() });
    const { platform, ada, bob, eventId, start, end } = meeting;
    await readByTick(ada.email, bob.email);
    const leaver = leaverOf(meeting, round);
    world.google.patchEvent({ email: ada.email, eventId, start: iso(start + DAY), end: iso(end + DAY) });
    await Promise.all([
      soon(() => world.worker.runScheduled(world.clock.now())),
      soon(() => platform.api.disconnect(leaver)),
    ]);
    await expectHeldRightly(meeting, [leaver]);
  }
}, 3_600_000);

test(`in ${ROUNDS} rounds of one person who connects again while the other leaves, no time of who has left stays held`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const meeting = await booked({ pair: await freshPair() });
    const { platform, ada, bob } = meeting;
    const leaver = leaverOf(meeting, round);
    const returning = leaver === ada.email ? bob.email : ada.email;
    await platform.api.disconnect(returning);
    await Promise.all([
      soon(() => world.connectCalendar(platform, returning)),
      soon(() => platform.api.disconnect(leaver)),
    ]);
    await expectHeldRightly(meeting, [leaver]);
  }
}, 3_600_000);
