import type { EventData, EventEnvelope, EventType } from '../../schema/api/events.ts';
import { insertDelivery, type OnlyIf } from '../../schema/deliveries/queries.ts';
import type { Ctx } from '../context.ts';
import type { QueueMessage } from '../ports.ts';
import { laneOf, newDeliveryId } from './delivery-id.ts';

/** Where the queue hands a delivery back to the Worker. */
export const DELIVER_PATH = '/internal/deliver-webhook';

/** Messages of one call to the queue. */
const BATCH = 100;

export interface NewEventOf<T extends EventType> {
  platformId: string;
  type: T;
  data: EventData<T>;
  onlyIf?: OnlyIf | undefined;
}

/** An event as a statement for the batch of the change it reports; kick `deliveryId` once the batch is in. */
export function emitEvent<T extends EventType>(
  ctx: Pick<Ctx, 'db' | 'clock' | 'ids'>,
  { platformId, type, data, onlyIf }: NewEventOf<T>,
) {
  const now = ctx.clock.now();
  const deliveryId = newDeliveryId(ctx.ids, platformId);
  const envelope: EventEnvelope = {
    id: ctx.ids.id('wh_'),
    event_type: type,
    timestamp: new Date(now).toISOString(),
    platform_id: platformId,
    api_version: 'v1',
    data,
  };
  const statement = insertDelivery(ctx.db, {
    ...{ id: deliveryId, eventId: envelope.id, platformId, eventType: type, now, onlyIf },
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
export async function kickDelivery(
  ctx: Pick<Ctx, 'queue' | 'log'>,
  deliveryId: string,
  delaySeconds = 0,
): Promise<void> {
  const message = messageFor(deliveryId);
  try {
    await ctx.queue.publish(delaySeconds === 0 ? message : { ...message, delaySeconds });
  } catch (error) {
    ctx.log('warn', 'webhook delivery left to the sweep', { delivery_id: deliveryId, error: String(error) });
  }
}

/** Asks for many at once, a hundred a call; answers the ids the queue did not take. */
export async function kickDeliveries(ctx: Pick<Ctx, 'queue' | 'log'>, deliveryIds: string[]): Promise<string[]> {
  const left: string[] = [];
  for (let from = 0; from < deliveryIds.length; from += BATCH) {
    const ids = deliveryIds.slice(from, from + BATCH);
    try {
      await ctx.queue.publish(...ids.map(messageFor));
    } catch (error) {
      ctx.log('warn', 'webhook deliveries left to the sweep', { deliveries: ids.length, error: String(error) });
      left.push(...ids);
    }
  }
  return left;
}
