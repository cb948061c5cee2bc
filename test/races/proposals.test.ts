import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seeded } from '../support/fuzz/seeded.ts';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform } from '../support/people/factories.ts';
import { booked, inHours, iso, liveEvents } from '../support/people/meetings.ts';
import { moveOf } from '../support/people/move-proposals.ts';
import { answerTo, counter } from '../support/people/proposal-pages.ts';
import {
  accept,
  decline,
  heldFor,
  type Proposal,
  propose,
  proposed,
  readProposal,
  subscribe,
  toldOf,
  withdraw,
} from '../support/people/proposing.ts';
import type { Answer } from '../support/worlds/client.ts';
import { expectPeace } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const ROUNDS = Number(process.env.PROPOSAL_ROUNDS ?? 20);
const LONGEST_PAUSE_MS = 250;
const SEARCH_MS = 150;

const statusOf = ({ status, body }: Answer) => (status === 200 ? (body as Proposal).status : undefined);

/** Returns the lines that the Worker logged about a request. */
const logOf = ({ headers }: Answer) =>
  world.logs().filter((line) => line.includes(headers.get('x-request-id') ?? 'no id'));

const KINDS = ['two who are connected', 'a guest', 'a move'] as const;

/** Makes an open proposal of two times: for two connected people, for a guest, or to move a meeting of two people. */
async function offering(kind: (typeof KINDS)[number], platform: TestPlatform, round: number) {
  const ada = await connectedPerson(platform, { name: 'ada' });
  const bob = kind === 'a guest' ? freshPerson({ name: 'bob' }) : await connectedPerson(platform, { name: 'bob' });
  const starts = [inHours(48), inHours(51)];
  const body = { attendees: [ada.email, bob.email], duration_minutes: 30, title: `Round ${round}` };
  const moved = kind === 'a move' ? await booked({ start: inHours(57), pair: { platform, ada, bob } }) : undefined;
  const proposal = await proposed(platform, {
    ...(moved === undefined ? body : moveOf(moved)),
    times: starts.map(iso),
  });
  return { ada, bob, starts, body, moved, proposal, holders: kind === 'a guest' ? 1 : 2 };
}

test(`in ${ROUNDS} rounds of everything that can end a proposal at once, each ends once`, async () => {
  const random = seeded(Number(process.env.PROPOSAL_SEED ?? 1));
  const platform = await freshPlatform({ plan: 'enterprise' });
  await subscribe(platform);
  const ends: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const kind = KINDS[round % KINDS.length] ?? KINDS[0];
    const { ada, bob, starts, body, moved, proposal, holders } = await offering(kind, platform, round);
    const { proposal_id: id, times, url } = proposal;
    const [first, second] = times;
    // Reading a text and searching takes longer than the other answers, so they wait in every other round.
    const later = random.below(2) === 0 ? 0 : SEARCH_MS;
    const soon = async <T>(act: () => T | Promise<T>, wait = later): Promise<T> => {
      await pause(wait + random.below(LONGEST_PAUSE_MS));
      return act();
    };
    const ending = [
      soon(() => accept(platform, id, first?.id)),
      soon(() => accept(platform, id, second?.id)),
      soon(() => accept(platform, id, first?.id)),
      soon(() => decline(platform, id)),
      soon(() => withdraw(platform, id)),
    ];
    const countering = [1, 2].map(() => soon(() => counter(url, 'Any morning next week would be good'), 0));
    const busy = random.pick([ada, bob]).email;
    const [answers, counters, competing] = await Promise.all([
      Promise.all(ending),
      Promise.all(countering),
      soon(() => platform.api.schedule({ ...body, start_time: iso(starts[1] ?? 0), require_free: true })),
      soon(() => world.google.addBusy({ email: busy, start: first?.start_time ?? '', end: first?.end_time ?? '' })),
      soon(async () => {
        await world.neon.query('update proposals set expires_at = $2 where id = $1', [id, iso(world.clock.now())]);
        await world.worker.runScheduled(world.clock.now());
      }),
    ]);
    await expectPeace({ platforms: [platform] });
    const { status, meeting_id } = await readProposal(platform, id);
    const end = `${kind}: ${status}`;
    ends[end] = (ends[end] ?? 0) + 1;
    expect(status).not.toBe('open');
    expect(answers.map(statusOf).filter((said) => said !== undefined && said !== status)).toEqual([]);
    expect(answers.filter(({ status: code }) => code === 500).flatMap(logOf)).toEqual([]);
    expect(meeting_id !== null).toBe(status === 'accepted');
    if (status !== 'accepted') expect(answers.filter((answer) => statusOf(answer) === 'accepted')).toEqual([]);
    const told = (await toldOf(platform)).filter(([, data]) => data.proposal_id === id);
    expect(told.map(([type]) => type)).toEqual([`proposal.${status}`]);
    // A guest is no attendee that `POST /v1/schedule` can book.
    expect([200, 409, ...(kind === 'a guest' ? [404] : [])]).toContain(competing.status);
    const isNew = moved === undefined && status === 'accepted';
    const events = (moved === undefined ? 0 : 1) + (isNew ? 1 : 0) + (competing.status === 200 ? 1 : 0);
    const ours = liveEvents(ada.email).filter(
      ({ extendedProperties }) => extendedProperties?.private?.tandem_meeting_id,
    );
    expect(ours).toHaveLength(events);
    expect(counters.filter(({ status: code }) => code === 303).length > 0).toBe(status === 'countered');
    expect(counters.filter(({ status: code }) => ![303, 409].includes(code)).map(({ text }) => text)).toEqual([]);
    if (status === 'countered') {
      const { proposal_id: next, times: others } = await answerTo(platform, id);
      expect(await heldFor(platform)).toBe(holders * others.length);
      await withdraw(platform, next);
    }
    expect(await heldFor(platform)).toBe(0);
  }
  console.log(`ends of ${ROUNDS} proposals: ${JSON.stringify(ends)}`);
}, 3_600_000);

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

test('of twelve proposals whose times Tandem picks at once, none gets a time of another, and none fails', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const others = await Promise.all(Array.from({ length: 12 }, () => connectedPerson(platform)));
  const answers = await Promise.all(
    others.map(({ email }) =>
      propose(platform, { attendees: [ada.email, email], duration_minutes: 30, title: 'Race', count: 1 }),
    ),
  );
  const made = answers
    .filter(({ status }) => status === 201)
    .map(({ body }) => (body as Proposal).times[0]?.start_time);
  expect(made.length).toBeGreaterThanOrEqual(3);
  expect(new Set(made).size).toBe(made.length);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.filter(({ status, text }) => status !== 409 || !text.includes('no_availability'))).toEqual([]);
  await expectPeace({ platforms: [platform] });
});
