import { type DeliveryRow, findDelivery, listAttempts } from '../../schema/deliveries/log-queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { isDeliveryId } from './delivery-id.ts';

export const deliveryNotFound = () => new AppError('delivery_not_found', 'There is no such delivery in the log.');

/** A delivery as the log shows it. Throws `delivery_not_found`, also for another platform's. */
export async function readDelivery(ctx: Pick<Ctx, 'db'>, platformId: string, id: string): Promise<DeliveryRow> {
  const [delivery] = isDeliveryId(id) ? await findDelivery(ctx.db, { platformId, id }) : [];
  if (delivery === undefined) throw deliveryNotFound();
  return delivery;
}

/** The same with its attempts, first to last. */
export async function readDeliveryWithAttempts(ctx: Pick<Ctx, 'db'>, platformId: string, id: string) {
  if (!isDeliveryId(id)) throw deliveryNotFound();
  const [[delivery], attempts] = await ctx.db.batch([
    findDelivery(ctx.db, { platformId, id }),
    listAttempts(ctx.db, { platformId, id }),
  ]);
  if (delivery === undefined) throw deliveryNotFound();
  return { delivery, attempts };
}
