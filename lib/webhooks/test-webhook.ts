import type { EventEnvelope } from '../../schema/api/webhook-events.ts';
import { claimDelivery } from '../../schema/deliveries/attempt-queries.ts';
import type { DeliveryRow } from '../../schema/deliveries/log-queries.ts';
import { insertTestDelivery } from '../../schema/deliveries/queries.ts';
import { TEST_EVENT_ID } from '../../schema/deliveries/table.ts';
import type { Ctx } from '../context.ts';
import { attemptDelivery } from './deliver.ts';
import { readDelivery } from './delivery-log.ts';
import { readWebhook } from './endpoint.ts';
import { newDeliveryId } from './outbox.ts';
import { sampleData } from './samples.ts';

/**
 * Sends one test event and waits for how it went: one attempt, whatever the endpoint is subscribed to and also while it
 * is disabled. Throws `webhook_not_configured`.
 */
export async function testWebhook(ctx: Ctx, platformId: string, type: string): Promise<DeliveryRow> {
  const now = ctx.clock.now();
  const at = new Date(now).toISOString();
  const id = newDeliveryId(ctx.ids, platformId);
  const envelope: EventEnvelope = {
    id: ctx.ids.id(TEST_EVENT_ID),
    event_type: type,
    timestamp: at,
    platform_id: platformId,
    api_version: 'v1',
    data: sampleData(type, at, platformId),
  };
  const test = { id, eventId: envelope.id, platformId, eventType: type, body: JSON.stringify(envelope), now };
  // Claimed in the transaction that writes it, so that no sweep comes in between.
  const [, [claimed]] = await ctx.db.batch([
    insertTestDelivery(ctx.db, test),
    claimDelivery(ctx.db, { id, owner: ctx.ids.id('claim_'), now }),
  ]);
  if (claimed === undefined) await readWebhook(ctx, platformId);
  else await attemptDelivery(ctx, claimed, { waits: false });
  return readDelivery(ctx, platformId, id);
}
