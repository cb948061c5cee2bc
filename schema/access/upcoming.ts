import { type SQL, sql } from 'drizzle-orm';
import { LIVE_STATUSES } from '../api/states.ts';
import { at, isOneOf } from '../columns.ts';
import type { busySnapshots } from '../tables/calendar-accounts.ts';
import { DAY } from '../units.ts';

/** Live or unfinished meetings that did not end more than a day ago follow what people change in the calendar. */
export const hasUpcoming = (userId: SQL | typeof busySnapshots.userId, now: number): SQL<boolean> => sql`exists (
  select 1 from meetings m where m.organizer_id = ${userId} and m.ends_at > ${at(now - DAY)}
    and ${isOneOf(sql`m.status`, ['pending', ...LIVE_STATUSES])})`;
