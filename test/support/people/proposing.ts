import { rows } from '../checks/rows.ts';
import { world } from '../worlds/world.ts';
import { type TestPlatform, webhooksOf } from './factories.ts';
import { freshPair, inHours, iso, MINUTE, type Pair } from './meetings.ts';

/** A proposal as the API answers it. */
export interface Proposal {
  proposal_id: string;
  status: string;
  attendees: string[];
  times: { id: string; start_time: string; end_time: string; reason: string; status: string }[];
  expires_at: string;
  meeting_id: string | null;
  created_at: string;
  ended_at: string | null;
}

const EVENTS = ['proposal.expired', 'proposal.withdrawn'];

/** Creates a platform that receives every event, two people, and the body of a proposal of three times. */
export async function proposing({ plan = 'enterprise' } = {}) {
  const pair = await freshPair(plan);
  await subscribe(pair.platform);
  return { ...pair, body: bodyFor(pair) };
}

const subscribe = ({ id }: TestPlatform) =>
  world.neon.query('update webhook_endpoints set events = $2::text[] where platform_id = $1', [
    id,
    `{${[...EVENTS, 'meeting.scheduled', 'meeting.cancelled'].join(',')}}`,
  ]);

/** Returns the body that offers three times on three days, from noon UTC on the first weekday at least two days away. */
export const bodyFor = ({ ada, bob }: Pick<Pair, 'ada' | 'bob'>) => ({
  attendees: [ada.email, bob.email],
  duration_minutes: 30,
  title: 'Contract questions',
  times: weekdays(3).map(iso),
});

/** Returns 15:00 UTC on the next weekdays from two days away. It is within work hours in London and New York. */
function weekdays(count: number): number[] {
  const starts: number[] = [];
  for (let day = 2; starts.length < count; day++) {
    const date = new Date(inHours(24 * day));
    if (date.getUTCDay() % 6 !== 0) starts.push(date.setUTCHours(15, 0, 0, 0));
  }
  return starts;
}

export const propose = ({ api }: TestPlatform, body: unknown, headers: Record<string, string> = {}) =>
  api.send('POST', '/v1/proposals', body, { headers });

/** Makes a proposal and returns it. */
export async function proposed(platform: TestPlatform, body: unknown): Promise<Proposal> {
  const answer = await propose(platform, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as Proposal;
}

export const readProposal = async ({ api }: TestPlatform, id: string) =>
  (await api.send('GET', `/v1/proposals/${id}`)).body as Proposal;

export const withdraw = ({ api }: TestPlatform, id: string) => api.send('DELETE', `/v1/proposals/${id}`);

/** Returns the types of the events about proposals that reached the platform, with their data. */
export async function toldOf(platform: TestPlatform): Promise<[type: string, data: Record<string, unknown>][]> {
  return (await webhooksOf(platform))
    .map(({ body }) => [body.event_type, body.data] as [string, Record<string, unknown>])
    .filter(([type]) => type.startsWith('proposal.'));
}

/** Counts the times that Postgres holds for a platform's proposals. */
export async function heldFor(platform: TestPlatform): Promise<number> {
  const [row] = await rows<{ count: number }>(
    'select count(*)::int from holds h join proposals r on r.id = h.proposal_id where r.platform_id = any($1)',
    [platform],
  );
  return row?.count ?? 0;
}

/** Moves the clock past an instant and runs the minute's tick. */
export async function passUntil(time: string): Promise<void> {
  await world.advance(Date.parse(time) - world.clock.now() + MINUTE);
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
}
