import { markReaderDirty, saveCalendars } from '../../../schema/calendar-accounts/blocking-queries.ts';
import { batch } from '../../../schema/db.ts';
import type { Ctx } from '../../context.ts';
import { sha256 } from '../../keys.ts';
import { calendarsOf } from '../../sealed-places.ts';
import type { Account } from '../grants/access-token.ts';
import { Blocking, PRIMARY, readsSame, UNLISTED } from './choice.ts';

/** Whose calendars are read, and what is known of them. */
export interface Reader extends Account {
  /** Which of them block, sealed. */
  calendars: string | null;
  /** Whether the person lets us see the list of them. */
  mayList: boolean;
}

type Stored = Pick<Reader, 'id' | 'calendars'>;

/** Which calendars block the person's time, as far as is known. */
export async function openBlocking(ctx: Ctx, { id, calendars }: Stored): Promise<Blocking> {
  if (calendars === null) return UNLISTED;
  return Blocking.parse(JSON.parse(await ctx.sealer.open(calendars, calendarsOf(id))));
}

/** The same as it is stored: sealed, with a mark for each that is read. */
export async function sealBlocking(ctx: Ctx, userId: string, blocking: Blocking) {
  const [calendars, marks] = await Promise.all([
    ctx.sealer.seal(JSON.stringify(blocking), calendarsOf(userId)),
    Promise.all(blocking.calendars.map((id) => markOf(userId, id))),
  ]);
  return { calendars, marks };
}

const MARK_LENGTH = 32;

/** Stands for a calendar of this person's where its id, an address as a rule, must not be read. */
export const markOf = async (userId: string, id: string): Promise<string> =>
  id === PRIMARY ? PRIMARY : (await sha256(`${userId} ${id}`)).slice(0, MARK_LENGTH);

/**
 * These calendars block from now on, unless that has changed since it was read: then false. Where others than before are
 * read, what was read before counts no more.
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
