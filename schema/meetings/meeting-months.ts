import { and, eq, getTableColumns, gte, isNull, type SQL, sql } from 'drizzle-orm';
import { isErased } from '../access/users.ts';
import { LIVE_STATUSES, SHOWN_STATUSES } from '../api/states.ts';
import { at, finished, isOneOf } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { jobs } from '../tables/batches.ts';
import { eventAnswers, isOnEventOf, meetingPeople, meetings } from '../tables/meetings.ts';
import { meetingMonths, platforms } from '../tables/platforms.ts';
import { users } from '../tables/users.ts';

const isFirst = sql`m.rescheduled_from is null`;
/**
 * Selects milliseconds, and no row if the invited person did not accept; the requester's own answer does not count. An
 * answer belongs to the event, which several meetings may have had in turn. So it counts once, for the last of them,
 * from the creation of the first. The offset keeps Postgres from planning the query once for each counter.
 */
const acceptance = sql`
  select greatest(0, round(extract(epoch from a.responded_at - (
    select min(f.created_at) from ${meetings} f where f.provider_event_id = m.provider_event_id)) * 1000)) as ms
  from ${eventAnswers} a
  where a.event_id = m.provider_event_id and a.user_id = p.user_id and p.position = 1 and m.status <> 'rescheduled'
    and a.response_status = 'accepted' and a.responded_at is not null
  offset 0`;
const isIn = (part: string) =>
  sql`(o.is_person and ${isOneOf(sql`m.status`, LIVE_STATUSES)} and m.day_parts[p.position + 1] = ${sql.raw(`'${part}'`)})`;
const one = (condition: SQL) => sql`(${condition})::int`;

type Counter = Exclude<keyof typeof meetingMonths.$inferSelect, 'party' | 'month'>;

/** A platform gets what the invited person gets, so that it counts each meeting once. */
const COUNTED: Record<Counter, SQL> = {
  made: one(isFirst),
  rescheduled: one(sql`${isFirst} and m.status = 'rescheduled'`),
  cancelled: one(sql`m.status = 'cancelled'`),
  accepted: one(sql`accepted.ms is not null`),
  acceptedFast: one(sql`coalesce(accepted.ms <= 7200000, false)`),
  acceptedMs: sql`coalesce(accepted.ms, 0)`,
  morning: one(isIn('morning')),
  afternoon: one(isIn('afternoon')),
  evening: one(isIn('evening')),
};

const columns = getTableColumns(meetingMonths);
const counters = (Object.keys(COUNTED) as Counter[]).map((name) => ({
  name,
  column: sql.identifier(columns[name].name),
  counted: COUNTED[name],
}));
const list = (parts: SQL[]) => sql.join(parts, sql`, `);

/** Meetings to count: these, or all that share a calendar event with one of these. */
type Counted = { guard: Guard } & ({ meetingIds: string[] } | { onEventsOf: string[] });

export const columnsCounted = list(counters.map(({ column }) => sql`${column}`));
export const addCounts = sql`on conflict (party, month) do update set
  ${list(counters.map(({ column }) => sql`${column} = meeting_months.${column} + excluded.${column}`))}`;
const beginningOf = (factor: 1 | -1) =>
  finished(sql`
    insert into ${meetingMonths} (party, month, ${columnsCounted})
    select o.party, to_char(m.created_at at time zone 'UTC', 'YYYY-MM') as month,
      ${list(counters.map(({ counted }) => sql`${sql.raw(String(factor))} * sum(${counted})`))}
    from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id
    left join lateral (${acceptance}) accepted on true
    cross join lateral (values (p.user_id, true), (m.platform_id, false)) o (party, is_person)
    left join ${users} on ${users.id} = o.party
    where ${isOneOf(sql`m.status`, SHOWN_STATUSES)} and (o.is_person or p.position = 1) and not ${isErased}`);
const BEGINNING = { 1: beginningOf(1), [-1]: beginningOf(-1) };
const END = finished(sql`
    group by 1, 2 order by 2, 1 ${addCounts}`);

/** Adds or subtracts in a fixed order of rows, so that transactions cannot deadlock. Leaves out the erased. */
const add = (db: Db, factor: 1 | -1, { guard, ...which }: Counted) =>
  db.execute(
    sql`${BEGINNING[factor]} and ${'onEventsOf' in which ? isOnEventOf(which.onEventsOf) : sql`m.id in ${which.meetingIds}`} and ${guard} ${END}`,
  );

/** Run it after a change, in the batch in which `uncountMeetings` subtracted the former state before. */
export const countMeetings = (db: Db, counted: Counted) => add(db, 1, counted);

/** Run it before a change, while nobody else can change them. `countMeetings` adds them again after. */
export const uncountMeetings = (db: Db, counted: Counted) => add(db, -1, counted);

export const sumMonths = (db: Db, of: Record<'party' | 'thisMonth' | 'lastMonth', string>) => {
  const sumOf = (name: Counter, month = sql`true`) =>
    sql`coalesce(sum(${meetingMonths[name]}) filter (where ${month}), 0)`.mapWith(Number);
  const sums = counters.map(({ name }) => [name, sumOf(name)] as const);
  return db
    .select({
      ...(Object.fromEntries(sums) as Record<Counter, ReturnType<typeof sumOf>>),
      thisMonth: sumOf('made', eq(meetingMonths.month, of.thisMonth)),
      lastMonth: sumOf('made', eq(meetingMonths.month, of.lastMonth)),
    })
    .from(meetingMonths)
    .where(eq(meetingMonths.party, of.party));
};

export type MonthSums = Awaited<ReturnType<typeof sumMonths>>[number];

type Since = { platformId: string; since: number };

const isMade = ({ platformId, since }: Since) =>
  and(
    eq(meetings.platformId, platformId),
    gte(meetings.createdAt, since),
    isNull(meetings.rescheduledFrom),
    isOneOf(meetings.status, SHOWN_STATUSES),
  );

/** Counts by `YYYY-MM-DD`. A meeting and its replacements count as one. */
export const countMadeByDay = (db: Db, made: Since) => {
  const day = sql<string>`to_char(${meetings.createdAt} at time zone 'UTC', 'YYYY-MM-DD')`;
  return db
    .select({ day, count: sql`count(*)`.mapWith(Number) })
    .from(meetings)
    .where(isMade(made))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
};

/** Groups by the time taken: `step` 0 is below the first limit in `hours`, 1 below the second. `hours` must rise. */
export const countAcceptances = (db: Db, { hours, ...made }: Since & { hours: readonly number[] }) => {
  const steps = sql.raw(`array[${hours.map(Number).join(', ')}]::numeric[]`);
  const taken = sql`extract(epoch from ${eventAnswers.respondedAt} - ${meetings.createdAt}) / 3600`;
  return db
    .select({ step: sql`width_bucket(${taken}, ${steps})`.mapWith(Number), count: sql`count(*)`.mapWith(Number) })
    .from(meetings)
    .innerJoin(meetingPeople, and(eq(meetingPeople.meetingId, meetings.id), eq(meetingPeople.position, 1)))
    .innerJoin(
      eventAnswers,
      and(eq(eventAnswers.eventId, meetings.providerEventId), eq(eventAnswers.userId, meetingPeople.userId)),
    )
    .where(and(isMade(made), eq(eventAnswers.responseStatus, 'accepted')))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
};

/** Counts new meetings since an instant, and failed jobs by error code, except those that the platform cancelled. */
export const selectDay = (db: Db, { platformId, since }: Since) =>
  db
    .select({
      booked:
        sql`(select count(*) from ${meetings} m where m.platform_id = ${platformId} and m.created_at >= ${at(since)}
        and m.rescheduled_from is null and m.status in ${[...SHOWN_STATUSES]})`.mapWith(Number),
      failedJobs: sql<Record<string, number>>`(select coalesce(jsonb_object_agg(f.code, f.count), '{}'::jsonb) from (
        select j.result ->> 'error_code' as code, count(*) as count from ${jobs} j
        where j.platform_id = ${platformId} and j.completed_at >= ${at(since)} and j.status = 'failed'
        and j.result ->> 'error_code' is distinct from 'CANCELLED' group by 1) f)`,
    })
    .from(platforms)
    .where(eq(platforms.id, platformId));
