import { autoFactors } from './auto-factors.ts';
import { candidateStarts, mergeStarts } from './candidates.ts';
import { DAY, MINUTE, parseDate } from './dates.ts';
import { fairestFirst } from './fairness.ts';
import { MOST_CHOICES, type PickedSlot, type Ranking, toPicked } from './rank-auto.ts';
import { relaxationsOf } from './relaxations.ts';
import { byCost, partsFor, type RescheduleSearch, shiftedTime, weighChoices } from './reschedule-choices.ts';
import { rescheduleFacts } from './reschedule-facts.ts';
import type { Interval } from './types.ts';
import { whyEmpty } from './why-empty.ts';
import { LONGEST_DAYS } from './window.ts';
import type { Wish } from './wish.ts';
import { wishedInstants } from './wish-parts.ts';
import { lastStartOfDay, localDay } from './zone.ts';

/** As long as a search may be, less the dates that begin and end with it. */
const LONGEST_SPAN = (LONGEST_DAYS - 2) * DAY;

/**
 * Ranks other times for a meeting (decisions, Meetings): first by how little they bend the wish, then by nearness to what was
 * asked for, or to the time it had, less what speaks against them; never before the old day unless sooner was asked for or a
 * range was given, never at a start it had.
 */
export function rankReschedule(search: RescheduleSearch): Ranking<PickedSlot> {
  const bounded = { ...search, notBefore: floorOf(search) };
  const parts = partsFor(search);
  const starts = mergeStarts(
    candidateStarts(bounded),
    candidateStarts({ ...bounded, only: wishedInstants(parts) }),
    candidateStarts({ ...bounded, only: shiftedTime(search) ?? [] }),
  );
  if (starts.length === 0) return { ranked: [], message: whyEmpty(bounded), relaxations: relaxationsOf(bounded) };
  const factors = autoFactors(search).filter(({ name }) => name !== 'recency');
  const choices = weighChoices(search, parts, factors, starts).sort(byCost(fairestFirst(search)));
  const taken: number[] = [];
  for (const { start } of choices) {
    if (taken.length === MOST_CHOICES) break;
    if (taken.every((other) => Math.abs(other - start) >= search.durationMinutes * MINUTE)) taken.push(start);
  }
  const facts = (start: number) => () => rescheduleFacts(bounded, parts, factors, choices, start);
  return { ranked: taken.map((start) => toPicked(search, start, facts(start))) };
}

/** The instants whose dates must be searched, at most `LONGEST_DAYS`: from now or the old day on, as far as the wish reaches. */
export function rescheduleSpan(search: { now: number; old: Interval; wish: Wish; windowDays: number }): Interval {
  const { now, old, wish, windowDays } = search;
  const reach = windowDays * DAY;
  const dates = (wish.dates ?? []).map((date) => (parseDate(date) ?? 0) * DAY);
  const near = typeof wish.closeness === 'object' ? [wish.closeness.near] : [];
  const wanted = [...dates, ...near, ...(wish.earliest === undefined ? [] : [wish.earliest])];
  const first = wish.sooner ? now : Math.max(now, old.start - DAY);
  const last = Math.max(first + reach, old.end + reach, ...wanted.map((instant) => instant + reach));
  const isFar = last - first > LONGEST_SPAN;
  const start = isFar && wanted.length > 0 ? Math.max(first, Math.min(...wanted) - reach) : first;
  return { start, end: Math.min(last, start + LONGEST_SPAN) };
}

function floorOf({ requester, other, old, wish, within, now }: RescheduleSearch): number | undefined {
  if (wish.sooner || within !== undefined) return undefined;
  const ownDay = ({ timeZone }: { timeZone: string }) => lastStartOfDay(timeZone, localDay(timeZone, old.start));
  const floor = Math.max(ownDay(requester), ownDay(other));
  return floor > now ? floor : undefined;
}
