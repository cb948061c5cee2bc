import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { pick } from '../columns.ts';
import type { Db } from '../db.ts';
import { platforms } from '../tables/platforms.ts';
import { holds, proposals } from '../tables/proposals.ts';

const startsAt = sql`lower(${holds.during})`;
const instantMs = (instant: typeof startsAt) => sql`extract(epoch from ${instant}) * 1000`.mapWith(Number);

/** Covers all platforms. Those that are free again first come first. */
export const listHeldTimes = (db: Db, { userId, now }: { userId: string; now: number }) =>
  db
    .select({
      proposalId: proposals.id,
      platformId: platforms.id,
      platformName: platforms.name,
      ...pick(proposals, 'requesterId', 'requesterEmail', 'otherEmail', 'expiresAt'),
      start: instantMs(startsAt),
      end: instantMs(sql`upper(${holds.during})`),
    })
    .from(holds)
    .innerJoin(proposals, eq(proposals.id, holds.proposalId))
    .innerJoin(platforms, eq(platforms.id, proposals.platformId))
    .where(and(eq(holds.userId, userId), isNull(holds.meetingId), gt(proposals.expiresAt, now)))
    .orderBy(asc(proposals.expiresAt), asc(proposals.id), asc(startsAt));

export async function findOwnProposal(db: Db, { userId, id }: { userId: string; id: string }) {
  const [proposal] = await db
    .select({ platformId: proposals.platformId, requesterId: proposals.requesterId })
    .from(proposals)
    .where(and(eq(proposals.id, id), or(eq(proposals.requesterId, userId), eq(proposals.otherId, userId))));
  return proposal && { platformId: proposal.platformId, isRequester: proposal.requesterId === userId };
}
