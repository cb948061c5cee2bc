import type { Db } from '../../../schema/db.ts';
import type { Due, takeDueJobs } from '../../../schema/meetings/jobs.ts';
import { forgetAsking } from '../../../schema/tables/turns.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import type { QueueMessage } from '../../kit/ports.ts';
import { publishDue } from '../../kit/work-off.ts';

/** Each run is put on the queue in advance, so the sweep handles only work whose message failed or was lost. */
const GRACE_MS = 20_000;
/** No run has begun by then, and the queue's message counts as lost. */
const ASK_AGAIN_MS = 5 * MINUTE;

export type Queued = Awaited<ReturnType<typeof takeDueJobs>>[number];

interface Kind<T> {
  chore: string;
  /** The largest numbers of rows that one call puts on the queue: of all platforms, and of one. */
  atOnce: { limit: number; each: number };
  take: (db: Db, due: Due) => Promise<T[]>;
  messageFor: (due: Queued) => QueueMessage;
  table: Parameters<typeof forgetAsking>[1];
  /** Says in the log that one is left to the sweep. */
  leave: (ctx: Pick<Ctx, 'log'>, id: string, error: unknown) => void;
}

export const queueOf = <T extends Queued>({ leave, chore, atOnce, take, messageFor, table }: Kind<T>) => ({
  /** Never throws, because the sweep finds what is not on the queue. */
  publish: (ctx: Pick<Ctx, 'queue' | 'log'>, work: Queued, delaySeconds = 0): Promise<void> =>
    ctx.queue.publish({ ...messageFor(work), delaySeconds }).catch((error: unknown) => leave(ctx, work.id, error)),
  /** Platforms take turns, so no backlog delays others. Returns the number of rows. */
  sweep: (ctx: Ctx, until: number): Promise<number> =>
    publishDue(ctx, {
      chore,
      until,
      take: (now) => take(ctx.db, { now, dueBefore: now - GRACE_MS, askedBefore: now - ASK_AGAIN_MS, ...atOnce }),
      messagesFor: (due) => due.map(messageFor),
      release: (due) =>
        forgetAsking(
          ctx.db,
          table,
          due.map(({ id }) => id),
        ),
    }),
});
