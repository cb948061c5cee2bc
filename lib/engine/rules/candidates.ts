import { MINUTE } from '../time/dates.ts';
import { type Edges, edgeAt, intersect, lasting } from '../time/intervals.ts';
import { type Days, daysElsewhere, WHOLE_WEEK, wallInstants } from '../time/wall-instants.ts';
import { windowDays } from '../time/window.ts';
import type { Search, SearchedPerson } from '../types.ts';
import { ALL_RULES, type Applied, openInstants, withoutBusy } from './free-time.ts';

export const QUARTER_HOUR = 15 * MINUTE;
export const NOTICE = 15 * MINUTE;

/**
 * A common free stretch that holds the meeting at no quarter hour has one start: the first multiple of five minutes, or
 * else the first full minute (schema/DECISIONS.md, "Slot candidates"). Quarter hours of UTC are those of every zone,
 * because each offset is a whole number of them.
 */
export const candidateStarts = (search: Search, applied: Applied = ALL_RULES, otherApplied = applied): number[] =>
  startsWithin(freeForMeeting(search, applied, otherApplied), search);

/** Returns true if the search has at least one start at which both people are free for the whole meeting. */
export const hasCandidate = (search: Search, applied: Applied = ALL_RULES, otherApplied = applied): boolean =>
  startsWithin(freeForMeeting(search, applied, otherApplied), search, 1).length > 0;

/**
 * Gives each quarter hour at which the whole meeting fits, or one other start in a stretch without such. They are in
 * order of time, at most `most`.
 */
export function startsWithin(
  free: Edges,
  { durationMinutes, notAt }: Pick<Search, 'durationMinutes' | 'notAt'>,
  most = Number.POSITIVE_INFINITY,
): number[] {
  const starts: number[] = [];
  const duration = durationMinutes * MINUTE;
  for (let i = 0; i < free.length; i += 2) {
    const from = edgeAt(free, i);
    const lastStart = edgeAt(free, i + 1) - duration;
    if (lastStart < from) continue;
    let start = firstOf(QUARTER_HOUR, from);
    if (start > lastStart) start = firstOf(5 * MINUTE, from);
    if (start > lastStart) start = firstOf(MINUTE, from);
    for (; start <= lastStart; start += QUARTER_HOUR) {
      if (notAt?.includes(start)) continue;
      starts.push(start);
      if (starts.length >= most) return starts;
    }
  }
  return starts;
}

/** They begin at the first allowed start. Every possible meeting lies within them. */
export const freeForBoth = (search: Search, applied: Applied = ALL_RULES, otherApplied = applied): number[] =>
  commonFree(search, applied, otherApplied, 0);

/** Drops stretches that are too short at each step, which is faster than filtering the result. */
export const freeForMeeting = (search: Search, applied: Applied, otherApplied: Applied): number[] =>
  commonFree(search, applied, otherApplied, search.durationMinutes * MINUTE);

function commonFree(search: Search, applied: Applied, otherApplied: Applied, least: number): number[] {
  const { requester, other, window, within, only, narrowedTo = [] } = search;
  const dates = windowDays(window);
  const days = daysElsewhere(dates);
  const both = intersect(openOnce(requester, days, applied, least), openOnce(other, days, otherApplied, least));
  const open = intersect(both, wallInstants(requester.timeZone, dates, WHOLE_WEEK));
  const { start, end } = within ?? { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY };
  const ranged = intersect(open, [Math.max(start, earliestStart(search)), Math.min(end, search.notAfter ?? end)]);
  const chosen = only === undefined ? ranged : intersect(ranged, only);
  const wanted = narrowedTo.reduce((both, { instants }) => intersect(both, instants), chosen);
  const freeOfOne = withoutBusy(lasting(wanted, least), requester, applied);
  return lasting(withoutBusy(lasting(freeOfOne, least), other, otherApplied), least);
}

const earliestStart = ({ now, notBefore = 0 }: Search) => Math.max(now + NOTICE, notBefore);

function firstOf(grain: number, from: number): number {
  return Math.ceil(from / grain) * grain;
}

/**
 * One person's allowed instants on the days `first` to `last`, with a bit in `rules` for each rule applied. Each item
 * of `long` keeps only the stretches of at least `least` ms.
 */
interface Opened {
  first: number;
  last: number;
  rules: number;
  open: number[];
  long: { least: number; spans: number[] }[];
}

const opened = new WeakMap<SearchedPerson, Opened[]>();

/** Cached, because a search that finds nothing asks over twenty times why. Drops stretches shorter than `least` ms. */
export function openOnce(person: SearchedPerson, days: Days, applied: Applied, least = 0): number[] {
  const { focusBlocks, standingRules, dayLimit, holidays } = applied;
  const rules = Number(focusBlocks) + 2 * Number(standingRules) + 4 * Number(dayLimit) + 8 * Number(holidays);
  const known = opened.get(person) ?? [];
  if (known.length === 0) opened.set(person, known);
  let own = known.find((one) => one.rules === rules && one.first === days.first && one.last === days.last);
  if (own === undefined) {
    own = { ...days, rules, open: openInstants(person, days, applied), long: [] };
    known.push(own);
  }
  if (least === 0) return own.open;
  const before = own.long.find((one) => one.least === least);
  if (before !== undefined) return before.spans;
  const spans = lasting(own.open, least);
  own.long.push({ least, spans });
  return spans;
}

export const mergeStarts = (...lists: number[][]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);
