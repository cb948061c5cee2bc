import { batch } from '../schema/db.ts';
import {
  deleteFailedMeetings,
  deleteFormerUsers,
  deleteOldAnswers,
  deleteOldDeliveries,
  deleteOldHolds,
  deleteOldJobs,
  deleteOldRevocations,
  deleteRevokedKeys,
  deleteUndoneChanges,
  eraseLateAddresses,
  listEndedUsers,
} from '../schema/retention/queries.ts';
import type { Ctx } from './context.ts';
import { eraseEnded } from './users/erase.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How long what has ended is kept (`schema/README.md` has the same table, and what has no age). */
export const KEPT_MS = {
  deliveries: 30 * DAY,
  jobs: 30 * DAY,
  answersUnderKeys: DAY,
  failedMeetings: 7 * DAY,
  holds: 30 * DAY,
  revokedKeys: 30 * DAY,
  undoneChanges: 365 * DAY,
  revocations: 30 * DAY,
  endedUsers: 30 * DAY,
};

/** Rows of one tick, so that no backlog holds it up. */
const AT_ONCE = 1_000;
/** Of what is written with every meeting. */
const MANY_AT_ONCE = 5_000;
const USERS_AT_ONCE = 20;

/** Longer than any request or job that may still write an address. */
const LATE_MS = 2 * DAY;
const LOOKED_AT_MS = 90 * DAY;

const old = ({ clock }: Ctx, kept: number, limit = AT_ONCE) => ({ before: clock.now() - kept, limit });

/**
 * What is deleted, or blanked, by a statement alone; of `revocations` the caller says how many. Keys and lessons come before
 * what may lock meetings, in the order in which a person's end takes them.
 */
const deletions = (ctx: Ctx) => ({
  deliveries: deleteOldDeliveries(ctx.db, old(ctx, KEPT_MS.deliveries, MANY_AT_ONCE)),
  answersUnderKeys: deleteOldAnswers(ctx.db, old(ctx, KEPT_MS.answersUnderKeys)),
  revokedKeys: deleteRevokedKeys(ctx.db, old(ctx, KEPT_MS.revokedKeys)),
  undoneChanges: deleteUndoneChanges(ctx.db, old(ctx, KEPT_MS.undoneChanges)),
  jobs: deleteOldJobs(ctx.db, old(ctx, KEPT_MS.jobs)),
  failedMeetings: deleteFailedMeetings(ctx.db, old(ctx, KEPT_MS.failedMeetings)),
  holds: deleteOldHolds(ctx.db, old(ctx, KEPT_MS.holds, MANY_AT_ONCE)),
  lateAddresses: eraseLateAddresses(ctx.db, { since: ctx.clock.now() - LATE_MS }),
  formerUsers: deleteFormerUsers(ctx.db, {
    ...old(ctx, KEPT_MS.endedUsers, USERS_AT_ONCE),
    after: ctx.clock.now() - LOOKED_AT_MS,
  }),
  revocations: deleteOldRevocations(ctx.db, old(ctx, KEPT_MS.revocations)),
});

/** Deletes what is old, some of each kind: in one round trip, or each by itself where one of them fails. */
export async function deleteOld(ctx: Ctx): Promise<void> {
  try {
    const { revocations } = await batch(ctx.db, deletions(ctx));
    tellGivenUp(ctx, revocations.rows.length);
  } catch (error) {
    ctx.log('warn', 'what is old is deleted one kind at a time', { error });
    const { revocations, ...others } = deletions(ctx);
    const alone = async (chore: string, work: PromiseLike<unknown>) => {
      try {
        await work;
      } catch (cause) {
        ctx.log('error', 'sweep failed', { chore, error: cause });
      }
    };
    for (const [name, deletion] of Object.entries(others)) await alone(name, deletion);
    await alone(
      'revocations',
      revocations.then(({ rows }) => tellGivenUp(ctx, rows.length)),
    );
  }
}

function tellGivenUp(ctx: Ctx, grants: number): void {
  if (grants > 0) ctx.log('error', 'grants were given up that the provider never accepted the end of', { grants });
}

/** Whose address went to another is erased as if they had asked for it, once they have not come back for so long. */
export async function eraseEndedUsers(ctx: Ctx): Promise<void> {
  const ended = old(ctx, KEPT_MS.endedUsers, USERS_AT_ONCE);
  for (const userId of await listEndedUsers(ctx.db, ended)) await eraseEnded(ctx, { userId, before: ended.before });
}
