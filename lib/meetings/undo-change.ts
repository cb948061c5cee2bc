import { deleteHolds, trimHolds } from '../../schema/holds/queries.ts';
import { releaseKey } from '../../schema/idempotency/queries.ts';
import { type Hold, isFinishedBy, releaseMeeting } from '../../schema/meetings/claim-queries.ts';
import { abandonSuccessor } from '../../schema/meetings/successor-queries.ts';
import { deleteSettlement, insertSettlement } from '../../schema/settlements/queries.ts';
import type { Ctx } from '../context.ts';
import type { Intent } from './intent.ts';

/** A change of a meeting that was claimed for it. */
export interface Change {
  hold: Hold;
  intent: Intent;
  /** Whose idempotent operation it is. */
  operation: string;
}

/**
 * The meeting is as it was: what the change held is free, its key may be used afresh. With `lookAgainAt` the calendar
 * is looked at once more then, for a call that reaches it late.
 */
export async function undoChange(ctx: Ctx, change: Change, lookAgainAt?: number): Promise<void> {
  const { hold, intent, operation } = change;
  const onlyIf = isFinishedBy(hold);
  const now = ctx.clock.now();
  const of = { meetingId: hold.id, onlyIf };
  await ctx.db.batch([
    releaseMeeting(ctx.db, hold),
    trimHolds(ctx.db, of),
    ...(intent.kind === 'reschedule'
      ? [
          abandonSuccessor(ctx.db, { id: intent.newId, from: hold.id, now, onlyIf }),
          deleteHolds(ctx.db, { meetingId: intent.newId, onlyIf }),
        ]
      : []),
    releaseKey(ctx.db, { operation, resourceId: hold.id, onlyIf }),
    deleteSettlement(ctx.db, { ...of, kind: intent.kind === 'cancel' ? 'cancel' : 'move' }),
    ...(lookAgainAt === undefined
      ? []
      : [
          insertSettlement(ctx.db, {
            ...of,
            kind: 'recheck',
            intent: { [hold.owner]: intent },
            dueAt: lookAgainAt,
            now,
          }),
        ]),
  ]);
}
