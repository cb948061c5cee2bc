import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { rows } from '../support/checks/rows.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { booked, inHours, iso, liveEvents } from '../support/people/meetings.ts';
import { moveOf } from '../support/people/move-proposals.ts';
import {
  accept,
  decline,
  heldFor,
  type Proposal,
  propose,
  proposed,
  readProposal,
  subscribe,
  withdraw,
} from '../support/people/proposing.ts';
import type { Answer } from '../support/worlds/client.ts';
import { expectPeace } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const ROUNDS = Number(process.env.MOVE_ROUNDS ?? 20);
const LONGEST_PAUSE_MS = 250;

const statusOf = ({ status, body }: Answer) => (status === 200 ? (body as Partial<Proposal>).status : undefined);

test(`in ${ROUNDS} rounds of accepting a move and everything that changes its meeting, one event is left at one time`, async () => {
  const random = seeded(Number(process.env.MOVE_SEED ?? 1));
  const platform = await freshPlatform({ plan: 'enterprise' });
  await subscribe(platform);
  const ends: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ada, bob] = [
      await connectedPerson(platform, { name: 'ada' }),
      await connectedPerson(platform, { name: 'bob' }),
    ];
    const meeting = await booked({ start: inHours(48), pair: { platform, ada, bob } });
    const starts = [inHours(51), inHours(54)];
    const { proposal_id: id, times } = await proposed(platform, { ...moveOf(meeting), times: starts.map(iso) });
    const [first, second] = times;
    const soon = async <T>(act: () => T | Promise<T>, longest = LONGEST_PAUSE_MS): Promise<T> => {
      await pause(random.below(longest));
      return act();
    };
    const path = `/v1/meetings/${meeting.id}`;
    const later = { start_time: iso(inHours(57)), end_time: iso(inHours(58)) };
    const against = [
      () => platform.api.send('DELETE', path),
      () => platform.api.send('POST', `${path}/reschedule`, { requested_by: bob.email, reason: 'Something came up' }),
      () => withdraw(platform, id),
      () => decline(platform, id),
      () => platform.api.send('PUT', path, later),
    ];
    const rival = against[round % against.length] ?? (() => withdraw(platform, id));
    const [answers, other] = await Promise.all([
      Promise.all([soon(() => accept(platform, id, first?.id)), soon(() => accept(platform, id, second?.id))]),
      // Acceptances are two, so the rival begins sooner to win about as often.
      soon(rival, LONGEST_PAUSE_MS / 3),
    ]);
    // A tick later the proposal of a changed meeting has ended.
    await world.neon.query('update proposals set expires_at = $2 where id = $1', [id, iso(world.clock.now())]);
    await world.worker.runScheduled(world.clock.now());
    await expectPeace({ platforms: [platform] });
    const { status, meeting_id } = await readProposal(platform, id);
    const end = `${round % against.length}: ${status}`;
    ends[end] = (ends[end] ?? 0) + 1;
    expect([...answers, other].filter(({ status: code }) => code === 500).map(({ text }) => text)).toEqual([]);
    expect([200, 404, 409]).toContain(other.status);
    expect(answers.map(statusOf).filter((said) => said !== undefined && said !== status)).toEqual([]);
    expect(meeting_id !== null).toBe(status === 'accepted');
    const live = await rows<{ id: string }>(
      `select id from meetings where platform_id = any($1) and title = 'Intro' and status in ('scheduled', 'updated')
        and provider_event_id = '${meeting.eventId}'`,
      [platform],
    );
    const isCancelled = round % against.length === 0 && other.status === 200;
    expect(live).toHaveLength(isCancelled ? 0 : 1);
    expect(liveEvents(ada.email)).toHaveLength(isCancelled ? 0 : 1);
    expect(await heldFor(platform)).toBe(0);
  }
  console.log(`ends of ${ROUNDS} moves (cancel, reschedule, withdraw, decline, update): ${JSON.stringify(ends)}`);
}, 1_800_000);

test('of eight simultaneous proposals to move one meeting one is made, and none while it is cancelled', async () => {
  const meeting = await booked({ start: inHours(48) });
  const { platform } = meeting;
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) => propose(platform, { ...moveOf(meeting), times: [iso(inHours(51 + n * 2))] })),
  );
  expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  const [id] = made.flatMap(({ status, body }) => (status === 201 ? [(body as Proposal).proposal_id] : []));
  await withdraw(platform, id ?? '');
  const [cancelled, ...again] = await Promise.all([
    platform.api.send('DELETE', `/v1/meetings/${meeting.id}`),
    ...Array.from({ length: 4 }, (_, n) =>
      propose(platform, { ...moveOf(meeting), times: [iso(inHours(51 + n * 2))] }),
    ),
  ]);
  expect(cancelled?.status).toBe(200);
  for (const { status } of again) expect([201, 404, 409]).toContain(status);
  await world.worker.runScheduled(world.clock.now());
  await expectPeace({ platforms: [platform] });
  const open = await rows(`select id from proposals where platform_id = any($1) and status = 'open'`, [platform]);
  expect(open).toEqual([]);
  expect(await heldFor(platform)).toBe(0);
});
