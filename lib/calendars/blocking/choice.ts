import * as z from 'zod';
import type { ListedCalendar } from '../../ports.ts';

/** The calendar on which meetings are put, whatever address it has. */
export const PRIMARY = 'primary';

const Ids = z.array(z.string());

/** Which of a person's calendars block time: what came of it, and what the person said. Ids are those of the provider. */
export const Blocking = z.object({
  /** The ones whose free/busy is read. */
  calendars: Ids,
  /** The ones that should block and do not: they are gone, or the provider does not tell their times. */
  missing: Ids,
  /** The ones the person ticked, and unticked; of any other the default is true. */
  chosen: Ids,
  freed: Ids,
  /** Whether that is from the list of the person's calendars; without it the main one is all that is known. */
  isListed: z.boolean(),
});
export type Blocking = z.infer<typeof Blocking>;

/** What holds of somebody whose calendars were never listed. */
export const UNLISTED: Blocking = { calendars: [PRIMARY], missing: [], chosen: [], freed: [], isListed: false };

/** The main calendar alone, as the list may not be read any more; what the person said is kept. */
export const mainAlone = ({ chosen, freed }: Blocking): Blocking => ({ ...UNLISTED, chosen, freed });

/**
 * What blocks by the list as it is now: what the person ticked, what they own, and what did before, less what they
 * unticked and what the provider `refused` to tell the times of. Where nothing is left, the main one.
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
 * What blocks once the person ticked these of the calendars they were shown; one that is new since has the default.
 * Undefined where nothing would block any more.
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

/** Whether the same calendars are read. */
export const readsSame = (one: Blocking, other: Blocking): boolean =>
  JSON.stringify(one.calendars.toSorted()) === JSON.stringify(other.calendars.toSorted());
