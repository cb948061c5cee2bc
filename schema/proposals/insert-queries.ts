import { type SQL, sql } from 'drizzle-orm';
import type { Metadata } from '../api/metadata.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { insertProposalHolds, type Limits } from '../holds/queries.ts';
import { connectedUser, lockPeople } from '../people/queries.ts';
import { orRefuse, refuse } from '../refusals.ts';
import { type OnExpiry, proposals, proposalTimes } from './table.ts';

interface NewTime {
  id: string;
  start: number;
  end: number;
  reason: string;
  limits: [Limits, Limits];
}

export interface NewProposal {
  id: string;
  platformId: string;
  attendees: [string, string];
  durationMinutes: number;
  title: string;
  description: string | null;
  location: string;
  metadata: Metadata;
  times: NewTime[];
  expiresAt: number;
  onExpiry: OnExpiry;
  /** Most open proposals of one requester, and of one pair of people, on this platform. */
  most: { ofRequester: number; ofPair: number };
  now: number;
}

/**
 * Builds the statements that insert an open proposal and reserve its times for both people. They refuse the batch as
 * `not_connected` if a person is not connected, and as `too_many_open` if the requester or the pair already has as many
 * open proposals as allowed. A taken time fails the batch by `holds_no_overlap` or `hold_is_free`, and a full day by
 * `hold_within_day`.
 */
export function insertProposal(db: Db, { times, attendees, now, ...proposal }: NewProposal) {
  const { id: proposalId, platformId } = proposal;
  const person = (email: string) => orRefuse(connectedUser(platformId, email), 'not_connected');
  return [
    db.execute(sql`
      insert into ${proposals} (id, platform_id, requester_id, other_id, requester_email, other_email, status,
        duration_minutes, title, description, location, metadata, expires_at, on_expiry, created_at)
      values (${proposalId}, ${platformId}, ${person(attendees[0])}, ${person(attendees[1])}, ${attendees[0]}, ${attendees[1]},
        'open', ${proposal.durationMinutes}, ${proposal.title}, ${proposal.description}, ${proposal.location},
        ${JSON.stringify(proposal.metadata)}::jsonb, ${at(proposal.expiresAt)}, ${proposal.onExpiry}, ${at(now)})`),
    db.insert(proposalTimes).values(
      times.map(({ id, start, end, reason }, position) => ({
        id,
        proposalId,
        position,
        startsAt: start,
        endsAt: end,
        reason,
        status: 'held' as const,
      })),
    ),
    lockPeople(db, { proposalId }),
    refuseTooMany(db, proposal),
    insertProposalHolds(db, { proposalId, times }),
  ] as const;
}

/**
 * Builds a statement that refuses the batch if the proposal it inserted is one too many. It must follow `lockPeople`, so
 * that it counts the proposals of all batches before this one.
 */
function refuseTooMany(db: Db, { id, most }: Pick<NewProposal, 'id' | 'most'>) {
  const open = (who: SQL) => sql`(
    select count(*) from ${proposals} o where o.platform_id = n.platform_id and o.status = 'open' and ${who})`;
  return db.execute(sql`
    select case when ${open(sql`o.requester_id = n.requester_id`)} > ${most.ofRequester}::int
      or ${open(sql`(o.requester_id, o.other_id) in ((n.requester_id, n.other_id), (n.other_id, n.requester_id))`)} > ${most.ofPair}::int
      then ${refuse('too_many_open')} end
    from ${proposals} n where n.id = ${id}`);
}
