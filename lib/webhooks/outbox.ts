import { type AuditDetails, insertAudit, isAudited } from '../../schema/access/audit-log.ts';
import { both, NEVER, not } from '../../schema/access/sessions.ts';
import type { WebhookEvents } from '../../schema/answers/render.ts';
import { toEnvelope, toEventData } from '../../schema/answers/render.ts';
import type { SecurityAction } from '../../schema/api/states.ts';
import { type EventType, RESCHEDULED } from '../../schema/api/webhook-events.ts';
import type { Guard } from '../../schema/db.ts';
import {
  insertDeliveriesToConnected,
  insertDelivery,
  type Placeholders,
} from '../../schema/delivery/deliveries-attempt.ts';
import { type Auditing, auditRow } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { ID_PREFIX } from '../kit/ids.ts';
import type { Ids, QueueMessage } from '../kit/ports.ts';

const BATCH = 100;

const LANE_CHARACTERS = 8;

/**
 * Largest number of one platform's messages with webhook attempts that run at the same time, so that a platform with
 * slow receivers leaves capacity to others. A message has the attempts for the one to three events of a change. The plan of the queue limits the attempts of all platforms together. That limit should be
 * well above this number times the number of platforms whose receivers may hang at once.
 */
const PARALLELISM = 3;

export const deliveryIdPrefix = (platformId: string): string =>
  ID_PREFIX.delivery + platformId.slice(ID_PREFIX.platform.length, ID_PREFIX.platform.length + LANE_CHARACTERS);

/** The id begins with the platform's prefix, so that code can tell its lane in the queue without a query. */
export const newDeliveryId = (ids: Ids, platformId: string): string => ids.id(deliveryIdPrefix(platformId));

export const isDeliveryId = (text: string): boolean => /^wh_del_\w{1,57}$/.test(text);

/** Belongs in the batch of the change. Publish `deliveryId` after the commit. `data` is as it is sent. */
export function insertEvent<T extends EventType>(
  ctx: Pick<Ctx, 'db' | 'clock' | 'ids'>,
  type: T,
  event: WebhookEvents[T] & { platformId: string },
  guard?: Guard,
) {
  const { platformId } = event;
  const isReplacement = type === 'meeting.scheduled' && 'rescheduledFrom' in event && event.rescheduledFrom;
  const now = ctx.clock.now();
  const deliveryId = newDeliveryId(ctx.ids, platformId);
  const data = toEventData(type, event);
  const envelope = toEnvelope({ id: ctx.ids.id(ID_PREFIX.event), type, at: now, platformId, data });
  const statement = insertDelivery(ctx.db, {
    id: deliveryId,
    eventId: envelope.id,
    platformId,
    eventType: type,
    meetingId: 'meetingId' in event ? event.meetingId : undefined,
    names: isReplacement ? [type, RESCHEDULED] : [type],
    now,
    guard,
    body: JSON.stringify(envelope),
  });
  return { statement, deliveryId, data };
}

export const messageFor = (deliveryId: string): QueueMessage => ({
  path: '/internal/deliver-webhook',
  body: { delivery_id: deliveryId },
  lane: {
    key: `webhooks.${deliveryId.slice(ID_PREFIX.delivery.length, ID_PREFIX.delivery.length + LANE_CHARACTERS)}`,
    parallelism: PARALLELISM,
  },
});

/** Call it after the commit. All go to the platform of the change, in one message. */
export const publishEvents = (ctx: Pick<Ctx, 'later' | 'queue' | 'log'>, ...events: { deliveryId: string }[]): void =>
  ctx.later(publishTogether(ctx, ...events.map(({ deliveryId }) => deliveryId)));

/** Never throws, because the sweep finds what is not queued. */
async function publishTogether(ctx: Pick<Ctx, 'queue' | 'log'>, ...deliveryIds: string[]): Promise<void> {
  const [first, ...more] = deliveryIds;
  if (first === undefined) return;
  if (more.length === 0) return publishDelivery(ctx, first);
  const { body, ...message } = messageFor(first);
  try {
    await ctx.queue.publish({ ...message, body: { ...body, more } });
  } catch (error) {
    ctx.log('warn', 'webhook deliveries left to the sweep', { deliveries: deliveryIds.length, error });
  }
}

/** Never throws, because the background sweep finds deliveries that are not on the queue. */
export const publishDelivery = (ctx: Pick<Ctx, 'queue' | 'log'>, deliveryId: string, delaySeconds = 0): Promise<void> =>
  ctx.queue
    .publish({ ...messageFor(deliveryId), delaySeconds })
    .catch((error: unknown) =>
      ctx.log('warn', 'webhook delivery left to the sweep', { delivery_id: deliveryId, error }),
    );

/** Publishes a hundred per call. Never throws, because the sweep finds what is not queued. */
export async function publishDeliveries(ctx: Pick<Ctx, 'queue' | 'log'>, deliveryIds: string[]): Promise<void> {
  for (let from = 0; from < deliveryIds.length; from += BATCH) {
    const ids = deliveryIds.slice(from, from + BATCH);
    try {
      await ctx.queue.publish(...ids.map(messageFor));
    } catch (error) {
      ctx.log('warn', 'webhook deliveries left to the sweep', { deliveries: ids.length, error });
    }
  }
}

interface EventToAll<T extends EventType> {
  userId: string;
  type: T;
  /** Postgres replaces the placeholders by what is each platform's own. */
  event: (own: Placeholders) => WebhookEvents[T];
  now: number;
  guard?: Guard | undefined;
}

/** Reads the platforms when the batch of the change runs. Pass its result to `publishAll` after the commit. */
export function insertEventForConnected<T extends EventType>(
  ctx: Pick<Ctx, 'db' | 'ids'>,
  { userId, type, event, now, guard }: EventToAll<T>,
) {
  const placeholder = () => ctx.ids.id('placeholder_');
  const placeholders = {
    eventId: placeholder(),
    platformId: placeholder(),
    publishableKey: placeholder(),
    connectedAt: placeholder(),
  };
  const data = toEventData(type, event(placeholders));
  const { eventId: id, platformId } = placeholders;
  const template = JSON.stringify(toEnvelope({ id, type, at: now, platformId, data }));
  const seed = ctx.ids.secret('');
  return insertDeliveriesToConnected(ctx.db, { userId, eventType: type, template, placeholders, now, guard, seed });
}

export function publishAll(ctx: Ctx, { rows }: { rows: { id: string }[] }): void {
  const ids = rows.map(({ id }) => id);
  ctx.later(publishDeliveries(ctx, ids));
}

interface SecurityChange {
  platformId: string;
  action: SecurityAction | 'endpoint.settings_changed';
  details?: AuditDetails | undefined;
  guard: Guard;
  isTold?: boolean;
}

/** Belongs in the batch of the change, where `guard` says that it is made. Reports it once if sent twice. */
export function securityChange(ctx: Auditing, { guard, isTold = true, ...change }: SecurityChange) {
  const row = auditRow(ctx, change);
  const { platformId, action } = change;
  const changed = action === 'endpoint.settings_changed' ? 'endpoint.changed' : action;
  const facts = { platformId, change: changed, at: row.now, by: row.actorKind, auditId: row.id };
  const isToldOnce = isTold ? both(guard, not(isAudited(row.id))) : NEVER;
  const event = insertEvent(ctx, 'platform.security_changed', facts, isToldOnce);
  return {
    auditId: row.id,
    told: event.statement,
    audited: insertAudit(ctx.db, { ...row, guard }),
    /** Call it after the commit, with the result of `told`, which stored nothing without a subscription. */
    publish(ctx: Pick<Ctx, 'later' | 'queue' | 'log'>, told: { rowCount?: number | null } | null | undefined): void {
      if ((told?.rowCount ?? 0) > 0) publishEvents(ctx, event);
    },
  };
}
