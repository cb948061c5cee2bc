import { insertNextKey, revokePlatformKeys } from '../../schema/access/api-keys.ts';
import {
  changePlatform,
  closeDeliveries,
  deleteEndpoint,
  endPlatform,
  failJobs,
  listConnectedIds,
  lockPlatform,
  platformIs,
  platformsOwn,
} from '../../schema/access/platforms.ts';
import { endSessions } from '../../schema/access/sessions.ts';
import { batch } from '../../schema/db.ts';
import { cancelBatchesOf } from '../../schema/meetings/batches.ts';
import { endProposals, isIdle, isOfSuspended, lockOpenProposals } from '../../schema/meetings/proposals-end.ts';
import { commitEndOfAccess } from '../calendars/disconnect.ts';
import { HOUR } from '../engine/time/dates.ts';
import { type Auditing, audited } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, invalid } from '../kit/errors.ts';
import { formerAddress } from '../kit/ids.ts';
import { maskKey, sha256 } from '../kit/keys.ts';
import { isPlan, PLANS } from '../kit/plans.ts';
import { securityChange } from '../webhooks/outbox.ts';

const notThere = (platformId: string) =>
  new AppError(
    'not_found',
    `Tandem has no platform ${platformId}, or the platform was deleted. "npm run admin -- platforms list" shows the IDs of all platforms.`,
  );

async function change(ctx: Auditing, platformId: string, what: 'name' | 'plan', to: string): Promise<void> {
  const { changed } = await batch(ctx.db, {
    lock: lockPlatform(ctx.db, { platformId }),
    audited: audited(ctx, {
      platformId,
      action: what === 'name' ? 'platform.renamed' : 'platform.plan_changed',
      details: { from: platformsOwn(what, platformId), to },
      guard: platformIs.otherwise(platformId, { [what]: to }),
    }),
    changed: changePlatform(ctx.db, { platformId, [what]: to }),
  });
  if (changed.length === 0) throw notThere(platformId);
}

export async function renamePlatform(ctx: Auditing, platformId: string, name: string): Promise<void> {
  if (name.trim() === '') throw invalid('name', 'The name of the platform is empty. Give the platform a name.');
  await change(ctx, platformId, 'name', name);
}

/** The limits apply at once. Throws `not_found` and, for an unknown plan, `invalid_request`. */
export async function changePlan(ctx: Auditing, platformId: string, plan: string): Promise<void> {
  if (!isPlan(plan)) throw invalid('plan', `The plan must be one of ${Object.keys(PLANS).join(', ')}.`);
  await change(ctx, platformId, 'plan', plan);
}

/** Its jobs and webhooks wait, and people keep access to their own pages. Throws `not_found`. */
export async function suspendPlatform(ctx: Auditing, platformId: string): Promise<void> {
  const now = ctx.clock.now();
  const { changed } = await batch(ctx.db, {
    lock: lockPlatform(ctx.db, { platformId }),
    audited: audited(ctx, { platformId, action: 'platform.suspended', guard: platformIs.active(platformId) }),
    ended: endSessions(ctx.db, { owner: { platformId }, now, guard: platformIs.active(platformId) }),
    changed: changePlatform(ctx.db, { platformId, suspendedAt: now }),
    ...proposalsOfSuspended(ctx, platformId),
  });
  if (changed.length === 0) throw notThere(platformId);
}

const proposalsOfSuspended = (ctx: Auditing, platformId: string) => {
  const which = isOfSuspended(platformId);
  return {
    proposals: lockOpenProposals(ctx.db, which),
    proposalsEnded: endProposals(ctx.db, { which: isIdle(which), now: ctx.clock.now() }),
  };
};

/** The background sweep continues its waiting jobs and webhooks. Throws `not_found`. */
export async function resumePlatform(ctx: Auditing, platformId: string): Promise<void> {
  const { changed } = await batch(ctx.db, {
    lock: lockPlatform(ctx.db, { platformId }),
    audited: audited(ctx, { platformId, action: 'platform.resumed', guard: platformIs.suspended(platformId) }),
    changed: changePlatform(ctx.db, { platformId, suspendedAt: null }),
  });
  if (changed.length === 0) throw notThere(platformId);
}

/** With `keepHours` the current key works on. Returns the key, which is shown once. Throws `not_found`. */
export async function reissueKey(ctx: Auditing & Pick<Ctx, 'keys'>, platformId: string, keepHours?: number) {
  const key = await ctx.keys.create('sk_live_');
  const [hash, masked, now] = [await sha256(key), maskKey(key), ctx.clock.now()];
  const guard = platformIs.there(platformId);
  const keep = keepHours === undefined ? undefined : { until: now + keepHours * HOUR, hash: undefined };
  const details = { key: masked };
  const { told, audited: row } = securityChange(ctx, { platformId, action: 'key.reissued', details, guard });
  const done = await batch(ctx.db, {
    lock: lockPlatform(ctx.db, { platformId }),
    next: insertNextKey(ctx.db, { owner: { platformId }, hash, masked, now, keep, guard }),
    ended: endSessions(ctx.db, { owner: { platformId }, now, guard }),
    told,
    row,
  });
  if (done.row.rows.length === 0) throw notThere(platformId);
  return key;
}

/**
 * One batch revokes keys and ends sessions, jobs, deliveries and proposals. Then every person's connection ends, one
 * person at a time, and the next call finishes after an interruption. Meetings stay, because they are people's records
 * too. Returns the number of people disconnected. Throws `not_found`.
 */
export async function deletePlatform(ctx: Auditing, platformId: string): Promise<number> {
  const now = ctx.clock.now();
  const { there } = await batch(ctx.db, {
    there: lockPlatform(ctx.db, { platformId }),
    audited: audited(ctx, { platformId, action: 'platform.deleted', guard: platformIs.there(platformId) }),
    ended: endPlatform(ctx.db, { platformId, email: formerAddress(ctx.ids), now }),
    keys: revokePlatformKeys(ctx.db, { platformId, now }),
    sessions: endSessions(ctx.db, { owner: { platformId }, now }),
    deliveries: closeDeliveries(ctx.db, { platformId, now }),
    endpoint: deleteEndpoint(ctx.db, { platformId }),
    jobs: failJobs(ctx.db, { platformId, now }),
    ...cancelBatchesOf(ctx.db, { platformId, now }),
    ...proposalsOfSuspended(ctx, platformId),
  });
  if (there.length === 0) throw notThere(platformId);
  const people = await listConnectedIds(ctx.db, { platformId });
  for (const userId of people) await commitEndOfAccess(ctx, { userId, platformId });
  return people.length;
}
