import { MINUTE } from './dates.ts';
import { edgeAt, intersect } from './intervals.ts';
import { ALL_RULES, type Applied, openInstants, withoutBusy } from './person-rules.ts';
import type { Search } from './types.ts';
import { daysElsewhere } from './wall-instants.ts';
import { windowDays } from './window.ts';

export const QUARTER_HOUR = 15 * MINUTE;
export const NOTICE = 15 * MINUTE;

/**
 * Every quarter hour at which both are free for the whole duration, in order of time; a common free stretch in which none
 * fits has one other start (decisions, Availability). Every zone's offset from UTC is whole quarter hours, so the quarter
 * hours of UTC are everybody's.
 */
export function candidateStarts(search: Search, applied: Applied = ALL_RULES, otherApplied = applied): number[] {
  const starts: number[] = [];
  const duration = search.durationMinutes * MINUTE;
  const earliest = earliestStart(search);
  const both = commonInstants(search, applied, otherApplied);
  for (let i = 0; i < both.length; i += 2) {
    const from = Math.max(edgeAt(both, i), earliest);
    const lastStart = edgeAt(both, i + 1) - duration;
    let start = firstOf(QUARTER_HOUR, from);
    if (start > lastStart) start = firstOf(5 * MINUTE, from);
    if (start > lastStart) start = firstOf(MINUTE, from);
    for (; start <= lastStart; start += QUARTER_HOUR) starts.push(start);
  }
  const { notAt } = search;
  return notAt === undefined ? starts : starts.filter((start) => !notAt.includes(start));
}

/** The instants of the search at which both are free; starts are looked for in these and nowhere else. */
export const freeForBoth = (search: Search): number[] =>
  intersect(commonInstants(search, ALL_RULES, ALL_RULES), [earliestStart(search), Number.POSITIVE_INFINITY]);

const earliestStart = ({ now, notBefore = 0 }: Search) => Math.max(now + NOTICE, notBefore);

function firstOf(grain: number, from: number): number {
  return Math.ceil(from / grain) * grain;
}

function commonInstants({ requester, other, window, within, only }: Search, applied: Applied, otherApplied: Applied) {
  const days = windowDays(window);
  const open = intersect(
    openInstants(requester, days, applied),
    openInstants(other, daysElsewhere(days), otherApplied),
  );
  const ranged = within === undefined ? open : intersect(open, [within.start, within.end]);
  const wanted = only === undefined ? ranged : intersect(ranged, only);
  return withoutBusy(withoutBusy(wanted, requester, applied), other, otherApplied);
}

/** All starts of these lists, each once, in order. */
export const mergeStarts = (...lists: number[][]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);
