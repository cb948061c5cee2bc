import { eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db.ts';
import { isCurrent, m, type meetings } from '../tables/meetings.ts';
import { PLATFORM, platforms } from '../tables/platforms.ts';
import { proposals } from '../tables/proposals.ts';
import { proposalColumns } from './proposals-list.ts';
import { asksFor, openMoveOf } from './proposals-move.ts';

/** If the booked meeting was moved since, this is the one at its new time. */
interface MeetingOfPage
  extends Pick<typeof meetings.$inferSelect, 'id' | 'status' | 'title' | 'location' | 'meetLink' | 'version'> {
  start: number;
  end: number;
  eventId: string;
  isStillTheirs: boolean;
  openMove: ReturnType<typeof openMoveOf>['_']['type'];
  /** Number of proposals that offered other times for the meeting because the person at a page asked for them. */
  asks: number;
}

const zoneOf = (userId: SQL) => sql<string>`(
  select coalesce(u.preferences ->> 'timezone', u.calendar_time_zone) from users u where u.id = ${userId})`;

/** The hash is the SHA-256 of the secret token in the page's URL. Undefined if no proposal has it. */
export async function findProposalOfPage(db: Db, { tokenHash }: { tokenHash: string }) {
  const [found] = await db
    .select({
      ...proposalColumns,
      platform: { ...PLATFORM, logoUrl: platforms.logoUrl },
      suspendedAt: platforms.suspendedAt,
      /** The zone is from preferences or calendar; this runtime may not know it. Null without a connection. */
      requesterTimeZone: sql<string | null>`case when ${proposalColumns.isRequesterConnected}
        then ${zoneOf(sql`proposals.requester_id`)} end`,
      /** The zone is from preferences or calendar, or what the guest gave. Null if a guest gave none. */
      otherTimeZone: sql<string | null>`case when ${proposalColumns.isOtherConnected}
        then ${zoneOf(sql`proposals.other_id`)} else proposals.guest_time_zone end`,
      /** Its token is encrypted. Null if there is none. */
      answeredBy: sql<{ id: string; token: string | null } | null>`(
        select jsonb_build_object('id', n.id, 'token', n.token) from proposals n
        where n.counter_of = proposals.id and proposals.status = 'countered')`,
      /** The times of this one were asked for on its page. Its token is encrypted. Null if there is none. */
      askedAt: sql<{ id: string; token: string | null } | null>`(
        select jsonb_build_object('id', o.id, 'token', o.token) from proposals o
        where o.id = proposals.counter_of and o.status = 'accepted')`,
      /** A person asked so for other times on an earlier page, if this proposal is the answer. */
      asked: sql<string | null>`(select o.reason from proposals o where o.id = proposals.counter_of)`,
      meeting: sql<MeetingOfPage | null>`(
        select jsonb_build_object('id', m.id, 'status', m.status, 'title', m.title, 'location', m.location,
          'start', round(extract(epoch from m.starts_at) * 1000), 'end', round(extract(epoch from m.ends_at) * 1000),
          'meetLink', m.meet_link, 'eventId', m.provider_event_id, 'version', m.version,
          'isStillTheirs', exists (
            select 1 from meeting_people p
            where p.meeting_id = m.id and p.position = 1
              and (p.user_id = proposals.other_id or p.email = proposals.other_email)),
          'openMove', ${openMoveOf(sql`m.id`)},
          'asks', ${asksFor(sql`m.provider_event_id`)})
        from meetings b join meetings m on m.provider_event_id = b.provider_event_id and ${isCurrent(m)}
        where b.id = proposals.meeting_id)`,
    })
    .from(proposals)
    .innerJoin(platforms, eq(platforms.id, proposals.platformId))
    .where(eq(proposals.tokenHash, tokenHash));
  return found;
}

export type FoundOfPage = NonNullable<Awaited<ReturnType<typeof findProposalOfPage>>>;
