import { type SQL, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { eventAnswers } from '../event-answers/table.ts';
import { holds } from '../holds/table.ts';
import { meetingMonths } from '../meeting-months/table.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';
import { proposals } from '../proposals/table.ts';
import { users } from '../users/table.ts';
import { type Invited, takesTime } from './guest-queries.ts';

interface Connecting extends Invited {
  /** The person who connects to the platform with the guest's address. */
  userId: string;
  /** Instant in epoch milliseconds. No time is reserved for a meeting that ended before it. */
  since: number;
  now: number;
}

/**
 * Returns SQL for the id of the guest who turns out to be the person who connects, so that the guest's meetings become
 * theirs. Returns null if there is none. It is also null if the two share a meeting or a proposal, because somebody who
 * invited themselves under another address cannot be both people of it.
 */
const mergedGuest = ({ platformId, email, userId }: Connecting): SQL => sql`(
  select g.id from ${users} g where g.guest_of = ${platformId} and g.guest_email = ${email}
    and not exists (
      select 1 from ${meetingPeople} p join ${meetingPeople} q on q.meeting_id = p.meeting_id
      where p.user_id = g.id and q.user_id = ${userId})
    and not exists (select 1 from ${proposals} r where r.other_id = g.id and r.requester_id = ${userId}))`;

/**
 * Builds a statement that locks the row of the guest with this address. A batch that writes a meeting or proposal of
 * the guest locks the same row, so it runs entirely before or after this statement's batch.
 */
export const lockGuest = (db: Db, { platformId, email }: Invited) =>
  db.execute(sql`
    select g.id from ${users} g where g.guest_of = ${platformId} and g.guest_email = ${email} for update`);

/**
 * Builds the statements that give a guest's meetings, proposals, answers and counters to the person who has connected to
 * the platform with the guest's address. They must follow `lockGuest`. The guest's own row keeps no address.
 */
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

/**
 * Builds a statement that reserves a person's time for the meetings to which the platform had invited them as a guest.
 * It must follow the statement that connects the person. The time is reserved even if it is taken, because nobody knew
 * the person's calendar at the time of the invitation.
 */
export const holdGuestMeetings = (db: Db, { platformId, userId, since }: Connecting) =>
  db.execute(sql`
    insert into ${holds} (meeting_id, user_id, event_id, during, exclusive, conflicts)
    select m.id, p.user_id, m.provider_event_id, tstzrange(m.starts_at, m.ends_at), false, (
      select count(*) from ${holds} h
      where h.user_id = p.user_id and h.during && tstzrange(m.starts_at, m.ends_at) and h.event_id <> m.provider_event_id)
    from ${meetingPeople} p join ${meetings} m on m.id = p.meeting_id
    where p.user_id = ${userId} and p.platform_id = ${platformId} and p.is_guest
      and ${takesTime} and m.status in ('pending', 'scheduled', 'updated') and m.ends_at > ${at(since)}
      and not exists (select 1 from ${holds} h where h.meeting_id = m.id and h.user_id = p.user_id)
    order by m.id
    on conflict do nothing`);

/**
 * Builds a statement that frees the time that meetings with guests take from a person who is not connected to their
 * platforms any more. It must follow the statement that ends the connections.
 */
export const freeGuestTime = (db: Db, { userId }: { userId: string }) =>
  db.execute(sql`
    delete from ${holds} h where h.user_id = ${userId} and exists (
      select 1 from ${meetingPeople} p where p.meeting_id = h.meeting_id and p.user_id = h.user_id and not ${takesTime})`);
