import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seeded } from '../support/fuzz/seeded.ts';
import { connectedPerson, freshPlatform } from '../support/people/factories.ts';
import { inHours, iso } from '../support/people/meetings.ts';
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

const ROUNDS = Number(process.env.PROPOSAL_ROUNDS ?? 20);
const LONGEST_PAUSE_MS = 250;

const statusOf = ({ status, body }: Answer) => (status === 200 ? (body as Proposal).status : undefined);

test(`in ${ROUNDS} rounds of everything that can end a proposal at once, each ends once`, async () => {
  const random = seeded(Number(process.env.PROPOSAL_SEED ?? 1));
  const platform = await freshPlatform({ plan: 'enterprise' });
  await subscribe(platform);
  const ends: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ada, bob] = [
      await connectedPerson(platform, { name: 'ada' }),
      await connectedPerson(platform, { name: 'bob' }),
    ];
    const starts = [inHours(48), inHours(51)];
    const meeting = { attendees: [ada.email, bob.email], duration_minutes: 30, title: `Round ${round}` };
    const made = await proposed(platform, { ...meeting, times: starts.map(iso) });
    const { proposal_id: id, times } = made;
    const [first, second] = times;
    const soon = async <T>(act: () => T | Promise<T>): Promise<T> => {
      await pause(random.below(LONGEST_PAUSE_MS));
      return act();
    };
    const ending = [
      soon(() => accept(platform, id, first?.id)),
      soon(() => accept(platform, id, second?.id)),
      soon(() => accept(platform, id, first?.id)),
      soon(() => decline(platform, id)),
      soon(() => withdraw(platform, id)),
    ];
    const [answers, competing] = await Promise.all([
      Promise.all(ending),
      soon(() => platform.api.schedule({ ...meeting, start_time: iso(starts[1] ?? 0), require_free: true })),
      soon(() =>
        world.google.addBusy({ email: bob.email, start: first?.start_time ?? '', end: first?.end_time ?? '' }),
      ),
      soon(async () => {
        await world.neon.query('update proposals set expires_at = $2 where id = $1', [id, iso(world.clock.now())]);
        await world.worker.runScheduled(world.clock.now());
      }),
    ]);
    await expectPeace({ platforms: [platform] });
    const { status, meeting_id } = await readProposal(platform, id);
    ends[status] = (ends[status] ?? 0) + 1;
    expect(status).not.toBe('open');
    expect(answers.map(statusOf).filter((said) => said !== undefined && said !== status)).toEqual([]);
    expect(answers.filter(({ status: code }) => code === 500).map(({ text }) => text)).toEqual([]);
    expect(meeting_id !== null).toBe(status === 'accepted');
    if (status !== 'accepted') expect(answers.filter((answer) => statusOf(answer) === 'accepted')).toEqual([]);
    expect([200, 409]).toContain(competing.status);
    expect(await heldFor(platform)).toBe(0);
  }
  console.log(`ends of ${ROUNDS} proposals: ${JSON.stringify(ends)}`);
}, 1_800_000);

test('of twelve simultaneous proposals of two people and the same times one is made, or as many as may be open', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const people = [await connectedPerson(platform), await connectedPerson(platform)];
  const body = { attendees: people.map(({ email }) => email), duration_minutes: 30, title: 'Race' };
  const same = await Promise.all(
    Array.from({ length: 12 }, () => propose(platform, { ...body, times: [iso(inHours(48))] })),
  );
  expect(same.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
  const apart = await Promise.all(
    Array.from({ length: 12 }, (_, n) => propose(platform, { ...body, times: [iso(inHours(49 + n * 2))] })),
  );
  expect(apart.filter(({ status }) => status === 201)).toHaveLength(4);
  expect(apart.filter(({ text }) => text.includes('too_many_proposals'))).toHaveLength(8);
  await expectPeace({ platforms: [platform] });
});
