import type { ErrorCode } from '../../schema/api/http-errors.ts';
import { claimAnsweredKey, deleteExpiredKey, findKey, type KeyClaim } from '../../schema/idempotency/queries.ts';
import { refusalOf } from '../../schema/refusals.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { waitForWriter } from '../meetings/reconcile.ts';
import { KEPT_MS } from '../retention.ts';

/** How long an answer is kept under its key. */
const WINDOW_MS = KEPT_MS.answersUnderKeys;

const GONE: ErrorCode[] = ['meeting_not_found', 'user_not_found', 'calendar_reconnect_required', 'unknown_time_zone'];

export interface Answer {
  status: number;
  body: string;
}

const stillRunning = (retryAfterSeconds: number) =>
  new AppError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.', {
    retryAfterSeconds,
  });

/**
 * Runs an operation whose first batch claims its key, or answers what the first request with the key answered, byte for
 * byte. A first request that died is reconciled and the operation run again. `keptRefusal` tells the refusals that are
 * kept like answers; `lookFirst` asks for an earlier answer before any work. Throws `idempotency_key_reused` for another
 * body and `idempotency_in_progress` after 3 s of waiting (`interface.md`, Limits; decisions, Scheduling).
 */
export async function answerOnce(
  ctx: Ctx,
  claim: KeyClaim | undefined,
  run: () => Promise<Answer>,
  keptRefusal: (error: unknown) => Answer | undefined,
  { lookFirst = false } = {},
): Promise<Answer & { isReplay: boolean }> {
  if (claim === undefined) return { ...(await run()), isReplay: false };
  const known = lookFirst ? await earlierAnswer(ctx, claim) : undefined;
  if (known !== undefined) return { ...known, isReplay: true };
  for (;;) {
    const since = ctx.clock.now();
    const first = await runFirst(ctx, claim, run, keptRefusal);
    if (first !== undefined) {
      ctx.later(keep(ctx, claim, first, since));
      return { ...first, isReplay: false };
    }
    const earlier = await earlierAnswer(ctx, claim);
    if (earlier !== undefined) return { ...earlier, isReplay: true };
  }
}

/** What this request itself decides; undefined when the key is another's. */
async function runFirst(
  ctx: Ctx,
  claim: KeyClaim,
  run: () => Promise<Answer>,
  keptRefusal: (error: unknown) => Answer | undefined,
): Promise<Answer | undefined> {
  try {
    return await run();
  } catch (error) {
    if (refusalOf(error) === 'duplicate_key') return undefined;
    const refusal = keptRefusal(error);
    if (refusal === undefined) {
      // What it does not find any more may have been there for the first request with the key.
      if (error instanceof AppError && GONE.includes(error.code) && (await findKey(ctx.db, claim))) return undefined;
      throw error;
    }
    try {
      await claimAnsweredKey(ctx.db, { ...claim, ...refusal, resourceId: null, now: ctx.clock.now() });
      return refusal;
    } catch (conflict) {
      if (refusalOf(conflict) === 'duplicate_key') return undefined;
      throw conflict;
    }
  }
}

/** The answer of the request that has the key; undefined when the key is free (again). */
async function earlierAnswer(ctx: Ctx, claim: KeyClaim): Promise<Answer | undefined> {
  const kept = await ctx.answers.find(nameOf(claim));
  if (kept !== undefined) return matching(claim, kept);
  const waitForIt = waitForWriter(ctx, stillRunning);
  for (;;) {
    const now = ctx.clock.now();
    const row = await findKey(ctx.db, claim);
    if (row === undefined) return undefined;
    if (row.state === 'done' && row.createdAt <= now - WINDOW_MS) {
      await deleteExpiredKey(ctx.db, { ...claim, before: now - WINDOW_MS + 1 });
      return undefined;
    }
    matching(claim, row);
    if (row.status !== null && row.body !== null) {
      const answer = { status: row.status, body: row.body };
      ctx.later(keep(ctx, claim, answer, row.createdAt));
      return answer;
    }
    await waitForIt({ meetingId: row.resourceId, leaseUntil: row.leaseUntil });
  }
}

function matching<T extends { fingerprint: string }>(claim: KeyClaim, found: T): T {
  if (found.fingerprint === claim.fingerprint) return found;
  throw new AppError('idempotency_key_reused', 'This Idempotency-Key was used with another request.');
}

const nameOf = ({ platformId, operation, key }: KeyClaim) => `${platformId}:${operation}:${key}`;

async function keep(ctx: Ctx, claim: KeyClaim, answer: Answer, since: number): Promise<void> {
  const ttlSeconds = Math.floor((since + WINDOW_MS - ctx.clock.now()) / 1_000);
  if (ttlSeconds > 0) await ctx.answers.keep(nameOf(claim), { fingerprint: claim.fingerprint, ...answer }, ttlSeconds);
}
