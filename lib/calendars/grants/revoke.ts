import {
  deleteRevocation,
  findEndedGrants,
  holdRevocation,
  leaseRevocation,
  listDueRevocations,
  releaseRevocation,
  type WhichRevocation,
} from '../../../schema/revocations/queries.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import { refreshTokenPlace } from '../../kit/sealed-places.ts';
import { workOff } from '../../kit/work-off.ts';

/** Length of the lease under which one worker revokes a grant. The lease is longer than the provider's timeout. */
const LEASE_MS = 15_000;
/**
 * Time for which a person's revocations are delayed while a new consent is read and stored. Storing a consent takes
 * less time than that.
 */
const CONSENT_MS = MINUTE;
const WAIT_MS = 150;
const LONGEST_WAIT_MS = 10_000;

/**
 * Revokes grants at the provider that have ended in Tandem and whose next try is due. Every platform's longest waiting
 * grant comes before any platform's second. Failures are retried later.
 */
export const revokeGrants = (ctx: Ctx, until: number): Promise<void> =>
  workOff(ctx, {
    until,
    atOnce: 1,
    perTenant: 1,
    list: (line) => listDueRevocations(ctx.db, { now: ctx.clock.now(), ...line }),
    tenantOf: ({ turnOf }) => turnOf,
    run: ({ providerId }) => revoke(ctx, { providerId }),
  });

/** Revokes one user's ended grant at the provider, even if its next try is not due yet. */
const revokeGrantOf = (ctx: Ctx, userId: string): Promise<void> => revoke(ctx, { userId });

/**
 * Longest time that a request waits for the provider to revoke a grant. After that time the background sweep retries.
 */
const PATIENCE_MS = 2_000;

/**
 * Revokes the grant of a user whose access ended just now. Waits at most two seconds for the provider, and leaves an
 * unfinished revocation to the background sweep.
 */
export async function revokeSoon(ctx: Ctx, userId: string): Promise<void> {
  const revoking = revokeGrantOf(ctx, userId);
  ctx.later(revoking);
  await Promise.race([revoking.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

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
 * Revokes a person's ended grant at the provider before the person is asked to consent again. A later revocation would
 * revoke the new consent too. Waits up to 10 s for a revocation that is already in progress. If the grant cannot be
 * revoked now, `holdOffRevocation` delays the revocation.
 */
export async function finishRevocation(ctx: Ctx, email: string): Promise<void> {
  const [first] = (await findEndedGrants(ctx.db, email)).revoking;
  if (first === undefined) return;
  await revokeGrantOf(ctx, first.userId);
  await onceUnleased(ctx, email);
}

/**
 * Begins a consent for an address: waits until no former grant of the address is being revoked, and returns the
 * consent's id, its start and the state of the former grants. Call it before the authorization code is exchanged. It
 * delays no revocation yet, because anybody can come here with an address and a made-up code.
 */
export async function beginConsent(ctx: Ctx, email: string) {
  const { ended, revoking } = await onceUnleased(ctx, email);
  return { id: ctx.ids.id('consent_'), begunAt: ctx.clock.now(), ended, revoking };
}

/**
 * Delays the revocation of an account's former grant, after the account has consented again and its authorization code
 * was exchanged. No revocation is sent until the consent is stored or a minute has passed, not even for access that
 * ends meanwhile. Any number of concurrent consents may delay the revocation. Returns false if the former grant may
 * have been revoked since the consent began, because the new grant is then revoked too.
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

/** Waits until no revocation of the person's grants is in progress. Then returns the state of their ended grants. */
async function onceUnleased(ctx: Ctx, email: string) {
  const giveUpAt = ctx.clock.now() + LONGEST_WAIT_MS;
  for (;;) {
    const found = await findEndedGrants(ctx.db, email);
    const now = ctx.clock.now();
    if (!found.revoking.some((one) => isLeased(one, now)) || now >= giveUpAt) return found;
    await ctx.sleep(WAIT_MS);
  }
}
