import { type EndpointRow, findEndpoint } from '../../schema/webhook-endpoints/queries.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';

/** A platform's endpoint, its secret sealed. Throws `webhook_not_configured`. */
export async function readWebhook(ctx: Pick<Ctx, 'db'>, platformId: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(ctx.db, { platformId });
  if (endpoint === undefined)
    throw new AppError('webhook_not_configured', 'Set a URL first: PUT /v1/platform/webhook.');
  return endpoint;
}
