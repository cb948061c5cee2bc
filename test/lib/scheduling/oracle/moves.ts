import type { RescheduleSearch } from '../../../../lib/scheduling/reschedule-choices.ts';
import type { Weekday } from '../../../../lib/scheduling/types.ts';
import type { WishPart } from '../../../../lib/scheduling/wish.ts';
import { wallAt } from './clock.ts';
import { burdenOf, compareLists, timelessProduct } from './picks.ts';
import { allowedStarts } from './rules.ts';

// Where a meeting is moved by decisions.md, Meetings, the slow way: the least bent wish, then nearness.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEKDAYS: Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** What missing a part costs, and each hour or day by which it is missed. */
const COSTS: Record<WishPart, [atAll: number, more: number]> = {
  clockFrom: [1, 2],
  clockTo: [1, 2],
  clockUnwanted: [2, 2],
  relative: [3, 1],
  dates: [6, 6],
  weekdaysWanted: [6, 6],
  earliest: [6, 6],
  latest: [6, 6],
  datesUnwanted: [24, 0],
  weekdaysUnwanted: [24, 0],
  notBeforeOldStart: [24, 6],
};

const dayNumber = (date: string) => Date.parse(date) / DAY;

/** What the asker's clocks show of a meeting; its end in minutes of the day it starts on. */
function wallOf({ askerTimeZone: zone }: RescheduleSearch, start: number, end: number) {
  const [from, to] = [wallAt(zone, start), wallAt(zone, end)];
  const until = to.minute + (dayNumber(to.date) - dayNumber(from.date)) * 1440;
  return { ...from, day: dayNumber(from.date), until };
}

/** By how many hours of the clock, or days, a start misses each part of the wish; 0 or less when it meets it. */
export function missesOf(search: RescheduleSearch, start: number): [WishPart, number][] {
  const { wish, old } = search;
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
    ['relative', relative && (relative === 'later' ? was.minute + 1 - wall.minute : wall.minute + 1 - was.minute) / 60],
    ['notBeforeOldStart', notBeforeOldStart ? (old.start - start) / DAY : undefined],
  ];
  return misses.flatMap(([part, missed]) => (missed === undefined ? [] : [[part, missed]]));
}

/** Whether a meeting that meets every part of the wish may go on through this minute. */
function isWished(search: RescheduleSearch, instant: number): boolean {
  const { wish, old, askerTimeZone } = search;
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
    relative !== 'later' || minute > was.minute,
    relative !== 'earlier' || minute < was.until - 1,
    notBeforeOldStart === undefined || instant >= old.start,
  ].every(Boolean);
}

/** The starts a meeting may be moved to at all, in order of time. */
export function movableStarts(search: RescheduleSearch): number[] {
  const { requester, other, old, wish, within, notAt = [] } = search;
  const isLateEnough = ({ timeZone }: { timeZone: string }, instant: number) =>
    dayNumber(wallAt(timeZone, instant).date) >= dayNumber(wallAt(timeZone, old.start).date);
  const isOpen = (instant: number) =>
    within === undefined
      ? wish.sooner === true || (isLateEnough(requester, instant) && isLateEnough(other, instant))
      : instant >= within.start && instant + MINUTE <= within.end;
  const all = allowedStarts(search, undefined, isOpen);
  const wished = allowedStarts(search, undefined, (instant) => isOpen(instant) && isWished(search, instant));
  return [...new Set([...all, ...wished])].filter((start) => !notAt.includes(start)).sort((a, b) => a - b);
}

/** Within a range a time that overlaps the meeting's own comes last, unless the wish asks for one so near. */
function isOnItself({ within, wish, old, durationMinutes }: RescheduleSearch, start: number, near: number): boolean {
  const overlapsOld = (instant: number) => instant < old.end && instant + durationMinutes * MINUTE > old.start;
  if (within === undefined || (wish.closeness !== undefined && overlapsOld(near))) return false;
  return overlapsOld(start);
}

/** The at most twenty starts that are tried, in that order. */
export function expectedMoves(search: RescheduleSearch): number[] {
  const { wish, old, now, durationMinutes } = search;
  const near = typeof wish.closeness === 'object' ? wish.closeness.near : old.start;
  const wanted = wallOf(search, near, near);
  const burden = burdenOf(search);
  const choices = movableStarts(search).map((start) => {
    const bend = missesOf(search, start).reduce((sum, [part, missed]) => {
      const [atAll, more] = COSTS[part];
      return sum + (missed > 0 ? atAll + more * missed : 0);
    }, 0);
    const wall = wallOf(search, start, start);
    const away = Math.abs(wall.day - wanted.day) * 24 + Math.abs(wall.minute - wanted.minute) / 60;
    // Half as good is worth four hours.
    const dear = -4 * Math.log2(Math.min(1, timelessProduct(search, start)));
    const isSoonest = wish.closeness === 'soonest';
    const order = [...burden(start), !isSoonest && start < near ? 1 : 0, start];
    const cost = isSoonest ? (start - now) / HOUR : away + dear;
    return { start, bend, onItself: isOnItself(search, start, near) ? 1 : 0, cost, order };
  });
  choices.sort((a, b) => {
    if (Math.abs(a.bend - b.bend) > 1e-9) return a.bend - b.bend;
    if (a.onItself !== b.onItself) return a.onItself - b.onItself;
    return Math.abs(a.cost - b.cost) > 1e-9 ? a.cost - b.cost : compareLists(a.order, b.order);
  });
  const taken: number[] = [];
  for (const { start } of choices)
    if (taken.length < 20 && taken.every((other) => Math.abs(other - start) >= durationMinutes * MINUTE))
      taken.push(start);
  return taken;
}
