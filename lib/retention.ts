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

type Sweeping = Pick<Ctx, 'db' | 'clock'>;

const old = ({ clock }: Sweeping, kept: number, limit = AT_ONCE) => ({ before: clock.now() - kept, limit });

/** What the minute's tick deletes, each by itself. */
export const retention = {
  deliveries: (ctx: Sweeping) => deleteOldDeliveries(ctx.db, old(ctx, KEPT_MS.deliveries, MANY_AT_ONCE)),
  jobs: (ctx: Sweeping) => deleteOldJobs(ctx.db, old(ctx, KEPT_MS.jobs)),
  answersUnderKeys: (ctx: Sweeping) => deleteOldAnswers(ctx.db, old(ctx, KEPT_MS.answersUnderKeys)),
  failedMeetings: (ctx: Sweeping) => deleteFailedMeetings(ctx.db, old(ctx, KEPT_MS.failedMeetings)),
  holds: (ctx: Sweeping) => deleteOldHolds(ctx.db, old(ctx, KEPT_MS.holds, MANY_AT_ONCE)),
  revokedKeys: (ctx: Sweeping) => deleteRevokedKeys(ctx.db, old(ctx, KEPT_MS.revokedKeys)),
  undoneChanges: (ctx: Sweeping) => deleteUndoneChanges(ctx.db, old(ctx, KEPT_MS.undoneChanges)),
  revocations: giveUpRevocations,
  endedUsers: eraseEndedUsers,
};

async function giveUpRevocations(ctx: Ctx): Promise<void> {
  const given = await deleteOldRevocations(ctx.db, old(ctx, KEPT_MS.revocations));
  if (given > 0)
    ctx.log('error', 'grants were given up that the provider never accepted the end of', { grants: given });
}

/** Whose address went to another is erased as if they had asked for it, once they have not come back for so long. */
async function eraseEndedUsers(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const ended = old(ctx, KEPT_MS.endedUsers, USERS_AT_ONCE);
  for (const userId of await listEndedUsers(ctx.db, ended)) await eraseEnded(ctx, { userId, before: ended.before });
  await eraseLateAddresses(ctx.db, { since: now - LATE_MS });
  await deleteFormerUsers(ctx.db, { ...ended, after: now - LOOKED_AT_MS });
}
