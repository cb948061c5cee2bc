import { claimKey, type KeyClaim } from '../../schema/idempotency/queries.ts';
import { listMeetingPeople } from '../../schema/meetings/book-queries.ts';
import { claimMeeting } from '../../schema/meetings/change-queries.ts';
import { insertSuccessor } from '../../schema/meetings/successor-queries.ts';
import { insertChange } from '../../schema/settlements/queries.ts';
import { postgresRefusal } from '../adapters/neon.ts';
import type { Ctx, Platform } from '../context.ts';
import { claimAtRest } from './at-rest.ts';
import { MeetingChanged, SlotTaken } from './conflicts.ts';
import type { RescheduleIntent } from './intent.ts';
import { LEASE_MS } from './promise.ts';
import { claimed } from './two-people.ts';

interface Input {
  hold: { id: string; owner: string };
  /** The version that was searched for. */
  version: number;
  intent: RescheduleIntent;
  idempotency?: KeyClaim | undefined;
}

/**
 * Step A of a reschedule, one batch: the key, the old meeting, the new one with its holds, and the settlement, or
 * nothing. Throws `SlotTaken`, `MeetingChanged` when the meeting is not what was searched for, `KeyTaken`,
 * `meeting_not_found`, `meeting_busy`.
 */
export function promiseSuccessor(ctx: Ctx, platform: Platform, { hold, version, intent, idempotency }: Input) {
  const { id } = hold;
  return claimAtRest(
    ctx,
    { platform, id },
    async () => {
      const now = ctx.clock.now();
      const lease = { ...hold, leaseUntil: now + LEASE_MS };
      const keys = idempotency ? [claimKey(ctx.db, { ...idempotency, ...lease, resourceId: id, now })] : [];
      const { newId, start, end } = intent;
      try {
        const [people, [meeting]] = await ctx.db.batch([
          listMeetingPeople(ctx.db, { meetingId: id }),
          claimMeeting(ctx.db, { ...lease, platformId: platform.id, version }),
          ...keys,
          insertChange(ctx.db, { hold, kind: 'move', intent: { ...intent }, dueAt: lease.leaseUntil, now }),
          ...insertSuccessor(ctx.db, { id: newId, from: hold, start, end, now }),
        ]);
        return claimed(meeting, people);
      } catch (error) {
        const { constraint = '' } = postgresRefusal(error);
        throw ['holds_no_overlap', 'hold_is_free'].includes(constraint) ? new SlotTaken() : error;
      }
    },
    (standing) => {
      if (standing.version !== version) throw new MeetingChanged();
    },
  );
}
