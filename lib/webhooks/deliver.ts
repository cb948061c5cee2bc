import {
  type ClaimedDelivery,
  claimDelivery,
  closeDelivery,
  findNextAttempt,
  postponeDelivery,
  recordAttempt,
} from '../../schema/deliveries/attempt-queries.ts';
import { forgetAsking, takeDue } from '../../schema/deliveries/sweep-queries.ts';
import type { Ctx } from '../context.ts';
import { attemptError, NOT_SENT } from './delivery-error.ts';
import { deliveryHeaders, type SigningSecrets } from './delivery-headers.ts';
import { openSecrets } from './open-secrets.ts';
import { publishDeliveries, publishDelivery } from './outbox.ts';
import { checkWebhookUrl } from './url-safety.ts';

/** What a delivery needs. */
export type DeliveryCtx = Pick<Ctx, 'db' | 'clock' | 'ids' | 'sealer' | 'queue' | 'sender' | 'dns' | 'log' | 'config'>;

/** Seconds from a failed attempt to the next: the second attempt, the third, which is the last that `max_retries` allows. */
const RETRY_DELAYS_SECONDS = [1, 10] as const;

/** How long a delivery waits for a resolver before it is given up, and how soon and how rarely it is tried meanwhile. */
const WAITS_FOR_MS = 86_400_000;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;

/** A receiver that does not know the secret answers with one of these. */
const REFUSALS = [400, 401, 403];

/** Deliveries that are asked for in one call to the queue, and of one platform. */
const AT_ONCE = 100;
const OF_ONE_PLATFORM = 25;
/** A message may wait this long in its lane before it is held to be lost. */
const ASK_AGAIN_MS = 5 * 60_000;

/**
 * Makes one attempt at a due delivery and sees to the next; nothing when it is done or in other hands. A delivery whose
 * platform has switched its endpoint off meanwhile ends without one. Answers the ms to wait when it is asked too early.
 */
export async function deliverWebhook(ctx: DeliveryCtx, deliveryId: string): Promise<number> {
  const now = ctx.clock.now();
  const [delivery] = await claimDelivery(ctx.db, { id: deliveryId, owner: ctx.ids.id('claim_'), now });
  if (delivery === undefined) {
    const nextAttemptAt = await findNextAttempt(ctx.db, { id: deliveryId, now });
    return nextAttemptAt === undefined ? 0 : nextAttemptAt - now;
  }
  if (delivery.enabled) await attemptDelivery(ctx, delivery, { waits: true });
  else await closeDelivery(ctx.db, { ...delivery, error: NOT_SENT.disabled, finishedAt: ctx.clock.now() });
  return 0;
}

/**
 * Makes one attempt at a claimed delivery, writes it down and asks for the next if there is one. A crash before it is
 * written down leaves it uncounted, and the sweep has it made again: receivers get each event at least once. While no
 * resolver answers nothing is sent and, if it `waits`, no attempt is spent.
 */
export async function attemptDelivery(
  ctx: DeliveryCtx,
  delivery: ClaimedDelivery,
  { waits }: { waits: boolean },
): Promise<void> {
  const startedAt = ctx.clock.now();
  const { code, durationMs, error = null } = await sendAttempt(ctx, delivery);
  if (error === NOT_SENT.dns_unavailable && waits) return waitForResolver(ctx, delivery);
  const { id, owner } = delivery;
  const number = delivery.attempts + 1;
  const made = { id, owner, number, startedAt, code, durationMs };
  const finishedAt = ctx.clock.now();
  if (code >= 200 && code < 300) {
    await recordAttempt(ctx.db, { ...made, error: null, outcome: { status: 'success', finishedAt } });
    return;
  }
  const delaySeconds = number < delivery.maxAttempts ? RETRY_DELAYS_SECONDS[number - 1] : undefined;
  if (delaySeconds === undefined) {
    await recordAttempt(ctx.db, { ...made, error, outcome: { status: 'failed', finishedAt } });
    return;
  }
  const nextAttemptAt = finishedAt + delaySeconds * 1_000;
  await recordAttempt(ctx.db, { ...made, error, outcome: { status: 'pending', nextAttemptAt } });
  await publishDelivery(ctx, id, delaySeconds);
}

/** Puts a delivery off by as long as it has lived, so that waits double; after a day it has failed. */
async function waitForResolver(ctx: DeliveryCtx, { id, owner, createdAt }: ClaimedDelivery): Promise<void> {
  const now = ctx.clock.now();
  const age = now - createdAt;
  if (age >= WAITS_FOR_MS) {
    await closeDelivery(ctx.db, { id, owner, error: NOT_SENT.dns_unavailable, finishedAt: now });
    return;
  }
  const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, age));
  await postponeDelivery(ctx.db, { id, owner, error: NOT_SENT.dns_unavailable, nextAttemptAt: now + waitMs });
  await publishDelivery(ctx, id, Math.ceil(waitMs / 1_000));
}

interface Sent {
  code: number;
  durationMs: number;
  /** A sentence for the log; undefined when it was accepted. */
  error?: string | undefined;
}

const nothingSent = (why: keyof typeof NOT_SENT): Sent => ({ code: 0, durationMs: 0, error: NOT_SENT[why] });

/**
 * One attempt, freshly signed. A receiver that refuses the secret in force is asked again at once under each former one
 * that is still valid, newest first; the answer is the last one's, the time that of all.
 */
async function sendAttempt(ctx: DeliveryCtx, delivery: ClaimedDelivery): Promise<Sent> {
  const verdict = await checkWebhookUrl(ctx, delivery.url, { at: 'attempt' });
  if (!verdict.safe) return nothingSent(verdict.error);
  let secrets: SigningSecrets;
  try {
    secrets = await openSecrets(ctx.sealer, delivery, ctx.clock.now());
  } catch (error) {
    ctx.log('error', 'a webhook secret cannot be opened', { platform_id: delivery.platformId, error });
    return nothingSent('secret_unreadable');
  }
  let answer = await post(ctx, delivery, secrets);
  let { durationMs } = answer;
  for (const former of secrets.previous) {
    if (!REFUSALS.includes(answer.code)) break;
    answer = await post(ctx, delivery, secrets, former);
    durationMs += answer.durationMs;
  }
  return { code: answer.code, durationMs, error: attemptError(answer, delivery.timeoutSeconds) };
}

async function post(ctx: DeliveryCtx, delivery: ClaimedDelivery, secrets: SigningSecrets, secret?: string) {
  const headers = await deliveryHeaders(delivery, secrets, ctx.clock.now(), secret);
  const { url, body, timeoutSeconds } = delivery;
  return ctx.sender.post({ url, headers, body, timeoutMs: timeoutSeconds * 1_000 });
}

/** Asks again for deliveries that are due and in nobody's hands, the platforms in turn, until time is up; answers how many. */
export async function sweepDeliveries(
  ctx: Pick<Ctx, 'db' | 'clock' | 'queue' | 'log'>,
  until: number,
): Promise<number> {
  let asked = 0;
  for (let now = ctx.clock.now(); now < until; now = ctx.clock.now()) {
    const due = await takeDue(ctx.db, { now, askedBefore: now - ASK_AGAIN_MS, limit: AT_ONCE, each: OF_ONE_PLATFORM });
    asked += due.length;
    const left = await publishDeliveries(ctx, due);
    if (left.length > 0) await forgetAsking(ctx.db, left);
    if (due.length === 0 || left.length > 0) break;
  }
  return asked;
}
