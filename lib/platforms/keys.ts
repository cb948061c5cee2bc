import * as keyRows from '../../schema/access/api-keys.ts';
import { lockPlatform } from '../../schema/access/platforms.ts';
import { endSessions } from '../../schema/access/sessions.ts';
import { batch } from '../../schema/db.ts';
import type { Ctx } from '../kit/context.ts';
import { userGone } from '../kit/errors.ts';
import { insist, insistOnPause, type MadeKey, type NextKey, replaceKey, waitsUntil } from '../kit/key-regeneration.ts';
import { securityChange } from '../webhooks/outbox.ts';

/** Secret keys are masked. `former` are replaced ones that still work. `newKeyAt` is undefined for now. */
export async function readKeys(ctx: Ctx, platformId: string) {
  const { former, ...found } = await batch(ctx.db, {
    secret: keyRows.findMaskedKey(ctx.db, { platformId }),
    publishable: keyRows.selectPublishableKey(ctx.db, { platformId }),
    replaced: keyRows.selectReplacedAt(ctx.db, { platformId }),
    former: keyRows.listKeptKeys(ctx.db, { platformId, now: ctx.clock.now() }),
  });
  const [[secret], [publishable], [replaced]] = [found.secret, found.publishable, found.replaced];
  if (secret === undefined || publishable === undefined) throw userGone();
  return {
    masked: secret.masked,
    createdAt: secret.createdAt,
    publishable: publishable.key,
    former,
    newKeyAt: waitsUntil(ctx, replaced?.at ?? null),
  };
}

/**
 * Serves `POST /v1/platform/regenerate-key`. One batch makes the new key, revokes the former ones, and ends every
 * dashboard session and link but the session that sends the request. With `keepHours`, the key that sends it works on.
 * Throws `too_many_regenerations` within an hour of the last. If the database's answer is lost, checks whether the key
 * was made, so that the caller rarely sees an error.
 */
export async function regeneratePlatformKey(ctx: Ctx, platformId: string, asked: NextKey = {}): Promise<MadeKey> {
  const mayReplace = (since: number) => keyRows.mayReplaceSecretKey({ platformId, since });
  const replaced = await replaceKey(ctx, { prefix: 'sk_live_', owner: { platformId }, mayReplace }, asked);
  const { isToMake: guard, details, now } = replaced;
  const change = securityChange(ctx, { platformId, action: 'key.replaced', details, guard });
  const { told, ...outcome } = await insist(ctx, asked, () =>
    batch(ctx.db, {
      lock: lockPlatform(ctx.db, { platformId }),
      told: change.told,
      audited: change.audited,
      ended: endSessions(ctx.db, { owner: { platformId }, now, except: ownSession(ctx), guard }),
      next: replaced.next,
      ...replaced.outcome,
    }),
  );
  change.publish(ctx, told);
  const made = replaced.read(outcome);
  if (made !== undefined) return made;
  const [former] = await keyRows.selectReplacedAt(ctx.db, { platformId });
  insistOnPause(ctx, former?.at ?? null);
  throw userGone();
}

const ownSession = ({ actor: { credential } }: Ctx) =>
  credential !== undefined && 'session' in credential ? credential.session : undefined;
