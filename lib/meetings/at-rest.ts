import { findStanding, type Standing } from '../../schema/meetings/change-queries.ts';
import { postgresRefusal } from '../adapters/neon.ts';
import type { Ctx, Platform } from '../context.ts';
import { meetingBusy, meetingForbidden, meetingNotFound } from '../errors.ts';
import { KeyTaken } from './conflicts.ts';
import { isMeetingId } from './meeting-id.ts';
import { settleMeeting } from './settle.ts';

const WAIT_MS = 3_000;
const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 400;

/** Says no with the caller's own refusal when it is why the first batch failed. */
type Explain = (standing: Standing) => Promise<void> | void;

/**
 * Runs a change's first batch, which fails where the meeting cannot be claimed, as soon as the meeting is at rest:
 * another change is waited for up to 3 s, and one whose writer went silent is settled. Throws `meeting_not_found`,
 * `forbidden`, `meeting_busy`, `KeyTaken`, and what `explain` throws of a meeting that is live and at rest.
 */
export async function claimAtRest<T>(
  ctx: Ctx,
  { platform, id }: { platform: Platform; id: string },
  begin: () => Promise<T>,
  explain: Explain = () => undefined,
): Promise<T> {
  if (!isMeetingId(id)) throw meetingNotFound();
  const untilRest = restWaiter(ctx, id);
  for (;;) {
    try {
      return await begin();
    } catch (error) {
      const { code, constraint } = postgresRefusal(error);
      if (constraint === 'idempotency_keys_pkey') throw new KeyTaken();
      if (code !== '23502') throw error;
      const standing = await liveStanding(ctx, platform, id);
      if (standing.leaseUntil === null) await explain(standing);
      await untilRest(standing);
    }
  }
}

/** The meeting as it stands once it is at rest; throws like `claimAtRest`. */
export async function standingAtRest(ctx: Ctx, platform: Platform, id: string): Promise<Standing> {
  if (!isMeetingId(id)) throw meetingNotFound();
  const untilRest = restWaiter(ctx, id);
  for (;;) {
    const standing = await liveStanding(ctx, platform, id);
    if (standing.leaseUntil === null) return standing;
    await untilRest(standing);
  }
}

async function liveStanding(ctx: Ctx, platform: Platform, id: string): Promise<Standing> {
  const standing = await findStanding(ctx.db, { platformId: platform.id, id });
  if (standing === undefined || standing.status === 'pending' || standing.status === 'failed') throw meetingNotFound();
  if (!standing.isOwn) throw meetingForbidden();
  if (standing.status === 'cancelled' || standing.status === 'rescheduled') throw meetingNotFound();
  return standing;
}

/** Gives a meeting in other hands time to come to rest, ever longer; throws `meeting_busy` after 3 s in all. */
function restWaiter(ctx: Ctx, id: string): (standing: Standing) => Promise<void> {
  const giveUpAt = ctx.clock.now() + WAIT_MS;
  let wait = FIRST_POLL_MS;
  let isSettled = false;
  return async ({ leaseUntil }) => {
    const now = ctx.clock.now();
    if (leaseUntil !== null && leaseUntil <= now && !isSettled) {
      isSettled = true;
      await settleMeeting(ctx, id);
      return;
    }
    if (now >= giveUpAt) throw meetingBusy();
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(LONGEST_POLL_MS, wait * 2);
  };
}
