import { changedMetadata, type MetadataChange, MOST_PAIRS } from '../../schema/api/metadata.ts';
import { insertMoveHolds } from '../../schema/holds/queries.ts';
import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import type { Snapshot } from '../../schema/meetings/read-queries.ts';
import { listConnectedPeople } from '../../schema/people/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { connected } from '../users/person.ts';
import { moveEvent } from './calendar-event.ts';
import { claim } from './claim.ts';
import { commitUpdate } from './commits/update.ts';
import { runOperation } from './operation.ts';

interface Input {
  id: string;
  /** Epoch milliseconds. */
  start: number;
  end: number;
  /** The requester, who stays, and the second attendee from now on. */
  attendees?: [string, string] | undefined;
  reason: string;
  metadata?: MetadataChange | undefined;
  idempotency?: KeyClaim | undefined;
}

/**
 * Gives a meeting the time and the second attendee it is told, free or not (`interface.md`, PUT
 * /v1/meetings/{meeting_id}). Throws `meeting_not_found`, `meeting_busy`, `invalid_attendees`, `user_not_found`,
 * `calendar_*`; `calendar_reconnect_required` also for an attendee who ended their connection with the platform.
 */
export async function updateMeeting(ctx: Ctx, platform: Platform, input: Input) {
  const { id, start, end, attendees, reason, metadata, idempotency } = input;
  const [requester, other] = attendees ?? [];
  const lease = { id, owner: ctx.ids.id('own_') };
  const operation = { lease, intent: { kind: 'update' as const, start, end, other, reason, metadata } };
  const { meeting, people } = await claim(ctx, platform, {
    operation,
    idempotency,
    requester,
    metadata,
    connected: { other },
    reserve: () => [insertMoveHolds(ctx.db, { lease, platformId: platform.id, other, start, end })],
    refuse: async (snapshot) => {
      refuseMorePairs(snapshot, metadata);
      await refuseOthers(ctx, platform, snapshot, attendees);
    },
  });
  const emails: [string, string] = [people[0].email, people[1].email];
  const caller = { email: emails[0], isKeyed: idempotency !== undefined };
  return runOperation(ctx, operation, caller, async (trace) => {
    const wanted = { start, end, other, instead: other && emails[1] };
    const event = await moveEvent(ctx, people[0], meeting.providerEventId, wanted, trace);
    return commitUpdate(ctx, operation, { ...meeting, attendees: emails, people }, event);
  });
}

/** Throws where the meeting would have more pairs than it may. */
function refuseMorePairs(snapshot: Snapshot, change: MetadataChange | undefined): void {
  const pairs = Object.keys(changedMetadata(snapshot.metadata, change)).length;
  if (pairs <= MOST_PAIRS) return;
  throw new AppError(
    'invalid_request',
    `metadata must leave at most ${MOST_PAIRS} pairs; the meeting would have ${pairs}.`,
    {
      field: 'metadata',
    },
  );
}

/** Throws for another requester, and for a second attendee who is neither that already nor connected. */
async function refuseOthers(
  ctx: Ctx,
  platform: Platform,
  snapshot: Snapshot,
  attendees: [string, string] | undefined,
): Promise<void> {
  if (attendees === undefined) return;
  const [requester, other] = attendees;
  if (requester !== snapshot.organizer)
    throw new AppError(
      'invalid_attendees',
      `The first attendee must stay ${snapshot.organizer}: the event stands on their calendar.`,
      { field: 'attendees' },
    );
  if (other === snapshot.other) return;
  connected(other, await listConnectedPeople(ctx.db, { platformId: platform.id, emails: [other] }));
}
