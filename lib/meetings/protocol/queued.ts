import type { Db } from '../../../schema/db.ts';
import type { Due } from '../../../schema/meetings/jobs.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import type { QueueMessage } from '../../kit/ports.ts';
import { publishDue } from '../../kit/work-off.ts';

/** Each run is put on the queue in advance, so the sweep handles only work whose message failed or was lost. */
const GRACE_MS = 20_000;
/** No run has begun by then, and the queue's message counts as lost. */
const ASK_AGAIN_MS = 5 * MINUTE;

/** A job or a batch, whose runs the queue begins. */
export interface Queued {
  id: string;
  platformId: string;
}

interface Sweep<T> {
  chore: string;
  /** The largest numbers of rows that one call puts on the queue: of all platforms, and of one. */
  atOnce: { limit: number; each: number };
  take: (db: Db, due: Due) => Promise<T[]>;
  messageFor: (due: T) => QueueMessage;
  forgetAsking: (db: Db, ids: string[]) => Promise<unknown>;
}

/**
 * Puts work that is due on the queue again, unless a run has leased it, until time is up. Platforms take turns, so no
 * backlog delays others. Returns the number of rows.
 */
export const sweepQueued = <T extends Queued>(ctx: Ctx, until: number, { chore, atOnce, ...of }: Sweep<T>) =>
  publishDue(ctx, {
    chore,
    until,
    take: (now) => of.take(ctx.db, { now, dueBefore: now - GRACE_MS, askedBefore: now - ASK_AGAIN_MS, ...atOnce }),
    messagesFor: (due) => due.map(of.messageFor),
    release: (due) =>
      of.forgetAsking(
        ctx.db,
        due.map(({ id }) => id),
      ),
  });
