import { findMaskedKey, listKeptKeys, selectPublishableKey, selectReplacedAt } from '../../schema/access/api-keys.ts';
import { batch } from '../../schema/db.ts';
import type { Ctx } from '../kit/context.ts';
import { userGone } from '../kit/errors.ts';
import { waitsUntil } from '../kit/key-regeneration.ts';

/** Secret keys are masked. `former` are replaced ones that still work. `newKeyAt` is undefined for now. */
export async function readKeys(ctx: Ctx, platformId: string) {
  const {
    secret: [secret],
    publishable: [publishable],
    replaced: [replaced],
    former,
  } = await batch(ctx.db, {
    secret: findMaskedKey(ctx.db, { platformId }),
    publishable: selectPublishableKey(ctx.db, { platformId }),
    replaced: selectReplacedAt(ctx.db, { platformId }),
    former: listKeptKeys(ctx.db, { platformId, now: ctx.clock.now() }),
  });
  if (secret === undefined || publishable === undefined) throw userGone();
  return {
    masked: secret.masked,
    createdAt: secret.createdAt,
    publishable: publishable.key,
    former,
    newKeyAt: waitsUntil(ctx, replaced?.at ?? null),
  };
}
