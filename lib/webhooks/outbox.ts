import { type EventData, type EventEnvelope, type EventType, RESCHEDULED } from '../../schema/api/webhook-events.ts';
import type { Guard } from '../../schema/db.ts';
import { insertDeliveriesToConnected, insertDelivery } from '../../schema/deliveries/queries.ts';
import type { Ctx } from '../context.ts';
import { ID_PREFIX } from '../ids.ts';
import type { Ids, QueueMessage } from '../ports.ts';

/** Where the queue hands a delivery back to the Worker. */
const DELIVER_PATH = '/internal/deliver-webhook';

/** Messages of one call to the queue. */
const BATCH = 100;

const LANE_CHARACTERS = 8;

/**
 * Attempts of one platform that may run at a time, so that slow receivers do not fill the queue's account: its plan's
 * parallelism should be well above this for every platform that may hang at once.
 */
const PARALLELISM = 3;

/** What ids of a platform's deliveries begin with. */
export const deliveryIdPrefix = (platformId: string): string =>
  ID_PREFIX.delivery + platformId.slice(ID_PREFIX.platform.length, ID_PREFIX.platform.length + LANE_CHARACTERS);

/** A delivery's id begins like its platform's: whoever holds it knows the queue's lane without asking. */
export const newDeliveryId = (ids: Ids, platformId: string): string => ids.id(deliveryIdPrefix(platformId));

/** The queue's lane of a delivery, one for each platform. */
const laneOf = (deliveryId: string) => ({
  key: `webhooks.${deliveryId.slice(ID_PREFIX.delivery.length, ID_PREFIX.delivery.length + LANE_CHARACTERS)}`,
  parallelism: PARALLELISM,
});

/** Whether a text can be a delivery's id. */
export const isDeliveryId = (text: string): boolean => /^wh_del_\w{1,57}$/.test(text);

export interface NewEventOf<T extends EventType> {
  platformId: string;
  type: T;
  data: EventData<T>;
  guard?: Guard | undefined;
}

/** An event as a statement for the batch of the change it reports; publish `deliveryId` once the batch is in. */
export function insertEvent<T extends EventType>(
  ctx: Pick<Ctx, 'db' | 'clock' | 'ids'>,
  { platformId, type, data, guard }: NewEventOf<T>,
) {
  const now = ctx.clock.now();
  const deliveryId = newDeliveryId(ctx.ids, platformId);
  const envelope: EventEnvelope = {
    id: ctx.ids.id(ID_PREFIX.event),
    event_type: type,
    timestamp: new Date(now).toISOString(),
    platform_id: platformId,
    api_version: 'v1',
    data,
  };
  const statement = insertDelivery(ctx.db, {
    id: deliveryId,
    eventId: envelope.id,
    platformId,
    eventType: type,
    meetingId: 'meeting_id' in data ? data.meeting_id : undefined,
    names: 'rescheduled_from' in data ? [type, RESCHEDULED] : [type],
    now,
    guard,
    body: JSON.stringify(envelope),
  });
  return { statement, deliveryId };
}

const messageFor = (deliveryId: string): QueueMessage => ({
  path: DELIVER_PATH,
  body: { delivery_id: deliveryId },
  lane: laneOf(deliveryId),
});

/** Asks for a delivery's next attempt; never throws, since the sweep finds what was not asked for. */
export async function publishDelivery(
  ctx: Pick<Ctx, 'queue' | 'log'>,
  deliveryId: string,
  delaySeconds = 0,
): Promise<void> {
  const message = messageFor(deliveryId);
  try {
    await ctx.queue.publish(delaySeconds === 0 ? message : { ...message, delaySeconds });
  } catch (error) {
    ctx.log('warn', 'webhook delivery left to the sweep', { delivery_id: deliveryId, error });
  }
}

/** Asks for many at once, a hundred a call; answers the ids the queue did not take. */
export async function publishDeliveries(ctx: Pick<Ctx, 'queue' | 'log'>, deliveryIds: string[]): Promise<string[]> {
  const left: string[] = [];
  for (let from = 0; from < deliveryIds.length; from += BATCH) {
    const ids = deliveryIds.slice(from, from + BATCH);
    try {
      await ctx.queue.publish(...ids.map(messageFor));
    } catch (error) {
      ctx.log('warn', 'webhook deliveries left to the sweep', { deliveries: ids.length, error });
      left.push(...ids);
    }
  }
  return left;
}

interface EventToAll<T extends EventType> {
  userId: string;
  type: T;
  /** The data, given what stands for each platform's own publishable key. */
  data: (publishableKey: string) => EventData<T>;
  now: number;
  guard?: Guard | undefined;
}

/**
 * An event to every platform connected with the person, as one statement for the batch of the change it reports: who
 * they are is read when it runs, so that none is missed. Give its result to `publishAll` once the batch is in.
 */
export function insertEventForConnected<T extends EventType>(
  ctx: Ctx,
  { userId, type, data, now, guard }: EventToAll<T>,
) {
  const placeholder = () => ctx.ids.id('placeholder_');
  const placeholders = { eventId: placeholder(), platformId: placeholder(), publishableKey: placeholder() };
  const envelope: EventEnvelope = {
    id: placeholders.eventId,
    event_type: type,
    timestamp: new Date(now).toISOString(),
    platform_id: placeholders.platformId,
    api_version: 'v1',
    data: data(placeholders.publishableKey),
  };
  const template = JSON.stringify(envelope);
  return insertDeliveriesToConnected(ctx.db, {
    userId,
    eventType: type,
    template,
    placeholders,
    now,
    guard,
    seed: ctx.ids.secret(''),
  });
}

/** Asks for the first attempts, after the answer. */
export function publishAll(ctx: Ctx, { rows }: { rows: { id: string }[] }): void {
  ctx.later(
    publishDeliveries(
      ctx,
      rows.map(({ id }) => id),
    ),
  );
}
