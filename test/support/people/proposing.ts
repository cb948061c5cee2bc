import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answers } from '../../../lib/client/types.ts';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events.ts';
import { violations } from '../checks/checker.ts';
import { rows } from '../checks/rows.ts';
import { quiet } from '../worlds/quiet.ts';
import { world } from '../worlds/world.ts';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform, webhooksOf } from './factories.ts';
import { freshPair, inHours, iso, liveEvents, pass } from './meetings.ts';
import { type Request, request, type Scene } from './operations.ts';

/** A proposal as the API answers it, with the link that it has at first. */
export type Proposal = Omit<Answers['MadeProposal'], 'url'> & { url: string };

/** The events that an endpoint gets by default, and those about proposals and batches, which it gets only by name. */
const ALL = EVENT_TYPES.filter((type) => type !== 'platform.security_changed');

/** Creates a platform that receives every event, two people, and the body of a proposal of three times. */
export async function proposing({ plan = 'enterprise' } = {}) {
  const pair = await freshPair(plan);
  await subscribe(pair.platform);
  return { ...pair, body: bodyFor(pair) };
}

export const subscribe = ({ id }: TestPlatform) =>
  world.neon.query('update webhook_endpoints set events = $2::text[] where platform_id = $1', [
    id,
    `{${ALL.join(',')}}`,
  ]);

/** Returns the body that offers three times on three days, from noon UTC on the first weekday at least two days away. */
export const bodyFor = ({ ada, bob }: Record<'ada' | 'bob', { email: string }>) => ({
  attendees: [ada.email, bob.email],
  duration_minutes: 30,
  title: 'Contract questions',
  times: weekdays(3).map(iso),
});

/** Returns 15:00 UTC on the next weekdays from two days away. It is within work hours in London and New York. */
export function weekdays(count: number): number[] {
  const starts: number[] = [];
  for (let day = 2; starts.length < count; day++) {
    const date = new Date(inHours(24 * day));
    if (date.getUTCDay() % 6 !== 0) starts.push(date.setUTCHours(15, 0, 0, 0));
  }
  return starts;
}

export const propose = ({ api }: TestPlatform, body: unknown, headers: Record<string, string> = {}) =>
  api.send('POST', '/v1/proposals', body, { headers });

export async function proposed(platform: TestPlatform, body: unknown): Promise<Proposal> {
  const answer = await propose(platform, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as Proposal;
}

export const readProposal = async ({ api }: TestPlatform, id: string) =>
  (await api.send('GET', `/v1/proposals/${id}`)).body as Proposal;

export const accept = ({ api }: TestPlatform, id: string, timeId: string | undefined, more: object = {}) =>
  api.send('POST', `/v1/proposals/${id}/accept`, { time_id: timeId, ...more });

export const decline = ({ api }: TestPlatform, id: string, body?: unknown) =>
  api.send('POST', `/v1/proposals/${id}/decline`, body);

export const withdraw = ({ api }: TestPlatform, id: string) => api.send('DELETE', `/v1/proposals/${id}`);

export async function toldOf(platform: TestPlatform): Promise<[type: string, data: Record<string, unknown>][]> {
  return (await webhooksOf(platform))
    .map(({ body }) => [body.event_type, body.data] as [string, Record<string, unknown>])
    .filter(([type]) => type.startsWith('proposal.'));
}

export async function heldFor(platform: TestPlatform): Promise<number> {
  const [row] = await rows<{ count: number }>(
    'select count(*)::int from holds h join proposals r on r.id = h.proposal_id where r.platform_id = any($1)',
    [platform],
  );
  return row?.count ?? 0;
}

export const passUntil = (time: string) => pass((Date.parse(time) - world.clock.now() + MINUTE) / 1_000);

/** A proposal of one time that nobody else takes, under a title nobody else uses. */
export interface Offer {
  at: Scene;
  proposal: Proposal;
  title: string;
}

/** Offers a person who has no other proposal a time, on a platform that gets every event. */
export async function offer(at: Scene, change: object = {}): Promise<Offer> {
  const body = await offerOf(at, change);
  return { at, proposal: await proposed(at.platform, body), title: body.title };
}

export async function offering(at: Scene, key: string): Promise<Request> {
  const body = await offerOf(at);
  return request({ platform: at.platform, key }, (headers) => propose(at.platform, body, headers));
}

async function offerOf(at: Scene, change: object = {}) {
  await subscribe(at.platform);
  const [requester] = at.people;
  const other = await connectedPerson(at.platform, { name: 'invited' });
  const title = `Proposal ${randomUUID()}`;
  const attendees = [requester?.email, other.email];
  return { attendees, duration_minutes: 30, title, times: [iso(at.slot())], expires_in_hours: 1, ...change };
}

export const acceptance = ({ at: { platform }, proposal, title }: Offer): Request =>
  request({ platform, title }, () => accept(platform, proposal.proposal_id, proposal.times[0]?.id));

export const refusal = ({ at: { platform }, proposal }: Offer): Request =>
  request({ platform }, () => decline(platform, proposal.proposal_id));

/** Makes a proposal of three times, changed as given, on a platform of its own. */
export async function made(change: object = {}) {
  const scene = await proposing();
  const proposal = await proposed(scene.platform, { ...scene.body, ...change });
  return { ...scene, proposal, id: proposal.proposal_id };
}

export const busyAt = (email: string, { start_time: start, end_time: end }: Proposal['times'][number]) =>
  world.google.addBusy({ email, start, end });

export const ended = (status: string) => ({
  status: 409,
  body: { error: { code: 'proposal_ended', message: expect.stringContaining(`it is ${status}`) } },
});

type Made = Pick<Awaited<ReturnType<typeof made>>, 'platform' | 'ada' | 'id'>;

/** Checks that the proposal ended so, with one event, no hold of its own, and the meetings that this means. */
export async function expectEnd({ platform, ada, id }: Made, status: string, events = 1) {
  await quiet([platform]);
  const proposal = await readProposal(platform, id);
  expect(proposal.status).toBe(status);
  expect((await toldOf(platform)).map(([type, data]) => [type, data.proposal_id])).toEqual(
    status === 'open' ? [] : [[`proposal.${status}`, id]],
  );
  expect(liveEvents(ada.email)).toHaveLength(status === 'accepted' ? events : events - 1);
  expect(await violations({ platforms: [platform] })).toEqual([]);
  return proposal;
}

export const strangersAddress = () => `grace.hopper-${randomUUID().slice(0, 8)}@elsewhere.test`;

interface Options {
  guest?: string;
  platform?: TestPlatform;
}

/** Creates a platform that receives every event, a connected requester, and the body of a proposal for a guest. */
export async function invited({ guest = strangersAddress(), platform: given }: Options = {}) {
  const platform = given ?? (await freshPlatform({ plan: 'enterprise' }));
  const ada = await connectedPerson(platform, { name: 'ada', timezone: 'Europe/London' });
  await subscribe(platform);
  return { platform, ada, guest, body: { ...bodyFor({ ada, bob: { email: guest } }) } };
}

export async function openInvitation(change: object = {}, options: Options = {}) {
  const scene = await invited(options);
  const proposal = await proposed(scene.platform, { ...scene.body, ...change });
  return { ...scene, proposal, id: proposal.proposal_id };
}

/** Makes a proposal for somebody who has a calendar and is not connected, and accepts its first time. */
export async function metAsGuest(options: { timezone?: string; guest?: GivenByGuest; change?: object } = {}) {
  const grace = freshPerson({ name: 'grace', timezone: options.timezone ?? 'Europe/Paris' });
  const scene = await openInvitation(options.change, { guest: grace.email });
  const [time] = scene.proposal.times;
  const answer = await accept(scene.platform, scene.id, time?.id);
  if (answer.status !== 200) throw new Error(answer.text);
  const { meeting_id: meetingId } = answer.body as { meeting_id: string };
  const [row] = await world.neon.query('select provider_event_id from meetings where id = $1', [meetingId]);
  const eventId = String(row?.provider_event_id);
  if (options.guest?.timeZone !== undefined)
    await world.neon.query('update meeting_people set guest_time_zone = $2 where meeting_id = $1 and position = 1', [
      meetingId,
      options.guest.timeZone,
    ]);
  const meeting = async () =>
    (await scene.platform.api.send('GET', `/v1/meetings/${meetingId}`)).body as Answers['Meeting'];
  return { ...scene, grace, meetingId, eventId, start: Date.parse(time?.start_time ?? ''), meeting };
}

interface GivenByGuest {
  timeZone?: string;
}

/** Returns what `attendee_details` says about these people: who is connected. */
export const details = (...people: [email: string, connected: boolean][]) =>
  people.map(([email, connected]) => ({ email, connected }));
