import { type SQL, sql } from 'drizzle-orm';
import type { Invited } from '../access/people-guest.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { eventAnswers, meetingPeople } from '../tables/meetings.ts';
import { proposals } from '../tables/proposals.ts';
import { meetingMonths } from '../tables/usage.ts';
import { users } from '../tables/users.ts';

interface Connecting extends Invited {
  userId: string;
  now: number;
}

/**
 * The guest's meetings become theirs. Null if there is none, or if the two share a meeting or a proposal, because
 * somebody who invited themselves under another address cannot be both people of it.
 */
const mergedGuest = ({ platformId, email, userId }: Connecting): SQL => sql`(
  select g.id from ${users} g where g.guest_of = ${platformId} and g.guest_email = ${email}
    and not exists (
      select 1 from ${meetingPeople} p join ${meetingPeople} q on q.meeting_id = p.meeting_id
      where p.user_id = g.id and q.user_id = ${userId})
    and not exists (select 1 from ${proposals} r where r.other_id = g.id and r.requester_id = ${userId}))`;

/** A batch that writes a meeting or proposal of the guest locks the same row, so it runs entirely before or after. */
export const lockGuest = (db: Db, { platformId, email }: Invited) =>
  db.execute(sql`
    select g.id from ${users} g where g.guest_of = ${platformId} and g.guest_email = ${email} for update`);

/** Moves meetings, proposals, answers and counters. Must follow `lockGuest`. The guest's own row keeps no address. */
export function mergeGuest(db: Db, connecting: Connecting) {
  const { userId, now } = connecting;
  const guest = mergedGuest(connecting);
  const sums = ['made', 'rescheduled', 'cancelled', 'accepted', 'accepted_fast', 'accepted_ms', ...DAY_PARTS];
  const columns = sql.raw(sums.join(', '));
  const added = sql.raw(sums.map((name) => `${name} = meeting_months.${name} + excluded.${name}`).join(', '));
  return {
    counted: db.execute(sql`
      insert into ${meetingMonths} (party, month, ${columns})
      select ${userId}::text, month, ${columns} from ${meetingMonths} where party = ${guest} order by month
      on conflict (party, month) do update set ${added}`),
    uncounted: db.execute(sql`delete from ${meetingMonths} where party = ${guest}`),
    answers: db.execute(sql`
      update ${eventAnswers} a set user_id = ${userId} where a.user_id = ${guest} and not exists (
        select 1 from ${eventAnswers} own where own.event_id = a.event_id and own.user_id = ${userId})`),
    proposed: db.execute(sql`update ${proposals} set other_id = ${userId} where other_id = ${guest}`),
    met: db.execute(sql`update ${meetingPeople} set user_id = ${userId} where user_id = ${guest}`),
    merged: db.execute(sql`
      update ${users} set guest_of = null, guest_email = null, ended_at = ${at(now)}
      where guest_of = ${connecting.platformId} and guest_email = ${connecting.email} and not exists (
        select 1 from ${meetingPeople} p where p.user_id = users.id) and not exists (
        select 1 from ${proposals} r where r.other_id = users.id)`),
  };
}

const DAY_PARTS = ['morning', 'afternoon', 'evening'];
