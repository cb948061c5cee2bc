import { formatDate, WEEKDAYS, weekdayIndex } from '../../scheduling/dates.ts';
import type { Wish } from '../../scheduling/wish.ts';
import { type Calendar, mondayOf } from '../text/calendar.ts';
import { type Asker, calendarOf, instantAt } from './asker.ts';
import type { Heard } from './hear.ts';

const DAY_END = 24 * 60;
/** A longer span of wanted days is told by its ends. */
const MOST_DAYS = 14;
const CLEARLY = 120;

/** The wish in what was heard. */
export function wishOf(heard: Heard, asker: Asker): Wish {
  const calendar = calendarOf(asker);
  const { timeZone, oldStart } = asker;
  const days = wantedDays(heard);
  const long = heard.days.filter(({ first, last }) => last - first >= MOST_DAYS);
  const firstDay = greatest(heard.firstDay, ...long.map(({ first }) => first));
  const lastDay = least(heard.lastDay, ...long.map(({ last }) => last));
  const clock = clockOf(heard);
  const isBefore = (day: number | undefined) => day !== undefined && day < calendar.oldDay;
  const isSooner = heard.soon !== undefined || isBefore(lastDay) || isBefore(greatest(...days));
  const latest =
    heard.soon === 'sooner' && days.length === 0
      ? oldStart
      : lastDay === undefined
        ? undefined
        : instantAt(timeZone, lastDay + 1, 0);
  const allowed = { days, firstDay, lastDay };
  return compact({
    earliest: firstDay === undefined ? undefined : instantAt(timeZone, firstDay, 0),
    latest,
    dates: orNone(days.map(formatDate)),
    datesUnwanted: orNone(listDays(heard.daysUnwanted).map(formatDate)),
    weekdaysWanted: orNone(weekdayNames(heard.weekdays)),
    weekdaysUnwanted: orNone(weekdayNames(heard.weekdaysUnwanted)),
    ...clock,
    relative: heard.relative,
    shiftMinutes: heard.relative === undefined || heard.isLoose ? undefined : heard.by,
    sooner: isSooner || undefined,
    notBeforeOldStart: heard.moreTime || undefined,
    closeness: heard.soon === undefined ? nearOf(heard, asker, calendar, clock, allowed) : 'soonest',
  });
}

/** The wanted days one by one; a weekday named beside a whole week is that week's. */
function wantedDays(heard: Heard): number[] {
  const short = heard.days.filter(({ first, last }) => last - first < MOST_DAYS);
  const weeks = short.filter(({ first, last }) => last - first >= 4);
  const named = short.filter(({ isNamed }) => isNamed);
  if (weeks.length === 0 || named.length === 0) return listDays(short);
  return listDays(weeks).filter((day) => named.some(({ first }) => weekdayIndex(first) === weekdayIndex(day)));
}

function listDays(spans: { first: number; last: number }[]): number[] {
  const days = spans.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
  return [...new Set(days)].sort((a, b) => a - b);
}

function clockOf({ clockFrom, clockTo, clocks, clocksUnwanted }: Heard) {
  const points = new Set(clocks.filter(({ isOfOneDay }) => isOfOneDay).map(({ from }) => from));
  // Two days with an hour each have no hours in common.
  const plain = points.size > 1 ? [] : clocks;
  let from = plain.length === 0 ? clockFrom : Math.max(clockFrom, Math.min(...plain.map((span) => span.from)));
  let to = plain.length === 0 ? clockTo : Math.min(clockTo, Math.max(...plain.map((span) => span.to)));
  let unwanted: { from: number; to: number } | undefined;
  for (const span of clocksUnwanted.sort((a, b) => a.from - b.from)) {
    if (span.from <= from) from = Math.max(from, span.to);
    else if (span.to >= to) to = Math.min(to, span.from);
    else unwanted ??= span;
  }
  if (from >= to) return {};
  return {
    clockFrom: from > 0 ? from : undefined,
    clockTo: to < DAY_END ? to : undefined,
    clockUnwanted: unwanted,
  };
}

/** The old clock time, or the one that was asked for, on the nearest day that the wish allows. */
function nearOf(
  heard: Heard,
  { timeZone, oldStart }: Asker,
  calendar: Calendar,
  clock: { clockFrom?: number | undefined; clockTo?: number | undefined },
  allowed: { days: number[]; firstDay: number | undefined; lastDay: number | undefined },
): Wish['closeness'] {
  const near = instantAt(timeZone, nearDay(heard, calendar, allowed), nearMinute(heard, calendar, clock));
  return near === oldStart ? undefined : { near };
}

function nearMinute(
  heard: Heard,
  { oldMinute, durationMinutes }: Calendar,
  clock: { clockFrom?: number | undefined; clockTo?: number | undefined },
): number {
  const way = heard.relative === undefined ? 0 : heard.relative === 'later' ? 1 : -1;
  const firstPoint = heard.clocks.find(({ isOfOneDay }) => isOfOneDay);
  const aim =
    firstPoint && clock.clockFrom === undefined && clock.clockTo === undefined
      ? firstPoint.from
      : oldMinute + way * (heard.by ?? CLEARLY);
  const { clockFrom = 0, clockTo = DAY_END } = clock;
  return Math.max(clockFrom, Math.min(aim, clockTo - durationMinutes, DAY_END - durationMinutes));
}

function nearDay(
  heard: Heard,
  { today, oldDay }: Calendar,
  { days, firstDay, lastDay }: { days: number[]; firstDay: number | undefined; lastDay: number | undefined },
): number {
  const refused = new Set(listDays(heard.daysUnwanted));
  const isOpen = (day: number) =>
    !refused.has(day) &&
    // Hardly anybody meets on New Year's Day unless they name it.
    (!formatDate(day).endsWith('-01-01') || days.length === 1) &&
    !heard.weekdaysUnwanted.includes(weekdayIndex(day)) &&
    (heard.weekdays.length === 0 || heard.weekdays.includes(weekdayIndex(day)));
  if (days.length > 0) {
    const opened = days.filter(isOpen);
    const working = opened.filter((day) => weekdayIndex(day) < 5);
    const open = days.length >= 5 && weekdayIndex(oldDay) < 5 && working.length > 0 ? working : opened;
    // Of a whole week, the meeting's own weekday.
    const aim = days.length >= 5 ? mondayOf(days[0] ?? oldDay) + weekdayIndex(oldDay) : (days[0] ?? oldDay);
    const isNearer = (a: number, b: number) =>
      Math.abs(a - aim) < Math.abs(b - aim) || (Math.abs(a - aim) === Math.abs(b - aim) && a > b);
    return (open.length > 0 ? open : days).reduce((best, day) => (isNearer(day, best) ? day : best));
  }
  const isWorkDay = weekdayIndex(oldDay) < 5;
  const from = Math.max(
    today,
    Math.min(lastDay ?? Number.POSITIVE_INFINITY, Math.max(firstDay ?? oldDay, oldDay + (heard.moreTime ? 1 : 0))),
  );
  const tried = Array.from({ length: 14 }, (_, i) => from + i);
  return (
    tried.find(
      (day) => isOpen(day) && (day === oldDay || !isWorkDay || weekdayIndex(day) < 5 || heard.weekdays.length > 0),
    ) ?? from
  );
}

const greatest = (...values: (number | undefined)[]) => extreme(Math.max, values);
const least = (...values: (number | undefined)[]) => extreme(Math.min, values);

function extreme(pick: (...values: number[]) => number, values: (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined);
  return given.length === 0 ? undefined : pick(...given);
}

const weekdayNames = (weekdays: number[]) => WEEKDAYS.filter((_, i) => weekdays.includes(i));
const orNone = <T>(list: T[]) => (list.length === 0 ? undefined : list);

/** Without the parts that say nothing. */
const compact = (wish: Wish): Wish => Object.fromEntries(Object.entries(wish).filter(([, part]) => part !== undefined));
