import { insertMoveHolds } from '../../schema/holds/queries.ts';
import { claimKey, type KeyClaim } from '../../schema/idempotency/queries.ts';
import { listMeetingPeople } from '../../schema/meetings/book-queries.ts';
import { claimMeeting, type Standing } from '../../schema/meetings/change-queries.ts';
import { listConnectedPeople } from '../../schema/people/queries.ts';
import { insertChange } from '../../schema/settlements/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { connected } from '../users/person.ts';
import { claimAtRest } from './at-rest.ts';
import { carryOut } from './carry-out.ts';
import { confirmUpdate } from './confirm-update.ts';
import type { UpdateIntent } from './intent.ts';
import { moveOnCalendar } from './move-on-calendar.ts';
import { LEASE_MS } from './promise.ts';
import { claimed } from './two-people.ts';

/** Which idempotent operation an update answers. */
export const UPDATE_OPERATION = 'update';

interface Input {
  id: string;
  /** Epoch milliseconds. */
  start: number;
  end: number;
  /** The requester, who stays, and the second attendee from now on. */
  attendees?: [string, string] | undefined;
  reason: string;
  idempotency?: KeyClaim | undefined;
}

/**
 * Gives a meeting the time and the second attendee it is told, free or not (`interface.md`, PUT
 * /v1/meetings/{meeting_id}). Throws `meeting_not_found`, `meeting_busy`, `invalid_attendees`, `user_not_found`,
 * `calendar_*`.
 */
export async function updateMeeting(ctx: Ctx, platform: Platform, input: Input) {
  const { id, start, end, attendees, reason, idempotency } = input;
  const hold = { id, owner: ctx.ids.id('own_') };
  const [requester, other] = attendees ?? [];
  const intent: UpdateIntent = { kind: 'update', start, end, other, reason };
  const { meeting, people } = await claimAtRest(
    ctx,
    { platform, id },
    async () => {
      const now = ctx.clock.now();
      const lease = { ...hold, leaseUntil: now + LEASE_MS };
      const keys = idempotency ? [claimKey(ctx.db, { ...idempotency, ...lease, resourceId: id, now })] : [];
      const [people, [meeting]] = await ctx.db.batch([
        listMeetingPeople(ctx.db, { meetingId: id }),
        claimMeeting(ctx.db, { ...lease, platformId: platform.id }),
        ...keys,
        insertChange(ctx.db, { hold, kind: 'move', intent: { ...intent }, requester, dueAt: lease.leaseUntil, now }),
        insertMoveHolds(ctx.db, { hold, platformId: platform.id, other, start, end }),
      ]);
      return claimed(meeting, people);
    },
    (standing) => explain(ctx, platform, standing, attendees),
  );
  const emails: [string, string] = [people[0].email, people[1].email];
  return carryOut(
    ctx,
    { hold, intent, operation: UPDATE_OPERATION },
    {
      email: emails[0],
      onCalendar: (trace) => {
        const wanted = { start, end, other, instead: other && emails[1] };
        return moveOnCalendar(ctx, people[0], meeting.providerEventId, wanted, trace);
      },
      confirm: () => confirmUpdate(ctx, { ...meeting, ...hold, attendees: emails }, intent),
    },
  );
}

async function explain(ctx: Ctx, platform: Platform, standing: Standing, attendees: [string, string] | undefined) {
  if (attendees === undefined) return;
  const [requester, other] = attendees;
  if (requester !== standing.organizer)
    throw new AppError(
      'invalid_attendees',
      `The first attendee must stay ${standing.organizer}: the event stands on their calendar.`,
      { field: 'attendees' },
    );
  if (other === standing.other) return;
  connected(other, await listConnectedPeople(ctx.db, { platformId: platform.id, emails: [other] }));
}
