import { isSignedBy } from '../../local/inbox.ts';
import type { TestPlatform } from '../people/factories.ts';
import { world } from '../worlds/world.ts';
import { type MeetingRow, meetingsOf, rows, wasMade } from './rows.ts';

interface DeliveryRow {
  id: string;
  event_id: string;
  platform_id: string;
  event_type: string;
  body: string;
  status: string;
  attempts: number;
  tries: number;
}

const writtenBy = (platforms: TestPlatform[]) =>
  rows<DeliveryRow>(
    `select d.id, d.event_id, d.platform_id, d.event_type, d.body, d.status, d.attempts,
      (select count(*)::int from delivery_attempts a where a.delivery_id = d.id) as tries
    from deliveries d where d.platform_id = any($1) and d.replay_of is null order by d.created_at, d.id`,
    platforms,
  );

/**
 * Checks the receiver's view: each event is written once and received within three attempts, and every signature is
 * valid.
 */
export async function deliveryViolations(platforms: TestPlatform[]): Promise<string[]> {
  const written = await writtenBy(platforms);
  return platforms.flatMap((platform) => {
    const mine = written.filter(({ platform_id }) => platform_id === platform.id);
    const arrived = world.inbox.deliveries().filter(({ url }) => url === platform.webhookUrl);
    const bodies = new Set(arrived.map(({ body_text }) => body_text));
    const known = new Set(mine.map(({ body }) => body));
    return [
      ...repeated(mine.map(({ event_id }) => event_id)).map((id) => `event ${id} was written twice`),
      ...mine.filter(({ attempts }) => attempts > 3).map(({ id, attempts }) => `${id} was tried ${attempts} times`),
      ...mine.filter(({ attempts, tries }) => attempts !== tries).map(({ id }) => `${id} has not a row an attempt`),
      ...mine
        .filter(({ status, body }) => status === 'success' && !bodies.has(body))
        .map(({ id, event_type }) => `${event_type} ${id} is told to have arrived and has not`),
      ...[...bodies].filter((body) => !known.has(body)).map((body) => `an event nobody wrote arrived: ${body}`),
      ...arrived
        .filter((delivery) => !isSignedBy(platform.webhook_secret ?? '', delivery))
        .map(({ headers }) => `${headers['x-service-delivery']} is not signed with the platform's secret`),
    ];
  });
}

/**
 * Checks that each meeting, each end of a meeting and each change is told once. Each change must start from the one
 * before it. Meetings that were never made must not be told.
 */
export async function storyViolations(platforms: TestPlatform[]): Promise<string[]> {
  const written = (await writtenBy(platforms)).map(({ event_type, body }) => ({ event_type, ...JSON.parse(body) }));
  return (await meetingsOf(platforms)).flatMap((meeting) => {
    const told = (type: string) =>
      written.filter(({ event_type, data }) => event_type === type && data.meeting_id === meeting.id);
    const check = (type: string, times: number, due: number) =>
      times === due ? [] : [`${type} was told ${times} times of ${meeting.status} ${meeting.id}, not ${due}`];
    const changes: Change[] = told('meeting.updated').map(({ data }) => data.changes);
    const moves = changes.filter(({ reason }) => reason !== 'meet_link_ready' && reason !== 'attendee_declined');
    const calledOff = told('meeting.cancelled');
    const isGivenUp =
      meeting.status === 'failed' && calledOff.length === 1 && calledOff[0]?.data.reason === 'outcome_unknown';
    const isOver = meeting.status === 'cancelled' || meeting.status === 'rescheduled';
    return [
      ...check('meeting.scheduled', told('meeting.scheduled').length, wasMade(meeting) ? 1 : 0),
      ...(isGivenUp
        ? []
        : check('meeting.cancelled', told('meeting.cancelled').length, meeting.status === 'cancelled' ? 1 : 0)),
      ...(wasMade(meeting) && !isVersion(moves, meeting.version - 1 - (isOver ? 1 : 0))
        ? [`${meeting.status} ${meeting.id} has version ${meeting.version} after ${moves.length} changes`]
        : []),
      ...chainViolations(meeting, moves),
    ];
  });
}

interface Change {
  reason: string | null;
  old_start_time: string;
  new_start_time: string;
}

/** Returns true if the changes lead to so many new versions. The guest may come or go with another change, as one version. */
const isVersion = (changes: Change[], versions: number): boolean =>
  versions <= changes.length && versions >= changes.filter(({ reason }) => !reason?.startsWith('attendee_')).length;

/**
 * Orders changes so that they lead from one time to the next and end at the given time. The order of writing does not
 * count unless several orders fit, because the Workers' clocks may differ. Returns undefined if no order fits.
 */
function chainOf<C extends Change>(changes: C[], end: Date, from?: string): C[] | undefined {
  if (changes.length === 0) return from === undefined || Date.parse(from) === end.getTime() ? [] : undefined;
  for (const [at, change] of changes.entries()) {
    if (from !== undefined && change.old_start_time !== from) continue;
    const rest = chainOf(changes.toSpliced(at, 1), end, change.new_start_time);
    if (rest !== undefined) return [change, ...rest];
  }
  return undefined;
}

export async function changedPairs(platforms: TestPlatform[]): Promise<{ platform_id: string; usage_month: string }[]> {
  const written = (await writtenBy(platforms)).map(({ event_type, body }) => ({ event_type, ...JSON.parse(body) }));
  return (await meetingsOf(platforms)).flatMap(({ id, platform_id, starts_at }) => {
    const told = written.filter(({ data }) => data.meeting_id === id);
    const first = told.find(({ event_type }) => event_type === 'meeting.scheduled');
    const moves = told
      .filter(({ event_type }) => event_type === 'meeting.updated')
      .map(({ timestamp, data }) => ({ ...data.changes, timestamp, pair: [...data.attendees].sort().join() }));
    const pairs = [...(first?.data.attendees ?? [])].sort().join();
    return (chainOf(moves, starts_at) ?? [])
      .filter(({ pair }, at, all) => pair !== (all[at - 1]?.pair ?? pairs))
      .map(({ timestamp }) => ({ platform_id, usage_month: timestamp.slice(0, 7) }));
  });
}

function chainViolations({ id, starts_at }: MeetingRow, moves: Change[]): string[] {
  if (chainOf(moves, starts_at) !== undefined) return [];
  const steps = moves.map(({ old_start_time, new_start_time }) => `${old_start_time} to ${new_start_time}`);
  return [`${id} is at ${starts_at.toISOString()} and was told to move from ${steps.join(', from ')}`];
}

/**
 * Checks that each end of a proposal is told once, to an endpoint that names the event, and that a proposal is accepted
 * exactly if its meeting was made. An open proposal must not be kept for a meeting that is to accept it.
 */
export async function proposalViolations(platforms: TestPlatform[]): Promise<string[]> {
  const proposals = await rows<{ id: string; status: string; meeting_id: string | null; named: boolean }>(
    `select r.id, r.status, r.meeting_id, coalesce('proposal.expired' = any(w.events), false) as named from proposals r
    left join webhook_endpoints w on w.platform_id = r.platform_id where r.platform_id = any($1)`,
    platforms,
  );
  const written = (await writtenBy(platforms)).filter(({ event_type }) => event_type.startsWith('proposal.'));
  const made = new Set((await meetingsOf(platforms)).filter(wasMade).map(({ id }) => id));
  return proposals.flatMap(({ id, status, meeting_id, named }) => {
    const ends = written.filter(({ body }) => JSON.parse(body).data.proposal_id === id).map((one) => one.event_type);
    const due = named && status !== 'open' ? `proposal.${status}` : '';
    const isBooked = meeting_id !== null && made.has(meeting_id);
    const isLeft = status === 'open' && meeting_id !== null;
    return [
      ...(isLeft ? [`open proposal ${id} is still kept for ${meeting_id}`] : []),
      ...(ends.join() === due ? [] : [`${status} proposal ${id} was told as [${ends}]`]),
      ...(isBooked === (status === 'accepted') ? [] : [`${status} proposal ${id} has the meeting ${meeting_id}`]),
    ];
  });
}

/** Checks that each accepted job ended once, with one webhook and, if it completed, one meeting. */
export async function jobViolations(platforms: TestPlatform[]): Promise<string[]> {
  const jobs = await rows<{ id: string; status: string }>(
    'select id, status from jobs where platform_id = any($1)',
    platforms,
  );
  const written = (await writtenBy(platforms)).filter(({ event_type }) => event_type.startsWith('meeting.scheduling.'));
  const made = (await meetingsOf(platforms)).filter(wasMade);
  return jobs.flatMap(({ id, status }) => {
    const ends = written
      .filter(({ body }) => JSON.parse(body).data.job_id === id)
      .map(({ event_type }) => event_type.slice('meeting.scheduling.'.length));
    const meetings = made.filter((meeting) => meeting.job_id === id && meeting.rescheduled_from === null).length;
    return [
      ...(ends.length === 1 && ends[0] === status ? [] : [`${status} job ${id} was told as [${ends}]`]),
      ...(meetings === (status === 'completed' ? 1 : 0) ? [] : [`${status} job ${id} made ${meetings} meetings`]),
    ];
  });
}

function repeated(values: string[]): string[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}
