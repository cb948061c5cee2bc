import { changedMetadata, type MetadataChange, MOST_PAIRS } from '../../../schema/api/metadata.ts';
import type { Snapshot } from '../../../schema/meetings/change.ts';
import { forgetAnswer } from '../../../schema/meetings/event-answers.ts';
import { insertMoveHolds } from '../../../schema/meetings/holds.ts';
import type { Interval } from '../../engine/types.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { loadConnected, requireConnected } from '../../person/person.ts';
import { monthOf } from '../../usage/usage.ts';
import { MAIN, moveEvent } from '../protocol/calendar-event.ts';
import { reserveChange } from '../protocol/claim.ts';
import { commitUpdate } from '../protocol/commit.ts';
import type { Request } from '../protocol/kept-answer.ts';
import type { Meeting } from '../protocol/meeting.ts';
import { runOperation } from '../protocol/operation.ts';

interface Input extends Request, Interval {
  id: string;
  /** Both attendees after the update, in any order: the requester, who stays, and the second attendee. */
  attendees?: [string, string] | undefined;
  reason: string;
  metadata?: MetadataChange | undefined;
}

/**
 * Serves `PUT /v1/meetings/{meeting_id}`, even for a time that is not free. A changed pair of attendees uses the
 * month's quota like a new meeting. Throws `meeting_not_found`, `meeting_busy`, `invalid_attendees`, `user_not_found`,
 * `quota_exceeded`, `calendar_*`, and `calendar_reconnect_required` for an attendee who ended their connection.
 */
export async function updateMeeting(ctx: Ctx, platform: Platform, input: Input) {
  try {
    return await updateOnce(ctx, platform, input);
  } catch (error) {
    if (!(error instanceof RequesterSecond) || input.attendees === undefined) throw error;
    const [other, requester] = input.attendees;
    return updateOnce(ctx, platform, { ...input, attendees: [requester, other] });
  }
}

/** Nothing was reserved. */
class RequesterSecond extends Error {}

async function updateOnce(ctx: Ctx, platform: Platform, input: Input) {
  const { id, start, end, attendees, reason, metadata, idempotency, warnings } = input;
  const [requester, other] = attendees ?? [];
  const lease = { id, owner: ctx.ids.id('own_') };
  const intent = { kind: 'update' as const, start, end, other, reason, metadata, warnings };
  const { usageMonth, ...meeting } = await reserveChange(ctx, platform, {
    operation: { lease, intent },
    idempotency,
    requester,
    metadata,
    connected: { other },
    pair: other === undefined ? undefined : { other, usageMonth: monthOf(ctx.clock.now()), plan: platform.plan },
    reserve: () => [
      insertMoveHolds(ctx.db, { lease, platformId: platform.id, other, start, end }),
      ...(other === undefined ? [] : [forgetAnswer(ctx.db, { meetingId: id, email: other })]),
    ],
    refuse: async (snapshot) => {
      refuseMorePairs(snapshot, metadata);
      await refuseOthers(ctx, platform, snapshot, attendees);
    },
  });
  const operation = { lease, intent: { ...intent, usageMonth } };
  const { people } = meeting;
  const [organizer, former] = people;
  return runOperation(ctx, operation, { people, idempotency }, async (trace) => {
    const wanted = { start, end, other, instead: other && former.email };
    const seen = other === undefined ? asLastSeen(meeting, wanted) : undefined;
    const event = await moveEvent(ctx, organizer, { ...meeting, id: meeting.providerEventId }, wanted, trace, seen);
    return commitUpdate(ctx, operation, { ...meeting, plan: platform.plan }, event);
  });
}

/**
 * If the event has changed, the calendar refuses and it is read after all. Undefined if its version is unknown, or if
 * it should have the wanted time already. It lists no attendees, so use it only if nobody is invited or removed.
 */
function asLastSeen(
  { id, start, end, title, location, ...meeting }: Meeting,
  wanted: Interval,
): CalendarEvent | undefined {
  const { eventEtag: etag, providerEventId, meetLink } = meeting;
  if (etag === null || (start === wanted.start && end === wanted.end)) return undefined;
  const link = { meetLink, linkPending: meetLink === null };
  return {
    ...{ id: providerEventId, meetingId: id, status: 'confirmed', etag, start, end, ...link },
    ...{ title, location, dates: undefined, isSeries: false, calendar: MAIN, attendees: [], updatedAt: undefined },
  };
}

function refuseMorePairs(snapshot: Snapshot, change: MetadataChange | undefined): void {
  const pairs = Object.keys(changedMetadata(snapshot.metadata, change)).length;
  if (pairs <= MOST_PAIRS) return;
  throw new AppError(
    'invalid_request',
    `A meeting can have at most ${MOST_PAIRS} metadata pairs, but this change would give it ${pairs}. To remove a pair, send its key with the value null.`,
    { field: 'metadata' },
  );
}

/** Throws for another requester, and if the new second attendee is not connected, and `RequesterSecond`. */
async function refuseOthers(ctx: Ctx, platform: Platform, snapshot: Snapshot, attendees: [string, string] | undefined) {
  if (attendees === undefined) return;
  const [requester, other] = attendees;
  if (other === snapshot.organizer) throw new RequesterSecond();
  if (requester !== snapshot.organizer)
    throw new AppError(
      'invalid_attendees',
      `\`attendees\` must still include ${snapshot.organizer}, because the meeting's event is on the calendar of ${snapshot.organizer}.`,
      { field: 'attendees' },
    );
  if (other === snapshot.other) return;
  requireConnected(other, await loadConnected(ctx, platform, [other]));
}
