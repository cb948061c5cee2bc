import { isSignedBy } from '../../local/inbox.ts';
import type { TestPlatform } from '../factories.ts';
import { world } from '../world.ts';
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

/** The receiver's view: each event written once and received, in at most three attempts, every signature valid. */
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
 * Each meeting is told of once, each end of one once, each change once and on top of the one before it, and of what
 * never came to be nothing is told.
 */
export async function storyViolations(platforms: TestPlatform[]): Promise<string[]> {
  const written = (await writtenBy(platforms)).map(({ event_type, body }) => ({ event_type, ...JSON.parse(body) }));
  return (await meetingsOf(platforms)).flatMap((meeting) => {
    const told = (type: string) =>
      written.filter(({ event_type, data }) => event_type === type && data.meeting_id === meeting.id);
    const check = (type: string, times: number, due: number) =>
      times === due ? [] : [`${type} was told ${times} times of ${meeting.status} ${meeting.id}, not ${due}`];
    const changes: Change[] = told('meeting.updated').map(({ data }) => data.changes);
    const moves = changes.filter(({ reason }) => reason !== 'meet_link_ready');
    const calledOff = told('meeting.cancelled');
    const isGivenUp =
      meeting.status === 'failed' && calledOff.length === 1 && calledOff[0]?.data.reason === 'outcome_unknown';
    const isOver = meeting.status === 'cancelled' || meeting.status === 'rescheduled';
    return [
      ...check('meeting.scheduled', told('meeting.scheduled').length, wasMade(meeting) ? 1 : 0),
      ...(isGivenUp
        ? []
        : check('meeting.cancelled', told('meeting.cancelled').length, meeting.status === 'cancelled' ? 1 : 0)),
      ...(wasMade(meeting) ? check('meeting.updated', moves.length, meeting.version - 1 - (isOver ? 1 : 0)) : []),
      ...chainViolations(meeting, moves),
    ];
  });
}

interface Change {
  reason: string | null;
  old_start_time: string;
  new_start_time: string;
}

/** The moves, in whatever order the Worker's clocks say they were written, lead from one time to the next and end where the meeting is. */
function chainViolations({ id, starts_at }: MeetingRow, moves: Change[]): string[] {
  const isChain = (from: string | undefined, left: Change[]): boolean =>
    left.length === 0
      ? from === undefined || Date.parse(from) === starts_at.getTime()
      : left.some(
          (move, at) =>
            (from === undefined || move.old_start_time === from) && isChain(move.new_start_time, left.toSpliced(at, 1)),
        );
  if (isChain(undefined, moves)) return [];
  const steps = moves.map(({ old_start_time, new_start_time }) => `${old_start_time} to ${new_start_time}`);
  return [`${id} is at ${starts_at.toISOString()} and was told to move from ${steps.join(', from ')}`];
}

/** Each accepted job ended once, with its one webhook and, if completed, its one meeting. */
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
