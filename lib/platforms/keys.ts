import { findMaskedKey, selectPublishableKey, selectReplacedAt } from '../../schema/api-keys/queries.ts';
import { batch } from '../../schema/db.ts';
import type { Ctx } from '../context.ts';
import { userGone } from '../errors.ts';
import { waitsUntil } from '../key-regeneration.ts';

/** A platform's keys as they may be shown again; `newKeyAt` is set while the secret one cannot be replaced. */
export async function readKeys(ctx: Ctx, platformId: string) {
  const {
    secret: [secret],
    publishable: [publishable],
    replaced: [replaced],
  } = await batch(ctx.db, {
    secret: findMaskedKey(ctx.db, { platformId }),
    publishable: selectPublishableKey(ctx.db, { platformId }),
    replaced: selectReplacedAt(ctx.db, { platformId }),
  });
  if (secret === undefined || publishable === undefined) throw userGone();
  return {
    masked: secret.masked,
    createdAt: secret.createdAt,
    publishable: publishable.key,
    newKeyAt: waitsUntil(ctx, replaced?.at ?? null),
  };
}
