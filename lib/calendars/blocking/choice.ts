import * as z from 'zod';
import type { ListedCalendar } from '../../kit/calendar-ports.ts';

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

/**
 * A calendar that was added since the page was shown blocks only if the person owns it. Returns undefined if no
 * calendar would block any more.
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

/** Busy times that were read under one choice then hold for the other too. */
export const readsSame = (one: Blocking, other: Blocking): boolean =>
  JSON.stringify(one.calendars.toSorted()) === JSON.stringify(other.calendars.toSorted());
