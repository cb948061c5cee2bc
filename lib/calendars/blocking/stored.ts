import { markReaderDirty, saveCalendars } from '../../../schema/access/calendar-accounts-blocking.ts';
import { batch } from '../../../schema/db.ts';
import type { Ctx } from '../../kit/context.ts';
import { sha256 } from '../../kit/keys.ts';
import { calendarsPlace } from '../../kit/sealed-places.ts';
import type { Account } from '../grants/access-token.ts';
import { Blocking, PRIMARY, readsSame, UNLISTED } from './choice.ts';

/** A person whose calendars are read, with the stored choice of the calendars that block their time. */
export interface Reader extends Account {
  /** The person's choice of the calendars that block their time, encrypted. Null if Tandem has stored no choice yet. */
  calendars: string | null;
  /** True if the person lets Tandem read the list of their calendars. */
  mayList: boolean;
}

type Stored = Pick<Reader, 'id' | 'calendars'>;

/** Decrypts the stored choice of the calendars that block a person's time. */
export async function openBlocking(ctx: Ctx, { id, calendars }: Stored): Promise<Blocking> {
  if (calendars === null) return UNLISTED;
  return Blocking.parse(JSON.parse(await ctx.sealer.open(calendars, calendarsPlace(id))));
}

/**
 * Encrypts which calendars block a person's time, for storage. Also returns one mark for each of these calendars,
 * unencrypted. A mark (`markOf`) is an opaque text that stands for a calendar without revealing its id.
 */
export async function sealBlocking(ctx: Ctx, userId: string, blocking: Blocking) {
  const [calendars, marks] = await Promise.all([
    ctx.sealer.seal(JSON.stringify(blocking), calendarsPlace(userId)),
    Promise.all(blocking.calendars.map((id) => markOf(userId, id))),
  ]);
  return { calendars, marks };
}

const MARK_LENGTH = 32;

/**
 * Returns an opaque mark that stands for one of a person's calendars in pages and tables. A calendar's id is usually an
 * email address, so it is not shown.
 */
export const markOf = async (userId: string, id: string): Promise<string> =>
  id === PRIMARY ? PRIMARY : (await sha256(`${userId} ${id}`)).slice(0, MARK_LENGTH);

/**
 * Saves which calendars block a person's time from now on. Returns false if another request changed them since the
 * caller read `former`. If the set of calendars changes, the stored busy times become stale.
 */
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
