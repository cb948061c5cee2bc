import {
  deleteRevocation,
  findEndedGrants,
  holdRevocation,
  leaseRevocation,
  listDueRevocations,
  releaseRevocation,
  type WhichRevocation,
} from '../../../schema/access/revocations.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import { refreshTokenPlace } from '../../kit/reseal.ts';
import { workOff } from '../../kit/work-off.ts';

/** One worker alone revokes a grant for this time, longer than the timeout of the call to the provider. */
const LEASE_MS = 15_000;
/** A former grant's revocation waits for this time, in which a new consent is stored. */
const CONSENT_MS = MINUTE;
const WAIT_MS = 150;
const LONGEST_WAIT_MS = 10_000;

/** Failures are retried later. Platforms take turns, so that one's long backlog does not delay the others. */
export const revokeGrants = (ctx: Ctx, until: number): Promise<void> =>
  workOff(ctx, {
    until,
    list: (line) => listDueRevocations(ctx.db, line),
    tenantOf: ({ turnOf }) => turnOf,
    run: ({ providerId }) => revoke(ctx, { providerId }),
  });

const PATIENCE_MS = 2_000;

/** Waits at most two seconds, and leaves an unfinished revocation to the background sweep. */
export async function revokeSoon(ctx: Ctx, userId: string): Promise<void> {
  const revoking = revoke(ctx, { userId });
  ctx.later(revoking);
  await Promise.race([revoking.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

/** A revocation that is named by its user need not be due yet. */
async function revoke(ctx: Ctx, which: WhichRevocation): Promise<void> {
  const now = ctx.clock.now();
  const owner = ctx.ids.id('rev_');
  const revocation = await leaseRevocation(ctx.db, { ...which, owner, now, leaseUntil: now + LEASE_MS });
  if (revocation === undefined) return;
  try {
    await ctx.oauth.revoke(await ctx.sealer.open(revocation.token, refreshTokenPlace(revocation.userId)));
    await deleteRevocation(ctx.db, revocation);
  } catch (error) {
    const { userId, attempts } = revocation;
    ctx.log('warn', 'a grant is not revoked yet', { user_id: userId, attempts, error });
    await releaseRevocation(ctx.db, revocation);
  }
}

/**
 * Revokes before the person is asked to consent again, because a later revocation would end the new consent too. Waits
 * up to 10 s for one in progress. If it fails, the consent goes on and `holdOffRevocation` delays it.
 */
export async function finishRevocation(ctx: Ctx, email: string): Promise<void> {
  const [first] = (await findEndedGrants(ctx.db, email)).revoking;
  if (first === undefined) return;
  await revoke(ctx, { userId: first.userId });
  await onceUnleased(ctx, email);
}

/**
 * Waits until no former grant of this address is being revoked. Call it before the authorization code is exchanged. It
 * delays no revocation yet, because anybody can send a made-up code for an address.
 */
export async function beginConsent(ctx: Ctx, email: string) {
  const { ended, revoking } = await onceUnleased(ctx, email);
  return { id: ctx.ids.id('consent_'), begunAt: ctx.clock.now(), ended, revoking };
}

/**
 * The person has just consented again, and revoking the former grant would end the new one too. So none is sent, not
 * for access that ends meanwhile either, until the consent is stored or a minute has passed. Returns false if the
 * former grant may have been revoked since the consent began. The new grant is then revoked too.
 */
export async function holdOffRevocation(
  ctx: Ctx,
  { id, begunAt, revoking }: Awaited<ReturnType<typeof beginConsent>>,
  providerId: string,
): Promise<boolean> {
  const now = ctx.clock.now();
  const held = await holdRevocation(ctx.db, { providerId, consentId: id, now, heldUntil: now + CONSENT_MS });
  const before = revoking.find((one) => one.providerId === providerId);
  if (held === undefined) return before === undefined;
  if (isLeased(held, now) || (before !== undefined && isLeased(before, begunAt))) return false;
  if (before !== undefined) return held.attempts === before.attempts;
  return held.attempts === 0 || held.createdAt < begunAt;
}

const isLeased = ({ leaseUntil }: { leaseUntil: number | null }, now: number) => (leaseUntil ?? 0) > now;

/** Returns one ended grant that is already revoked, if any, and those still to be revoked. */
async function onceUnleased(ctx: Ctx, email: string) {
  const giveUpAt = ctx.clock.now() + LONGEST_WAIT_MS;
  for (;;) {
    const found = await findEndedGrants(ctx.db, email);
    const now = ctx.clock.now();
    if (!found.revoking.some((one) => isLeased(one, now)) || now >= giveUpAt) return found;
    await ctx.sleep(WAIT_MS);
  }
}
