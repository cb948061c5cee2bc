import {
  closeDelivery,
  findNextAttempt,
  type LeasedDelivery,
  leaseDelivery,
  postponeDelivery,
  recordAttempt,
} from '../../schema/deliveries/attempt-queries.ts';
import { forgetAsking, takeDue } from '../../schema/deliveries/sweep-queries.ts';
import { DAY, HOUR, MINUTE } from '../engine/time/dates.ts';
import type { Ctx } from '../kit/context.ts';
import { publishDue } from '../kit/work-off.ts';
import { attemptError, NOT_SENT } from './delivery-error.ts';
import { deliveryHeaders, type SigningSecrets } from './delivery-headers.ts';
import { openSecrets } from './open-secrets.ts';
import { messageFor, publishDelivery } from './outbox.ts';
import { checkWebhookUrl } from './url-safety.ts';

export type DeliveryCtx = Pick<Ctx, 'db' | 'clock' | 'ids' | 'sealer' | 'queue' | 'sender' | 'dns' | 'log' | 'config'>;

/**
 * Delays in seconds between webhook attempts: from the first, if it failed, to the second, and from the second to the
 * third. The third is the last attempt that `max_retries` allows.
 */
const RETRY_DELAYS_SECONDS = [1, 10] as const;

/** Longest time that a webhook delivery waits for a DNS resolver before the delivery fails. */
const WAITS_FOR_MS = DAY;
/**
 * While no DNS resolver answers, Tandem looks up the receiver's host again and again. This is the shortest pause between
 * two lookups.
 */
const FIRST_WAIT_MS = 5_000;
/** Longest pause between two such lookups. */
const LONGEST_WAIT_MS = HOUR;

/**
 * HTTP statuses that a receiver may answer when it does not know the secret that signed the attempt. After such an
 * answer, Tandem tries the previous secrets.
 */
const REFUSALS = [400, 401, 403];

/** Largest number of webhook deliveries put on the queue in one call. */
const AT_ONCE = 100;
/** Largest number of one platform's webhook deliveries put on the queue in one call. */
const OF_ONE_PLATFORM = 25;
/** Time that a queue message may stay unanswered before it counts as lost and is sent again. */
const ASK_AGAIN_MS = 5 * MINUTE;

/**
 * Makes one attempt at a due webhook delivery and schedules the next. Does nothing if the delivery has ended or is
 * leased. Closes the delivery without an attempt if the platform has disabled its endpoint meanwhile. Returns 0, or the
 * milliseconds to wait if the delivery is not due yet.
 */
export async function deliverWebhook(ctx: DeliveryCtx, deliveryId: string): Promise<number> {
  const now = ctx.clock.now();
  const [delivery] = await leaseDelivery(ctx.db, { id: deliveryId, owner: ctx.ids.id('lease_'), now });
  if (delivery === undefined) {
    const nextAttemptAt = await findNextAttempt(ctx.db, { id: deliveryId, now });
    return nextAttemptAt === undefined ? 0 : nextAttemptAt - now;
  }
  if (delivery.enabled) await attemptDelivery(ctx, delivery, { waits: true });
  else await closeDelivery(ctx.db, { ...delivery, error: NOT_SENT.disabled, finishedAt: ctx.clock.now() });
  return 0;
}

/**
 * Makes one attempt at a leased webhook delivery, records the attempt, and schedules a retry if one is left. After a
 * crash before the record, the sweep repeats the attempt without counting it, so receivers get each event at least
 * once. While no DNS resolver answers, nothing is sent. If `waits` is set, such a try does not count as an attempt.
 */
export async function attemptDelivery(
  ctx: DeliveryCtx,
  delivery: LeasedDelivery,
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

/**
 * Postpones a webhook delivery while no DNS resolver answers. Each pause is as long as the delivery's age, so that the
 * pauses double. Fails the delivery after a day.
 */
async function waitForResolver(ctx: DeliveryCtx, { id, owner, createdAt }: LeasedDelivery): Promise<void> {
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
  /** Sentence for the delivery log, undefined if the receiver accepted the delivery. */
  error?: string | undefined;
}

const nothingSent = (why: keyof typeof NOT_SENT): Sent => ({ code: 0, durationMs: 0, error: NOT_SENT[why] });

/**
 * Sends one webhook attempt with a fresh signature. If the receiver rejects the current secret, repeats the request at
 * once under each previous secret that is still valid, newest first. Returns the last answer and the total time.
 */
async function sendAttempt(ctx: DeliveryCtx, delivery: LeasedDelivery): Promise<Sent> {
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

async function post(ctx: DeliveryCtx, delivery: LeasedDelivery, secrets: SigningSecrets, secret?: string) {
  const headers = await deliveryHeaders(delivery, secrets, ctx.clock.now(), secret);
  const { url, body, timeoutSeconds } = delivery;
  return ctx.sender.post({ url, headers, body, timeoutMs: timeoutSeconds * 1_000 });
}

/**
 * Puts due webhook deliveries without a lease on the queue again until time runs out. Every platform's longest waiting
 * delivery comes before any platform's second. Returns the number of deliveries.
 */
export const sweepDeliveries = (ctx: Pick<Ctx, 'db' | 'clock' | 'queue' | 'log'>, until: number): Promise<number> =>
  publishDue(ctx, {
    chore: 'deliveries',
    until,
    take: (now) => takeDue(ctx.db, { now, askedBefore: now - ASK_AGAIN_MS, limit: AT_ONCE, each: OF_ONE_PLATFORM }),
    messagesFor: (due) => due.map(messageFor),
    release: (due) => forgetAsking(ctx.db, due),
  });
