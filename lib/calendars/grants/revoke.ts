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
import { refreshTokenPlace } from '../../kit/sealed-places.ts';
import { workOff } from '../../kit/work-off.ts';

/**
 * Time in milliseconds for which one worker alone revokes a grant. It is longer than the timeout of the call to the
 * provider.
 */
const LEASE_MS = 15_000;
/**
 * Time in milliseconds for which the revocation of a person's former grant is delayed while a new consent is stored.
 * Storing a consent takes less time than that.
 */
const CONSENT_MS = MINUTE;
const WAIT_MS = 150;
const LONGEST_WAIT_MS = 10_000;

/**
 * Revokes grants at the provider that have ended in Tandem and whose next try is due. Failures are retried later.
 * Platforms take turns, so that a long backlog of one does not delay the others.
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
 * Revokes a person's ended grant at the provider before the person is asked to consent again, because a later
 * revocation would end the new consent too. Waits up to 10 s for a revocation that is in progress. If the grant cannot
 * be revoked now, the consent goes on and delays the revocation (`holdOffRevocation`).
 */
export async function finishRevocation(ctx: Ctx, email: string): Promise<void> {
  const [first] = (await findEndedGrants(ctx.db, email)).revoking;
  if (first === undefined) return;
  await revokeGrantOf(ctx, first.userId);
  await onceUnleased(ctx, email);
}

/**
 * Begins a person's new consent: waits until no former grant of this email address is being revoked at the provider.
 * Returns the consent's id, its start, and the former grants of the address. Call it before the authorization code is
 * exchanged. It does not delay any revocation yet, because anybody can send a made-up code for an address.
 */
export async function beginConsent(ctx: Ctx, email: string) {
  const { ended, revoking } = await onceUnleased(ctx, email);
  return { id: ctx.ids.id('consent_'), begunAt: ctx.clock.now(), ended, revoking };
}

/**
 * Delays the revocation of an account's former grant, because the person has just consented again and the revocation
 * would end the new grant too. No revocation is sent until the consent is stored or a minute has passed. That also
 * holds for access that ends meanwhile, and any number of consents may delay the revocation. Returns false if the
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

/**
 * Waits until no grant of this email address is being revoked at the provider. Returns the address's ended grants: one
 * that is already revoked, if any, and those still to be revoked.
 */
async function onceUnleased(ctx: Ctx, email: string) {
  const giveUpAt = ctx.clock.now() + LONGEST_WAIT_MS;
  for (;;) {
    const found = await findEndedGrants(ctx.db, email);
    const now = ctx.clock.now();
    if (!found.revoking.some((one) => isLeased(one, now)) || now >= giveUpAt) return found;
    await ctx.sleep(WAIT_MS);
  }
}
