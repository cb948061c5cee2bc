import type { RescheduleSearch } from '../../../../lib/engine/move/reschedule-choices.ts';
import type { SearchedPerson, Weekday } from '../../../../lib/engine/types.ts';
import type { RefusedHours, Wish, WishPart } from '../../../../lib/engine/wish/wish-parts.ts';
import { DAY, dayNumber, MINUTE, WEEKDAYS, wallAt } from './clock.ts';
import { comfortAt } from './merit.ts';
import { chosenAt, timelessProduct } from './picks.ts';
import { allowedStarts, intervalsOf } from './rules.ts';

// Computes where a meeting is moved by schema/DECISIONS.md, "Rescheduling a meeting", in the slow and obvious way: the
// wish that is bent least first, then nearness.

const COSTS: Record<WishPart, [atAll: number, more: number]> = {
  clockFrom: [1, 2],
  clockTo: [1, 2],
  clockUnwanted: [2, 2],
  refused: [24, 0],
  relative: [3, 1],
  dates: [6, 6],
  weekdaysWanted: [6, 6],
  earliest: [6, 6],
  latest: [6, 6],
  datesUnwanted: [24, 0],
  weekdaysUnwanted: [24, 0],
  notBeforeOldStart: [24, 6],
};

/**
 * Returns the times that the asker's clocks show for a meeting. The end is in minutes of the day on which the meeting
 * starts.
 */
function wallOf({ askerTimeZone: zone }: RescheduleSearch, start: number, end: number) {
  const [from, to] = [wallAt(zone, start), wallAt(zone, end)];
  const until = to.minute + (dayNumber(to.date) - dayNumber(from.date)) * 1440;
  return { ...from, day: dayNumber(from.date), until };
}

/** Returns by how many hours, or days, a start misses each part of the wish; 0 or less if it meets the part. */
export function missesOf(search: RescheduleSearch, start: number, wish: Wish = search.wish): [WishPart, number][] {
  const { old } = search;
  const end = start + search.durationMinutes * MINUTE;
  const wall = wallOf(search, start, end);
  const was = wallOf(search, old.start, old.end);
  const dayOff = (names: Weekday[]) => {
    const offs = names.map((name) => Math.abs(WEEKDAYS.indexOf(name) - WEEKDAYS.indexOf(wall.weekday)));
    return Math.min(...offs.map((off) => Math.min(off, 7 - off)));
  };
  const { earliest, latest, dates, datesUnwanted, weekdaysWanted, weekdaysUnwanted, clockFrom, clockTo } = wish;
  const { clockUnwanted, relative, notBeforeOldStart } = wish;
  const misses: [WishPart, number | undefined][] = [
    ['earliest', earliest && (earliest - start) / DAY],
    ['latest', latest && (end - latest) / DAY],
    ['dates', dates && Math.min(...dates.map((date) => Math.abs(dayNumber(date) - wall.day)))],
    ['datesUnwanted', datesUnwanted && (datesUnwanted.includes(wall.date) ? 1 : 0)],
    ['weekdaysWanted', weekdaysWanted && dayOff(weekdaysWanted)],
    ['weekdaysUnwanted', weekdaysUnwanted && (weekdaysUnwanted.includes(wall.weekday) ? 1 : 0)],
    ['clockFrom', clockFrom === undefined ? undefined : (clockFrom - wall.minute) / 60],
    ['clockTo', clockTo === undefined ? undefined : (wall.until - clockTo) / 60],
    [
      'clockUnwanted',
      clockUnwanted && (Math.min(wall.until, clockUnwanted.to) - Math.max(wall.minute, clockUnwanted.from)) / 60,
    ],
    ['refused', wish.refused && (isRefused(search, start, end, wish.refused) ? 1 : 0)],
    ['relative', relative && (relative === 'later' ? was.minute + 1 - wall.minute : wall.minute + 1 - was.minute) / 60],
    ['notBeforeOldStart', notBeforeOldStart ? (old.start - start) / DAY : undefined],
  ];
  return misses.flatMap(([part, missed]) => (missed === undefined ? [] : [[part, missed]]));
}

/** Returns true if any minute of the meeting lies in refused hours. */
function isRefused({ askerTimeZone }: RescheduleSearch, start: number, end: number, refused: RefusedHours[]): boolean {
  for (let at = start; at < end; at += MINUTE) {
    const { date, weekday, minute } = wallAt(askerTimeZone, at);
    const isIn = ({ dates, weekdays, from, to }: RefusedHours) =>
      (dates?.includes(date) ?? true) && (weekdays?.includes(weekday) ?? true) && minute >= from && minute < to;
    if (refused.some(isIn)) return true;
  }
  return false;
}

/** Returns the wish once for each box that it accepts. */
function boxesOf({ or = [], ...wish }: Wish): Wish[] {
  const rest = { ...wish, earliest: undefined, latest: undefined, dates: undefined };
  return [
    wish,
    ...or.map((box) => ({ ...rest, weekdaysWanted: undefined, clockFrom: undefined, clockTo: undefined, ...box })),
  ];
}

/** Returns true if a meeting that meets every part of the wish may include this minute. */
function isWished(search: RescheduleSearch, instant: number, wish: Wish): boolean {
  const { old, askerTimeZone } = search;
  const { date, weekday, minute } = wallAt(askerTimeZone, instant);
  const was = wallOf(search, old.start, old.end);
  const { earliest, latest, dates, datesUnwanted, weekdaysWanted, weekdaysUnwanted, clockFrom, clockTo } = wish;
  const { clockUnwanted, relative, notBeforeOldStart } = wish;
  return [
    earliest === undefined || instant >= earliest,
    latest === undefined || instant + MINUTE <= latest,
    dates === undefined || dates.includes(date),
    datesUnwanted === undefined || !datesUnwanted.includes(date),
    weekdaysWanted === undefined || weekdaysWanted.includes(weekday),
    weekdaysUnwanted === undefined || !weekdaysUnwanted.includes(weekday),
    clockFrom === undefined || minute >= clockFrom,
    clockTo === undefined || minute < clockTo,
    clockUnwanted === undefined || minute < clockUnwanted.from || minute >= clockUnwanted.to,
    wish.refused === undefined || !isRefused(search, instant, instant + MINUTE, wish.refused),
    relative !== 'later' || minute > was.minute,
    relative !== 'earlier' || minute < was.until - 1,
    notBeforeOldStart === undefined || instant >= old.start,
  ].every(Boolean);
}

const asksNothing = ({ within, wish }: RescheduleSearch): boolean =>
  within === undefined && (wish.unasked === true || Object.keys(wish).length === 0);

/** With `also`, starts are added at which a meeting meets this wish exactly. */
export function movableStarts(search: RescheduleSearch, also: Wish[] = []): number[] {
  const { within, wish, now, old, askerTimeZone } = search;
  const passed = wallAt(askerTimeZone, Math.max(now, old.start)).date;
  const isLater = (instant: number) => wallAt(askerTimeZone, instant).date > passed;
  const later = asksNothing(search) ? movableIf(search, also, isLater) : [];
  if (later.length > 0) return later;
  const oldDate = wallAt(askerTimeZone, old.start).date;
  const isFree = wish.sooner === true || boxesOf(wish).some(({ dates }) => dates?.some((date) => date < oldDate));
  const isLateEnough = ({ timeZone }: { timeZone: string }, instant: number) =>
    wallAt(timeZone, instant).date >= wallAt(timeZone, old.start).date;
  return movableIf(search, also, (instant) =>
    within === undefined
      ? isFree || (isLateEnough(search.requester, instant) && isLateEnough(search.other, instant))
      : instant >= within.start && instant + MINUTE <= within.end,
  );
}

function movableIf(search: RescheduleSearch, also: Wish[], isOpen: (instant: number) => boolean): number[] {
  const { wish, notAt = [] } = search;
  const all = allowedStarts(search, undefined, isOpen);
  const wished = [...boxesOf(wish), ...also].flatMap((box) =>
    allowedStarts(search, undefined, (instant) => isOpen(instant) && isWished(search, instant, box)),
  );
  return [...new Set([...all, ...wished])].filter((start) => !notAt.includes(start)).sort((a, b) => a - b);
}

/**
 * Returns true for a time that overlaps the meeting's own. Within a range such a time comes last, unless the wish asks
 * for it.
 */
function isOnItself({ within, wish, old, durationMinutes }: RescheduleSearch, start: number, near: number): boolean {
  const overlapsOld = (instant: number) => instant < old.end && instant + durationMinutes * MINUTE > old.start;
  if (within === undefined || (wish.closeness !== undefined && overlapsOld(near))) return false;
  return overlapsOld(start);
}

/** Returns the search with both people free at the old time, unless another meeting of Tandem is there too. */
function withoutOld(search: RescheduleSearch): RescheduleSearch {
  const { old } = search;
  const vacated = (person: SearchedPerson): SearchedPerson => ({
    ...person,
    busy: [
      ...intervalsOf(person.busy).flatMap(({ start, end }) => [
        { start, end: Math.min(end, old.start) },
        { start: Math.max(start, old.end), end },
      ]),
      ...person.meetings.flatMap(({ start, end }) =>
        intervalsOf(person.busy).map((busy) => ({
          start: Math.max(start, busy.start, old.start),
          end: Math.min(end, busy.end, old.end),
        })),
      ),
    ].filter(({ start, end }) => start < end),
  });
  return { ...search, requester: vacated(search.requester), other: vacated(search.other) };
}

/** Returns how far a clock time counts from the one that was asked for, which depends on how firmly an hour was named. */
function countedHours(wish: Wish, hours: number, isUnasked: boolean): number {
  const bounds = ({ clockFrom, clockTo, isClockGuessed }: Wish) =>
    isClockGuessed || (clockFrom === undefined && clockTo === undefined)
      ? undefined
      : [clockFrom ?? 0, clockTo ?? 1440];
  if (wish.isAnyHour) return 0;
  if (wish.relative !== undefined || wish.shiftMinutes !== undefined) return hours;
  const spans = boxesOf(wish).map(bounds);
  if (spans.every((span) => span !== undefined && (span[1] ?? 0) - (span[0] ?? 0) > 90)) return hours === 0 ? 0 : 0.5;
  if (spans.some((span) => span !== undefined)) return hours;
  return hours === 0 ? 0 : (isUnasked ? 0.5 : 1.8) + hours / 4;
}

/** Returns the first twenty starts that are tried, in that order. */
export function expectedMoves(search: RescheduleSearch): number[] {
  const vacated = withoutOld(search);
  const { wish, old, durationMinutes } = search;
  const near = typeof wish.closeness === 'object' ? wish.closeness.near : old.start;
  const wanted = wallOf(search, near, near);
  const isUnasked = asksNothing(search);
  const choices = movableStarts(search).map((start) => {
    const bends = boxesOf(wish).map((box) =>
      missesOf(search, start, box).reduce((sum, [part, missed]) => {
        const [atAll, more] = COSTS[part];
        return sum + (missed > 0 ? atAll + more * missed : 0);
      }, 0),
    );
    const bend = Math.min(...bends);
    const wall = wallOf(search, start, start);
    // A day counts as six hours of the clock, and what lies before the time asked for a tenth more.
    const days =
      Math.abs(wall.day - wanted.day) / (boxesOf(wish).some(({ dates }) => dates?.includes(wall.date)) ? 12 : 1);
    const hours =
      (isUnasked ? 0 : days * 6) + countedHours(wish, Math.abs(wall.minute - wanted.minute) / 60, isUnasked);
    const isSoonest = wish.closeness === 'soonest';
    const nearness = isSoonest ? 1 : 0.5 ** ((hours * (start < near ? 1.1 : 1)) / 4);
    const product = Math.min(1, timelessProduct(vacated, start));
    const merit = product * comfortAt(vacated, start, isUnasked) * chosenAt(search, start) * nearness;
    const isExact = wish.shiftMinutes !== undefined && typeof wish.closeness === 'object' && start === near;
    const last = isSoonest ? start : Number(!isExact);
    return { start, bend, onItself: isOnItself(search, start, near) ? 1 : 0, last, merit };
  });
  choices.sort((a, b) => {
    if (Math.abs(a.bend - b.bend) > 1e-9) return a.bend - b.bend;
    if (a.onItself !== b.onItself) return a.onItself - b.onItself;
    if (a.last !== b.last) return a.last - b.last;
    return Math.abs(a.merit - b.merit) > 1e-9 ? b.merit - a.merit : a.start - b.start;
  });
  const taken: number[] = [];
  for (const { start } of choices)
    if (taken.length < 20 && taken.every((other) => Math.abs(other - start) >= durationMinutes * MINUTE))
      taken.push(start);
  return taken;
}
