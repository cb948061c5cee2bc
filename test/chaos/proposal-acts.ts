import { randomUUID } from 'node:crypto';
import type { TestPlatform } from '../support/people/factories.ts';
import { newKey } from '../support/people/operations.ts';
import { answer } from '../support/people/proposal-pages.ts';
import type { Proposal } from '../support/people/proposing.ts';
import { world } from '../support/worlds/world.ts';
import { at, HALF_HOUR, iso, keyed, knownMeeting, pairOf, type Random, type Scene, want } from './asking.ts';
import type { ProposalWanted } from './coverage.ts';
import type { Ask } from './trace.ts';

const HOURS = [1, 2, 24, 48];
const EXPIRIES = ['cancel', 'book_first'];
const REASONS = ['Too early for me', 'Something came up', 'Could we do it a day later?'];
const COUNTERS = ['Any morning next week would be good', 'I can do Thursday after 15:00', 'later please', 'who knows'];
const LONGEST_WAIT_MS = 26 * 3_600_000;
const ZONE = 'Europe/London';

type Action = (scene: Scene, random: Random) => Promise<void>;

const someStarts = (scene: Scene, random: Random) => [
  ...new Set(Array.from({ length: 1 + random.below(3) }, () => at(scene, random))),
];

const timesOrCount = (starts: number[] | undefined, random: Random) =>
  starts === undefined ? { count: 1 + random.below(3) } : { times: starts.map(iso) };

/** Returns the proposals that a platform of the scene can list, newest first. Returns none if the request fails. */
async function knownProposal({ platforms }: Scene, random: Random) {
  for (const platform of random.shuffle(platforms)) {
    const headers = { 'X-Request-Id': `look-${randomUUID()}` };
    const listed = await platform.api.send('GET', '/v1/proposals', undefined, { headers }).catch(() => undefined);
    if (listed?.status !== 200) continue;
    const { proposals } = listed.body as { proposals: (Proposal & { title: string })[] };
    const open = proposals.filter(({ status }) => status === 'open').slice(0, 2);
    const among = open.length > 0 && random.below(5) > 0 ? open : proposals;
    if (among.length > 0) return { platform, proposal: random.pick(among) };
  }
  return undefined;
}

interface HeldTime {
  platform: TestPlatform | undefined;
  id: string;
  timeId: string;
  people: [string, string];
}

/** Lets a client accept this time of a proposal. Returns false if the scene has no such platform. */
export async function acceptTime(scene: Scene, { platform, people, id, ...about }: HeldTime): Promise<boolean> {
  if (platform === undefined) return false;
  const asked = { operation: 'accept', platform, key: newKey(), attendees: people, proposalId: id, ...about } as const;
  await want(scene, asked, (headers) =>
    platform.api.send('POST', `/v1/proposals/${id}/accept`, { time_id: about.timeId }, { headers }),
  );
  return true;
}

type Known = NonNullable<Awaited<ReturnType<typeof knownProposal>>>;

/** Lets a client of the API end a proposal. Such a request can be repeated without a key of its own. */
const endByApi =
  (
    operation: 'accept' | 'decline' | 'withdraw',
    request: (id: string, timeId: string) => [method: string, path: string, body?: object],
  ): Action =>
  async (scene, random) => {
    const known = await knownProposal(scene, random);
    if (known === undefined) return;
    const { platform } = known;
    const about = aboutOf(known, random);
    const [method, path, body] = request(about.proposalId, about.timeId);
    await want(scene, { operation, platform, key: newKey(), ...about }, (headers) =>
      platform.api.send(method, path, body, { headers }),
    );
  };

/** Lets the person at the page send a form. A browser sends it once. */
const endAtPage =
  (
    operation: 'choose' | 'refuse' | 'counter',
    formOf: (timeId: string, text: string) => Record<string, string>,
  ): Action =>
  async (scene, random) => {
    const known = await knownProposal(scene, random);
    if (known === undefined) return;
    const { platform, proposal } = known;
    const about = { ...aboutOf(known, random), text: random.pick(operation === 'counter' ? COUNTERS : REASONS) };
    const form = { ...formOf(about.timeId, about.text), zone: ZONE };
    await want(scene, { operation, platform, key: undefined, ...about }, (headers) =>
      answer(proposal.url, form, headers),
    );
  };

const aboutOf = (
  { proposal }: Known,
  random: Random,
): Pick<Ask, 'attendees'> & { proposalId: string; timeId: string } => ({
  proposalId: proposal.proposal_id,
  timeId: random.pick(proposal.times).id,
  attendees: proposal.attendees as [string, string],
});

export const PROPOSAL_ACTIONS: Record<ProposalWanted, Action> = {
  async propose(scene, random) {
    const platform = random.pick(scene.platforms);
    const [requester, other] = pairOf(scene, random);
    const attendees: [string, string] = [requester, random.below(3) === 0 ? random.pick(scene.guests).email : other];
    const starts = random.below(3) > 0 ? someStarts(scene, random) : undefined;
    const title = `Meeting ${randomUUID()}`;
    const body = {
      ...{ attendees, title, duration_minutes: 30, ...timesOrCount(starts, random) },
      ...{ expires_in_hours: random.pick(HOURS), on_expiry: random.pick(EXPIRIES) },
    };
    await want(
      scene,
      { operation: 'propose', platform, key: keyed(random), title, attendees, ...(starts && { starts }) },
      (headers) => platform.api.send('POST', '/v1/proposals', body, { headers }),
    );
  },
  async proposemove(scene, random) {
    const known = knownMeeting(scene, random);
    if (known === undefined) return;
    const { platform, id, attendees } = known;
    const starts = random.below(2) === 0 ? someStarts(scene, random) : undefined;
    const body = {
      ...{ meeting_id: id, ...timesOrCount(starts, random) },
      ...{ expires_in_hours: random.pick(HOURS), on_expiry: random.pick(EXPIRIES) },
    };
    await want(
      scene,
      { operation: 'proposemove', platform, key: keyed(random), meetingId: id, attendees, ...(starts && { starts }) },
      (headers) => platform.api.send('POST', '/v1/proposals', body, { headers }),
    );
  },
  async offer(scene, random) {
    const known = knownMeeting(scene, random);
    if (known === undefined) return;
    const { platform, id, attendees } = known;
    const body = { requested_by: random.pick(attendees), reason: random.pick(REASONS), propose: true };
    await want(scene, { operation: 'offer', platform, key: keyed(random), meetingId: id, attendees }, (headers) =>
      platform.api.send('POST', `/v1/meetings/${id}/reschedule`, body, { headers }),
    );
  },
  accept: endByApi('accept', (id, timeId) => ['POST', `/v1/proposals/${id}/accept`, { time_id: timeId }]),
  decline: endByApi('decline', (id) => ['POST', `/v1/proposals/${id}/decline`, { reason: 'No time for it' }]),
  withdraw: endByApi('withdraw', (id) => ['DELETE', `/v1/proposals/${id}`]),
  choose: endAtPage('choose', (time) => ({ answer: 'accept', time, name: 'Grace Guest' })),
  refuse: endAtPage('refuse', (_, reason) => ({ answer: 'decline', reason })),
  counter: endAtPage('counter', (_, reason) => ({ answer: 'counter', reason })),
  async expire(scene, random) {
    const known = await knownProposal(scene, random);
    const wait = Date.parse(known?.proposal.expires_at ?? '') - world.clock.now() + 1_000;
    if (!(wait < LONGEST_WAIT_MS)) return;
    await world.advance(Math.max(0, wait)).catch(() => world.worker.ready());
    await world.worker.runScheduled(world.clock.now());
  },
  async rival(scene, random) {
    const known = await knownProposal(scene, random);
    if (known === undefined) return;
    const { platform, proposal } = known;
    const [requester = ''] = proposal.attendees;
    const other = random.pick(scene.people.filter(({ email }) => email !== requester)).email;
    const attendees: [string, string] = [requester, other];
    const start = Date.parse(random.pick(proposal.times).start_time);
    const title = `Meeting ${randomUUID()}`;
    const isExclusive = random.below(2) === 0;
    const body = { attendees, start_time: iso(start), duration_minutes: 30, title, require_free: isExclusive };
    await want(
      scene,
      {
        ...{ operation: isExclusive ? 'bookfree' : 'book', platform, key: keyed(random), title, attendees },
        ...{ start, end: start + HALF_HOUR },
      },
      (headers) => platform.api.send('POST', '/v1/schedule', body, { headers }),
    );
  },
};
