import * as z from 'zod';
import type { ListedCalendar } from '../../kit/calendar-ports.ts';

/**
 * The id by which the provider finds any person's main calendar, whatever the calendar's address is. Tandem puts
 * meetings on the main calendar.
 */
export const PRIMARY = 'primary';

const Ids = z.array(z.string());

/**
 * A person's choice of which of their calendars block their time, and the calendars that block as a result. A calendar
 * that blocks makes the person busy whenever it has an event. All ids are the calendar provider's.
 */
export const Blocking = z.object({
  /** Ids of the calendars that block the person's time. Tandem reads their free/busy. */
  calendars: Ids,
  /**
   * Ids of calendars that should block the person's time but cannot: they were deleted, or the provider does not share
   * their times.
   */
  missing: Ids,
  /**
   * Ids of the calendars that the person ticked on their page. A calendar that they neither ticked nor unticked blocks
   * if the person owns it or it blocked before.
   */
  chosen: Ids,
  /** Ids of the calendars that the person unticked on their page. These calendars do not block the person's time. */
  freed: Ids,
  /**
   * True if Tandem could list the person's calendars when it stored this choice. Otherwise it knew only the main
   * calendar.
   */
  isListed: z.boolean(),
});
export type Blocking = z.infer<typeof Blocking>;

/** The choice of a person whose calendars were never listed: only the main calendar blocks their time. */
export const UNLISTED: Blocking = { calendars: [PRIMARY], missing: [], chosen: [], freed: [], isListed: false };

/**
 * Returns a choice in which only the main calendar blocks, for a person whose calendars may no longer be listed. Keeps
 * what the person ticked and unticked.
 */
export const mainAlone = ({ chosen, freed }: Blocking): Blocking => ({ ...UNLISTED, chosen, freed });

/**
 * Decides again which calendars block a person's time, from the current list of the person's calendars. A calendar
 * blocks if the person ticked it or owns it, or if it blocked before. A calendar that the person unticked does not
 * block, and neither does one in `refused`, whose times the provider does not share. If none remains, the main calendar
 * blocks.
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

/**
 * Decides which calendars block a person's time after the person ticked some of the calendars on their page. A calendar
 * that was added since the page was shown blocks only if the person owns it. Returns undefined if no calendar would
 * block any more.
 */
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

/**
 * Returns true if the same calendars block under both choices. Busy times that were read under one choice then hold for
 * the other too.
 */
export const readsSame = (one: Blocking, other: Blocking): boolean =>
  JSON.stringify(one.calendars.toSorted()) === JSON.stringify(other.calendars.toSorted());
