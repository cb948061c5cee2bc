import { toEnvelope } from '../../schema/answers/render.ts';
import { leaseDeliveries } from '../../schema/delivery/deliveries-attempt.ts';
import { insertTestDelivery } from '../../schema/delivery/deliveries-insert.ts';
import type { DeliveryRow } from '../../schema/delivery/deliveries-log.ts';
import { TEST_EVENT_ID } from '../../schema/tables/deliveries.ts';
import type { Ctx } from '../kit/context.ts';
import { attemptDeliveries } from './deliver.ts';
import { readDelivery } from './delivery-log.ts';
import { readWebhook } from './endpoint.ts';
import { newDeliveryId } from './outbox.ts';
import { sampleData } from './samples.ts';

/**
 * Makes one attempt, even at a disabled endpoint or for an event without subscription. Throws `webhook_not_configured`.
 */
export async function testWebhook(ctx: Ctx, platformId: string, type: string): Promise<DeliveryRow> {
  const now = ctx.clock.now();
  const id = newDeliveryId(ctx.ids, platformId);
  const data = sampleData(type, now, platformId);
  const envelope = toEnvelope({ id: ctx.ids.id(TEST_EVENT_ID), type, at: now, platformId, data });
  const test = { id, eventId: envelope.id, platformId, eventType: type, body: JSON.stringify(envelope), now };
  // One transaction writes and leases the delivery, so that no sweep can take it in between.
  const [, [leased]] = await ctx.db.batch([
    insertTestDelivery(ctx.db, test),
    leaseDeliveries(ctx.db, { ids: [id], owner: ctx.ids.id('lease_'), now }),
  ]);
  if (leased === undefined) await readWebhook(ctx, platformId);
  else await attemptDeliveries(ctx, [leased], { waits: false });
  return readDelivery(ctx, platformId, id);
}
