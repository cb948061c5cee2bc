import type { Consent } from '../../../schema/calendar-accounts/queries.ts';
import {
  claimRevocations,
  deleteRevocation,
  findRevocation,
  holdRevocation,
  releaseRevocation,
} from '../../../schema/revocations/queries.ts';
import type { Ctx } from '../../context.ts';
import { refreshTokenOf } from '../../sealed-places.ts';
import { workOff } from '../../work-off.ts';

/** Longer than the provider is waited for. */
const LEASE_MS = 15_000;
/** A consent is read and kept well within this. */
const CONSENT_MS = 60_000;
const WAIT_MS = 150;
const LONGEST_WAIT_MS = 10_000;

/** Ends at the provider the grants that ended here and are due, the platforms in turn; what fails comes up again later. */
export const revokeGrants = (ctx: Ctx, until: number): Promise<void> =>
  workOff(ctx, {
    until,
    atOnce: 1,
    perOwner: 1,
    claim: ({ except }) => claimDue(ctx, { except }),
    ownerOf: ({ turnOf }) => turnOf,
    run: (revocation) => revoke(ctx, revocation),
  });

/** The same for one user's, due or not. */
async function revokeGrantOf(ctx: Ctx, userId: string): Promise<void> {
  for (const revocation of await claimDue(ctx, { userId })) await revoke(ctx, revocation);
}

function claimDue(ctx: Ctx, which: { userId?: string; except?: string[] }) {
  const now = ctx.clock.now();
  return claimRevocations(ctx.db, { owner: ctx.ids.id('rev_'), now, leaseUntil: now + LEASE_MS, limit: 1, ...which });
}

/** How long an answer waits for the provider; the sweep carries on where it gave up. */
const PATIENCE_MS = 2_000;

/** The same for one user whose grant ended just now, no longer than somebody waits for. */
export async function revokeSoon(ctx: Ctx, userId: string): Promise<void> {
  const revoking = revokeGrantOf(ctx, userId);
  ctx.later(revoking);
  await Promise.race([revoking.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

async function revoke(ctx: Ctx, revocation: Awaited<ReturnType<typeof claimRevocations>>[number]): Promise<void> {
  try {
    await ctx.oauth.revoke(await ctx.sealer.open(revocation.token, refreshTokenOf(revocation.userId)));
    await deleteRevocation(ctx.db, revocation);
  } catch (error) {
    const { userId, attempts } = revocation;
    ctx.log('warn', 'a grant is not revoked yet', { user_id: userId, attempts, error });
    await releaseRevocation(ctx.db, revocation);
  }
}

/**
 * Before a person is asked to consent again: what ended here ends at the provider first, where the new consent would
 * share its fate. Waits up to 10 s for one that is on its way; one that cannot be made now is left to `holdOffRevocation`.
 */
export async function finishRevocation(ctx: Ctx, email: string): Promise<void> {
  const found = await findRevocation(ctx.db, email);
  if (found === undefined) return;
  await revokeGrantOf(ctx, found.userId);
  await untilUnleased(ctx, email);
}

/**
 * Before a consent is read: none goes out until it is kept, or a minute has passed, nor of what ends meanwhile; however many consents of
 * the person are under way. Somebody without an account has nothing to hold yet: `keepGrant` asks whether another consent's has come and gone.
 */
export async function holdOffRevocation(ctx: Ctx, email: string): Promise<Consent> {
  const id = ctx.ids.id('consent_');
  const hold = async (now: number) => {
    const ended = await holdRevocation(ctx.db, { email, consentId: id, now, heldUntil: now + CONSENT_MS });
    return { id, begunAt: now, ended };
  };
  const held = await hold(ctx.clock.now());
  return (await untilUnleased(ctx, email)) ? hold(ctx.clock.now()) : held;
}

/** Answers whether there was something to wait for. */
async function untilUnleased(ctx: Ctx, email: string): Promise<boolean> {
  const giveUpAt = ctx.clock.now() + LONGEST_WAIT_MS;
  for (let isFirst = true; ; isFirst = false) {
    const found = await findRevocation(ctx.db, email);
    const now = ctx.clock.now();
    if ((found?.leaseUntil ?? 0) <= now || now >= giveUpAt) return !isFirst;
    await ctx.sleep(WAIT_MS);
  }
}
