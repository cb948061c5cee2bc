import * as z from 'zod';
import { markReaderDirty, saveCalendars } from '../../../schema/access/calendar-accounts.ts';
import { batch } from '../../../schema/db.ts';
import type { ListedCalendar } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { sha256 } from '../../kit/ids.ts';
import { calendarsPlace } from '../../kit/reseal.ts';
import type { Account } from '../calls.ts';

/** The provider finds any person's main calendar, on which Tandem puts meetings, by this id. */
export const PRIMARY = 'primary';

const Ids = z.array(z.string());

/** All ids are the provider's. A calendar that blocks makes the person busy whenever it has an event. */
export const Blocking = z.object({
  calendars: Ids,
  /** These should block but cannot: they were deleted, or the provider does not share their times. */
  missing: Ids,
  /** The person ticked these. One neither ticked nor unticked blocks if the person owns it or it blocked before. */
  chosen: Ids,
  /** The person unticked these, so they do not block. */
  freed: Ids,
  /** False if Tandem could not list the calendars and knew only the main one. */
  isListed: z.boolean(),
});
export type Blocking = z.infer<typeof Blocking>;

/** The choice of a person whose calendars were never listed: only the main calendar blocks their time. */
export const UNLISTED: Blocking = { calendars: [PRIMARY], missing: [], chosen: [], freed: [], isListed: false };

/** Serves a person whose calendars may no longer be listed. Keeps what they ticked and unticked. */
export const mainAlone = ({ chosen, freed }: Blocking): Blocking => ({ ...UNLISTED, chosen, freed });

/**
 * A calendar blocks if the person ticked it or owns it, or if it blocked before. One that the person unticked does not,
 * nor one in `refused`, whose times the provider does not share. If none remains, the main one blocks.
 */
export function follow(former: Blocking, list: readonly ListedCalendar[], refused: readonly string[] = []): Blocking {
  const wants = wanted(former);
  const calendars = list.filter((one) => wants(one) && !refused.includes(one.id)).map(({ id }) => id);
  const blocked = new Set([...former.calendars, ...former.missing]);
  const missing = [...blocked].filter((id) => !calendars.includes(id) && !former.freed.includes(id));
  return { ...former, calendars: calendars.length === 0 ? [PRIMARY] : calendars, missing, isListed: true };
}

const wanted =
  ({ calendars, missing, chosen, freed }: Blocking) =>
  ({ id, isOwned }: ListedCalendar) =>
    !freed.includes(id) && (isOwned || [calendars, missing, chosen].some((ids) => ids.includes(id)));

/** A calendar added since the page was shown blocks only if owned. Undefined if no calendar would block any more. */
export function choose(
  former: Blocking,
  list: readonly ListedCalendar[],
  { shown, ticked }: { shown: readonly string[]; ticked: readonly string[] },
): Blocking | undefined {
  const ids = list.map(({ id }) => id);
  const said = (now: readonly string[], before: readonly string[]) =>
    ids.filter((id) => (shown.includes(id) ? now.includes(id) : before.includes(id)));
  const unticked = shown.filter((id) => !ticked.includes(id));
  const next = {
    ...former,
    calendars: [],
    missing: [],
    chosen: said(ticked, former.chosen),
    freed: said(unticked, former.freed),
  };
  return list.some(wanted(next)) ? follow(next, list) : undefined;
}

/** Busy times that were read under one choice then hold for the other too. */
export const readsSame = (one: Blocking, other: Blocking): boolean =>
  JSON.stringify(one.calendars.toSorted()) === JSON.stringify(other.calendars.toSorted());

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
      : { dirty: markReaderDirty(ctx.db, { userId, calendars: sealed.calendars, now: ctx.clock.now() }) }),
  });
  return saved.length > 0;
}
