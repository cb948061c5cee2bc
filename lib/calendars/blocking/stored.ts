import { markReaderDirty, saveCalendars } from '../../../schema/access/calendar-accounts-blocking.ts';
import { batch } from '../../../schema/db.ts';
import type { Ctx } from '../../kit/context.ts';
import { sha256 } from '../../kit/keys.ts';
import { calendarsPlace } from '../../kit/sealed-places.ts';
import type { Account } from '../grants/access-token.ts';
import { Blocking, PRIMARY, readsSame, UNLISTED } from './choice.ts';

export interface Reader extends Account {
  /** It is encrypted, and null if Tandem has stored no choice yet. */
  calendars: string | null;
  mayList: boolean;
}

type Stored = Pick<Reader, 'id' | 'calendars'>;

export async function openBlocking(ctx: Ctx, { id, calendars }: Stored): Promise<Blocking> {
  if (calendars === null) return UNLISTED;
  return Blocking.parse(JSON.parse(await ctx.sealer.open(calendars, calendarsPlace(id))));
}

/** The marks (`markOf`) are unencrypted, one for each calendar that blocks. */
export async function sealBlocking(ctx: Ctx, userId: string, blocking: Blocking) {
  const [calendars, marks] = await Promise.all([
    ctx.sealer.seal(JSON.stringify(blocking), calendarsPlace(userId)),
    Promise.all(blocking.calendars.map((id) => markOf(userId, id))),
  ]);
  return { calendars, marks };
}

const MARK_LENGTH = 32;

/** A calendar's id is usually an email address, so pages and tables show this opaque mark instead. */
export const markOf = async (userId: string, id: string): Promise<string> =>
  id === PRIMARY ? PRIMARY : (await sha256(`${userId} ${id}`)).slice(0, MARK_LENGTH);

/** Returns false if another request changed them since `former`. Stored busy times become stale if the set changes. */
export async function saveBlocking(ctx: Ctx, stored: Stored, former: Blocking, next: Blocking): Promise<boolean> {
  if (JSON.stringify(former) === JSON.stringify(next)) return true;
  const { id: userId } = stored;
  const sealed = await sealBlocking(ctx, userId, next);
  const { saved } = await batch(ctx.db, {
    saved: saveCalendars(ctx.db, { userId, former: stored.calendars, ...sealed }),
    ...(readsSame(former, next)
      ? {}
      : {
          dirty: markReaderDirty(ctx.db, { userId, calendars: sealed.calendars, now: ctx.clock.now() }),
        }),
  });
  return saved.length > 0;
}
