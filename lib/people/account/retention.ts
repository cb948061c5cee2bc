import { batch } from '../../../schema/db.ts';
import {
  deleteFailedMeetings,
  deleteFormerUsers,
  deleteOldAnswers,
  deleteOldAudit,
  deleteOldBatches,
  deleteOldCodes,
  deleteOldDeliveries,
  deleteOldHolds,
  deleteOldJobs,
  deleteOldProposals,
  deleteOldRevocations,
  deleteOldSessions,
  deleteRevokedKeys,
  deleteUndoneChanges,
  deleteUnusedGuests,
  listEndedUsers,
  listOrphanedGuests,
} from '../../../schema/upkeep/retention.ts';
import { DAY } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import { KEPT_MS } from '../../kit/kept-for.ts';
import { eraseEnded, eraseGuestRow } from './erase.ts';

/** A run of the background sweep deletes no more, so that a backlog does not hold it up. */
const AT_ONCE = 1_000;
/** Kinds of which every meeting leaves a row get this larger bound. */
const MANY_AT_ONCE = 5_000;
const USERS_AT_ONCE = 20;

const LOOKED_AT_MS = 90 * DAY;

const old = ({ clock }: Ctx, kept: number, limit = AT_ONCE) => ({ before: clock.now() - kept, limit });

/**
 * `revocations` returns its rows, because the caller logs their count. Rows are locked in the order of an account's
 * deletion, keys and learned changes before meetings, so that the two cannot deadlock.
 */
const deletions = (ctx: Ctx) => ({
  deliveries: deleteOldDeliveries(ctx.db, old(ctx, KEPT_MS.deliveries, MANY_AT_ONCE)),
  answersUnderKeys: deleteOldAnswers(ctx.db, old(ctx, KEPT_MS.answersUnderKeys)),
  agentCodes: deleteOldCodes(ctx.db, old(ctx, KEPT_MS.agentCodes)),
  revokedKeys: deleteRevokedKeys(ctx.db, old(ctx, KEPT_MS.revokedKeys)),
  undoneChanges: deleteUndoneChanges(ctx.db, old(ctx, KEPT_MS.undoneChanges)),
  sessions: deleteOldSessions(ctx.db, old(ctx, KEPT_MS.sessions)),
  auditLog: deleteOldAudit(ctx.db, old(ctx, KEPT_MS.auditLog)),
  jobs: deleteOldJobs(ctx.db, old(ctx, KEPT_MS.jobs)),
  proposals: deleteOldProposals(ctx.db, old(ctx, KEPT_MS.proposals)),
  batches: deleteOldBatches(ctx.db, old(ctx, KEPT_MS.batches)),
  failedMeetings: deleteFailedMeetings(ctx.db, old(ctx, KEPT_MS.failedMeetings)),
  holds: deleteOldHolds(ctx.db, old(ctx, KEPT_MS.holds, MANY_AT_ONCE)),
  formerUsers: deleteFormerUsers(ctx.db, {
    ...old(ctx, KEPT_MS.endedUsers, USERS_AT_ONCE),
    after: ctx.clock.now() - LOOKED_AT_MS,
  }),
  unusedGuests: deleteUnusedGuests(ctx.db, old(ctx, KEPT_MS.unusedGuests)),
  revocations: deleteOldRevocations(ctx.db, old(ctx, KEPT_MS.revocations)),
});

/** Deletes each kind on its own if a statement of the one round trip fails. */
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

/**
 * Erases the guests of deleted platforms, and the users whose address went to another person and who have not come back
 * within `KEPT_MS.endedUsers`. Tandem erases the same personal data as if they had deleted their accounts.
 */
export async function eraseEndedUsers(ctx: Ctx): Promise<void> {
  const ended = old(ctx, KEPT_MS.endedUsers, USERS_AT_ONCE);
  for (const userId of await listEndedUsers(ctx.db, ended)) await eraseEnded(ctx, { userId, before: ended.before });
  for (const guest of await listOrphanedGuests(ctx.db, ended)) await eraseGuestRow(ctx, guest);
}
