import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { isOneOf } from '../columns.ts';
import type { Db, Guard } from '../db.ts';
import { LIVE_STATUSES, SHOWN_STATUSES } from '../meetings/status.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';
import { isErased } from '../users/queries.ts';
import { users } from '../users/table.ts';
import { meetingMonths } from './table.ts';

const isFirst = sql`m.rescheduled_from is null`;
/** The requester's own answer says nothing. */
const isAccepted = sql`(p.position = 1 and p.response_status = 'accepted' and p.responded_at is not null)`;
const acceptedMs = sql`greatest(0, round(extract(epoch from p.responded_at - m.created_at) * 1000))`;
const isIn = (part: string) =>
  sql`(o.is_person and ${isOneOf(sql`m.status`, LIVE_STATUSES)} and m.day_parts[p.position + 1] = ${sql.raw(`'${part}'`)})`;
const one = (condition: SQL) => sql`(${condition})::int`;

type Counter = Exclude<keyof typeof meetingMonths.$inferSelect, 'party' | 'month'>;

/** What a meeting counts as for one of its two people, and, by the one who was invited, for its platform. */
const COUNTED: Record<Counter, SQL> = {
  made: one(isFirst),
  rescheduled: one(sql`${isFirst} and m.status = 'rescheduled'`),
  cancelled: one(sql`m.status = 'cancelled'`),
  accepted: one(isAccepted),
  acceptedFast: one(sql`${isAccepted} and ${acceptedMs} <= 7200000`),
  acceptedMs: sql`case when ${isAccepted} then ${acceptedMs} else 0 end`,
  morning: one(isIn('morning')),
  afternoon: one(isIn('afternoon')),
  evening: one(isIn('evening')),
};

const columns = getTableColumns(meetingMonths);
const counters = (Object.keys(COUNTED) as Counter[]).map((name) => ({
  column: sql.identifier(columns[name].name),
  counted: COUNTED[name],
}));
const list = (parts: SQL[]) => sql.join(parts, sql`, `);

interface Counted {
  meetingIds: string[];
  guard: Guard;
}

/** Always in one order, so that two who count do not wait for each other; somebody who was erased is counted no more. */
const add = (db: Db, factor: 1 | -1, { meetingIds, guard }: Counted) =>
  db.execute(sql`
    insert into ${meetingMonths} (party, month, ${list(counters.map(({ column }) => sql`${column}`))})
    select o.party, to_char(m.created_at at time zone 'UTC', 'YYYY-MM') as month,
      ${list(counters.map(({ counted }) => sql`${sql.raw(String(factor))} * sum(${counted})`))}
    from ${meetings} m join ${meetingPeople} p on p.meeting_id = m.id
    cross join lateral (values (p.user_id, true), (m.platform_id, false)) o (party, is_person)
    left join ${users} on ${users.id} = o.party
    where m.id in ${meetingIds} and ${isOneOf(sql`m.status`, SHOWN_STATUSES)} and (o.is_person or p.position = 1)
      and not ${isErased} and ${guard}
    group by 1, 2 order by 2, 1
    on conflict (party, month) do update set
      ${list(counters.map(({ column }) => sql`${column} = meeting_months.${column} + excluded.${column}`))}`);

/** Statement, behind a change of these meetings: they count as what they are now. */
export const countMeetings = (db: Db, counted: Counted) => add(db, 1, counted);

/** Statement, before a change of these meetings that nobody else changes meanwhile: they count as nothing, until `countMeetings`. */
export const uncountMeetings = (db: Db, counted: Counted) => add(db, -1, counted);

/** Statement: what the meetings of a platform or a person come to in all, and how many were made in two months of them. */
export const sumMonths = (
  db: Db,
  { party, thisMonth, lastMonth }: Record<'party' | 'thisMonth' | 'lastMonth', string>,
) => {
  const sumOf = (name: Counter, month = sql`true`) =>
    sql`coalesce(sum(${meetingMonths[name]}) filter (where ${month}), 0)`.mapWith(Number);
  return db
    .select({
      made: sumOf('made'),
      thisMonth: sumOf('made', eq(meetingMonths.month, thisMonth)),
      lastMonth: sumOf('made', eq(meetingMonths.month, lastMonth)),
      rescheduled: sumOf('rescheduled'),
      cancelled: sumOf('cancelled'),
      accepted: sumOf('accepted'),
      acceptedFast: sumOf('acceptedFast'),
      acceptedMs: sumOf('acceptedMs'),
      morning: sumOf('morning'),
      afternoon: sumOf('afternoon'),
      evening: sumOf('evening'),
    })
    .from(meetingMonths)
    .where(eq(meetingMonths.party, party));
};

export type MonthSums = Awaited<ReturnType<typeof sumMonths>>[number];
