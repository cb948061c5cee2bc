import {
  closeDelivery,
  findNextAttempt,
  type LeasedDelivery,
  leaseDeliveries,
  postponeDelivery,
  recordAttempt,
  takeDue,
} from '../../schema/delivery/deliveries-attempt.ts';
import { listRedeliveriesDue, redeliverNext } from '../../schema/delivery/deliveries-redeliver.ts';
import { attemptKey, deliveries } from '../../schema/tables/deliveries.ts';
import { forgetAsking } from '../../schema/tables/turns.ts';
import { DAY, HOUR, MINUTE } from '../engine/time/dates.ts';
import type { Ctx } from '../kit/context.ts';
import type { Sealer, SendFailure } from '../kit/ports.ts';
import { answerPlace, webhookSecretPlace } from '../kit/reseal.ts';
import { checkUrl } from '../kit/url-safety.ts';
import { publishDue } from '../kit/work-off.ts';
import { deliveryHeaders, type SigningSecrets } from './delivery-headers.ts';
import { deliveryIdPrefix, messageFor, publishDelivery } from './outbox.ts';

export type DeliveryCtx = Pick<Ctx, 'db' | 'clock' | 'ids' | 'sealer' | 'queue' | 'sender' | 'dns' | 'log' | 'config'>;

/** After the first and the second attempt. A third attempt is the last that `max_retries` allows. */
export const RETRY_DELAYS_SECONDS = [1, 10] as const;

/** Longest time that a webhook delivery waits for a DNS resolver before the delivery fails. */
const WAITS_FOR_MS = DAY;
/** Shortest pause between two lookups of the receiver's host while no DNS resolver answers. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = HOUR;

/** A receiver that does not know the signing secret may answer these. Tandem then tries the previous secrets. */
const REFUSALS = [400, 401, 403];

const AT_ONCE = 100;
const OF_ONE_PLATFORM = 25;
/** A queue message that led to no attempt counts as lost by then, and the background sweep sends it again. */
const ASK_AGAIN_MS = 5 * MINUTE;

/**
 * Attempts the due deliveries of one message, and schedules each that needs another. Leaves out one that has ended or
 * that another worker is attempting. A disabled endpoint ends all but the event that may tell of this. Returns 0, or the milliseconds
 * to wait if none is due yet.
 */
export async function deliverWebhook(ctx: DeliveryCtx, ...deliveryIds: string[]): Promise<number> {
  const now = ctx.clock.now();
  const leased = await leaseDeliveries(ctx.db, { ids: deliveryIds, owner: ctx.ids.id('lease_'), now });
  if (leased.length === 0) {
    const nextAttemptAt = await findNextAttempt(ctx.db, { ids: deliveryIds, now });
    return nextAttemptAt === undefined ? 0 : nextAttemptAt - now;
  }
  await attemptDeliveries(ctx, leased, { waits: true });
  return 0;
}

/**
 * Attempts all at the same time, then records them in one batch and schedules retries. If the worker dies before the
 * record, the attempts are made again uncounted, so receivers get each event at least once. While no DNS resolver
 * answers, nothing is sent, and with `waits` this does not count as an attempt.
 */
export async function attemptDeliveries(ctx: DeliveryCtx, leased: LeasedDelivery[], { waits }: { waits: boolean }) {
  const ends = await Promise.all(
    leased.map((delivery): End | Promise<End> =>
      delivery.enabled || !waits || delivery.eventType === 'platform.security_changed'
        ? attemptDelivery(ctx, delivery, waits)
        : { record: closed(ctx, delivery, 'disabled') },
    ),
  );
  const [first, ...more] = ends.map(({ record }) => record);
  if (first === undefined) return;
  const recorded = more.length === 0 ? [await first] : await ctx.db.batch([first, ...more]);
  for (const [at, { retryAfterSeconds }] of ends.entries()) {
    const id = leased[at]?.id;
    if (id !== undefined && retryAfterSeconds !== undefined) await publishDelivery(ctx, id, retryAfterSeconds);
  }
  const now = ctx.clock.now();
  const isDue = recorded.some(({ rows }) => rows.some(({ redeliver_at: due }) => due && Date.parse(due) <= now));
  const [{ platformId } = { platformId: '' }] = leased;
  if (isDue) await redeliver(ctx, platformId);
}

interface End {
  record: ReturnType<typeof recordAttempt | typeof closeDelivery | typeof postponeDelivery>;
  retryAfterSeconds?: number | undefined;
}

const closed = (ctx: DeliveryCtx, { id, owner }: LeasedDelivery, why: keyof typeof NOT_SENT) =>
  closeDelivery(ctx.db, {
    ...{ id, owner, error: NOT_SENT[why], finishedAt: ctx.clock.now() },
    isDisabled: why === 'disabled',
  });

async function attemptDelivery(ctx: DeliveryCtx, delivery: LeasedDelivery, waits: boolean): Promise<End> {
  const startedAt = ctx.clock.now();
  const { code, durationMs, sentAt = null, error = null, answer = '' } = await sendAttempt(ctx, delivery);
  if (error === NOT_SENT.dns_unavailable && waits) return waitForResolver(ctx, delivery);
  const { id, owner } = delivery;
  const number = delivery.attempts + 1;
  const sealed = answer === '' ? null : await ctx.sealer.seal(answer, answerPlace(attemptKey(id, number)));
  const made = { id, owner, number, startedAt, sentAt, code, durationMs, answer: sealed };
  const finishedAt = ctx.clock.now();
  if (code >= 200 && code < 300)
    return { record: recordAttempt(ctx.db, { ...made, error: null, outcome: { status: 'success', finishedAt } }) };
  const retryAfterSeconds = number < delivery.maxAttempts ? RETRY_DELAYS_SECONDS[number - 1] : undefined;
  if (retryAfterSeconds === undefined)
    return { record: recordAttempt(ctx.db, { ...made, error, outcome: { status: 'failed', finishedAt } }) };
  const nextAttemptAt = finishedAt + retryAfterSeconds * 1_000;
  const outcome = { status: 'pending' as const, nextAttemptAt };
  return { record: recordAttempt(ctx.db, { ...made, error, outcome }), retryAfterSeconds };
}

/** Each pause is as long as the delivery's age, so that the pauses double. Fails the delivery after a day. */
function waitForResolver(ctx: DeliveryCtx, delivery: LeasedDelivery): End {
  const { id, owner, createdAt } = delivery;
  const now = ctx.clock.now();
  const age = now - createdAt;
  if (age >= WAITS_FOR_MS) return { record: closed(ctx, delivery, 'dns_unavailable') };
  const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, age));
  return {
    record: postponeDelivery(ctx.db, { id, owner, error: NOT_SENT.dns_unavailable, nextAttemptAt: now + waitMs }),
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  };
}

interface Sent {
  code: number;
  durationMs: number;
  /** Time in the headers of the last request, undefined if no request was sent. */
  sentAt?: number;
  answer?: string | undefined;
  /** Sentence for the delivery log, undefined if the receiver accepted the delivery. */
  error?: string | undefined;
}

const nothingSent = (why: keyof typeof NOT_SENT): Sent => ({ code: 0, durationMs: 0, error: NOT_SENT[why] });

/** If the receiver rejects the current secret, tries each previous one at once, newest first. */
async function sendAttempt(ctx: DeliveryCtx, delivery: LeasedDelivery): Promise<Sent> {
  const verdict = await checkUrl(ctx, delivery.url, { at: 'attempt' });
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
  return { ...answer, durationMs, error: attemptError(answer, delivery.timeoutSeconds) };
}

async function post(ctx: DeliveryCtx, delivery: LeasedDelivery, secrets: SigningSecrets, secret?: string) {
  const sentAt = ctx.clock.now();
  const headers = await deliveryHeaders(delivery, secrets, sentAt, secret);
  const { url, body, timeoutSeconds } = delivery;
  return { ...(await ctx.sender.post({ url, headers, body, timeoutMs: timeoutSeconds * 1_000 })), sentAt };
}

/** Platforms take turns, so that no backlog delays the others. Returns the number of deliveries. */
export const sweepDeliveries = (ctx: Pick<Ctx, 'db' | 'clock' | 'queue' | 'log'>, until: number): Promise<number> =>
  publishDue(ctx, {
    chore: 'deliveries',
    until,
    take: (now) => takeDue(ctx.db, { now, askedBefore: now - ASK_AGAIN_MS, limit: AT_ONCE, each: OF_ONE_PLATFORM }),
    messagesFor: (due) => due.map(messageFor),
    release: (due) => forgetAsking(ctx.db, deliveries, due),
  });

/** Throws if the current secret cannot be decrypted, and leaves out previous ones that cannot. */
async function openSecrets(sealer: Sealer, sealed: LeasedDelivery, now: number): Promise<SigningSecrets> {
  const place = webhookSecretPlace(sealed.platformId);
  const valid = sealed.previousSecrets.filter(({ validUntil }) => now < validUntil);
  const opened = await Promise.all(valid.map(({ secret }) => sealer.open(secret, place).catch(() => undefined)));
  return {
    current: await sealer.open(sealed.secret, place),
    previous: opened.filter((secret) => secret !== undefined),
  };
}

const NO_ANSWER: Record<Exclude<SendFailure, 'timeout'>, string> = {
  refused: 'connection refused',
  tls: 'TLS failed',
  unknown_host: 'the host was not found',
  unreachable: 'the host could not be reached',
  lost: 'the connection was lost before an answer',
};

/** Undefined if the receiver accepted it. A code of 0 means that there was no answer. */
function attemptError({ code, failure }: { code: number; failure?: SendFailure | undefined }, timeoutSeconds: number) {
  if (failure === 'timeout') return `no answer within ${timeoutSeconds} s`;
  if (failure !== undefined) return NO_ANSWER[failure];
  if (code >= 200 && code < 300) return undefined;
  return code >= 300 && code < 400 ? `answered ${code}, a redirect, which is not followed` : `answered ${code}`;
}

export const NOT_SENT = {
  unsafe_url: 'not sent: the URL must have a host whose IP addresses are all public',
  dns_failed: 'not sent: the host does not exist in public DNS',
  dns_unavailable: 'not sent: DNS could not look up the host',
  secret_unreadable: 'not sent: the webhook secret could not be read on our side',
  disabled: 'not sent: the webhook was disabled',
} as const;

type RedeliverCtx = Pick<Ctx, 'db' | 'clock' | 'queue' | 'log'>;

const PLATFORMS_AT_ONCE = 50;

/** A delivery that arrives leads to the next, so the events come in order. */
async function redeliver(ctx: RedeliverCtx, platformId: string): Promise<void> {
  const replay = { platformId, idPrefix: deliveryIdPrefix(platformId), now: ctx.clock.now() };
  const id = await redeliverNext(ctx.db, replay);
  if (id !== undefined) await publishDelivery(ctx, id);
}

/** Sends one event for each endpoint, so a platform with very many failed ones costs no more than others. */
export async function sweepRedeliveries(ctx: RedeliverCtx, until: number): Promise<void> {
  for (let now = ctx.clock.now(); now < until; now = ctx.clock.now()) {
    const due = await listRedeliveriesDue(ctx.db, { now, limit: PLATFORMS_AT_ONCE });
    for (const platformId of due) if (ctx.clock.now() < until) await redeliver(ctx, platformId);
    if (due.length < PLATFORMS_AT_ONCE) return;
  }
}
