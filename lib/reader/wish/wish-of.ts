import {
  DAY_MINUTES,
  formatDate,
  MINUTE,
  mondayOf,
  parseDate,
  WEEKDAYS,
  weekdayIndex,
} from '../../engine/time/dates.ts';
import { instantAt, localDay, offsetAt, startOfDay } from '../../engine/time/zone.ts';
import type { DateSpan, Move, Reading, Refused, Wanted } from '../../engine/wish/reading.ts';
import type { RefusedHours, Wish, WishedBox } from '../../engine/wish/wish-parts.ts';
import type { Calendar } from '../calendar.ts';

/** The text is read on their clock. `now` is the time of writing. All times are in epoch ms. */
export interface Asker {
  timeZone: string;
  now: number;
  oldStart: number;
  oldEnd: number;
}

export function calendarOf({ timeZone, now, oldStart, oldEnd }: Asker): Calendar {
  const minuteOf = (at: number) => Math.floor((at + offsetAt(timeZone, at)) / MINUTE) % DAY_MINUTES;
  return {
    today: localDay(timeZone, now),
    minute: minuteOf(now),
    oldDay: localDay(timeZone, oldStart),
    oldMinute: minuteOf(oldStart),
    durationMinutes: Math.ceil((oldEnd - oldStart) / MINUTE),
    timeZone,
  };
}

/** The length in days above which one span of wanted days is kept as its first and last day, not as a list of days. */
const MOST_DAYS = 14;
const VAGUE = /\b(?:too|so|that|very) (?:early|late)\b/i;
const ANY_HOUR = /\b(?:any ?time|any hour|whenever|all day)\b/i;
const [POINT, NEAR] = [90, 60];

export function wishOf(reading: Reading, asker: Asker): Wish {
  const calendar = calendarOf(asker);
  const [first, ...others] = reading.wanted.map((box) => boxOf(box, asker));
  const shift = shiftOf(reading);
  const wish: Wish = { ...first, ...movedBy(reading, shift, asker, calendar, first) };
  if (others.length > 0) wish.or = others;
  // "Could do 5, or else Thursday" is five on the old day.
  const isOfOldDay = first !== undefined && (first.dates ?? first.weekdaysWanted ?? first.earliest) === undefined;
  if (isOfOldDay && others.some((box) => box.isOtherwise && box.dates)) wish.dates ??= [formatDate(calendar.oldDay)];
  for (const box of reading.refused) refuse(wish, box, asker, calendar);
  const boxes = [wish, ...others];
  const isBefore = (box: WishedBox) =>
    box.dates?.every((date) => date < formatDate(calendar.oldDay)) ||
    (box.latest !== undefined && box.latest <= startOfDay(asker.timeZone, calendar.oldDay)) ||
    (box.earliest === undefined && box.latest !== undefined);
  if (reading.soon !== undefined || boxes.some(isBefore) || (shift.days ?? 0) < 0) wish.sooner = true;
  const isUnasked = isOnlyElsewhere(reading, calendar);
  const isAsking = (Object.keys(wish).length > 0 && !isUnasked) || reading.soon !== undefined;
  const isSooner = reading.soon?.when === 'sooner' && reading.wanted.length === 0;
  if (isSooner) wish.latest = asker.oldStart;
  if (reading.soon?.when === 'soonest') wish.closeness = 'soonest';
  else if (isSooner) wish.closeness = { near: soonerThan(calendar, asker) };
  else if (isAsking) wish.closeness = nearOf(wish, shift, asker, calendar, reading.wanted[0]?.aim);
  if (reading.standing.some((rule) => rule.kind === 'buffer' && rule.verdict === 'wanted')) wish.pause = true;
  if (Object.keys(wish).length === 0 || isUnasked) wish.unasked = true;
  return Object.fromEntries(Object.entries(wish).filter(([, part]) => part !== undefined));
}

/** Returns true for words that only rule out times away from the old one, which the person then cannot make either. */
function isOnlyElsewhere({ wanted, refused, moves, soon }: Reading, { oldDay, oldMinute, durationMinutes }: Calendar) {
  const isThere = ({ dates, weekdays, clock = { from: 0, to: DAY_MINUTES } }: Refused) =>
    (dates?.some(({ first = oldDay, last = oldDay }) => first <= oldDay && oldDay <= last) ?? true) &&
    (weekdays?.includes(weekdayIndex(oldDay)) ?? true) &&
    clock.from < oldMinute + durationMinutes + NEAR &&
    oldMinute < clock.to + NEAR;
  return wanted.length + moves.length === 0 && soon === undefined && refused.length > 0 && !refused.some(isThere);
}

function shiftOf({ moves }: Reading) {
  const amountOf = (isAsked: (move: Move) => boolean) => {
    const { by, direction } = moves.find((move) => move.by !== undefined && isAsked(move)) ?? {};
    return by === undefined || direction === 'later' ? by : -by;
  };
  return { days: amountOf(({ what }) => what === 'day'), minutes: amountOf(({ what }) => what !== 'day') };
}

function movedBy(reading: Reading, { days }: Shift, asker: Asker, calendar: Calendar, box?: WishedBox): Wish {
  const [{ moves, wanted }, { timeZone, oldStart }, { today, oldDay }] = [reading, asker, calendar];
  const wish: Wish = {};
  const hasClock = wanted.some(({ clock }) => clock !== undefined && clock.to - clock.from <= POINT);
  for (const { direction, what, by, exactly } of moves) {
    if (what === 'clock') {
      if (hasClock) continue;
      wish.relative ??= direction;
      if (exactly && by !== undefined) wish.shiftMinutes ??= by;
    } else if (box !== undefined || (what === 'day' && by !== undefined)) continue;
    else if (direction === 'later') wish.notBeforeOldStart = true;
    else wish.latest ??= what === 'day' ? startOfDay(timeZone, oldDay) : oldStart;
  }
  if (days !== undefined && box === undefined && oldDay + days >= today) {
    wish.dates = [formatDate(oldDay + days)];
    // A move by days keeps the clock time.
    wish.shiftMinutes ??= 0;
    if (days < 0) wish.latest ??= startOfDay(timeZone, oldDay);
  }
  return wish;
}

function boxOf({ dates, weekdays, clock, aim, quote, isOtherwise }: Wanted, { timeZone }: Asker): WishedBox {
  const box: WishedBox = isOtherwise ? { isOtherwise } : {};
  const [span, ...others] = dates ?? [];
  if (span && others.length === 0 && lengthOf(span) > MOST_DAYS) {
    if (span.first !== undefined) box.earliest = startOfDay(timeZone, span.first);
    if (span.last !== undefined) box.latest = startOfDay(timeZone, span.last + 1);
  } else if (dates) box.dates = listed(dates).map(formatDate);
  if (weekdays) box.weekdaysWanted = namesOf(weekdays);
  if (clock && clock.from > 0) box.clockFrom = clock.from;
  if (clock && clock.to < DAY_MINUTES) box.clockTo = clock.to;
  if (aim !== undefined) box.clockAim = aim;
  if (clock === undefined && ANY_HOUR.test(quote)) box.isAnyHour = true;
  if (clock && VAGUE.test(quote) && !/\d/.test(quote)) box.isClockGuessed = true;
  return box;
}

/** Refused dates without a first or a last day set the wish's earliest or latest time instead. */
function refuse(wish: Wish, { dates, weekdays, clock, said }: Refused, { timeZone }: Asker, { today }: Calendar): void {
  if (clock !== undefined) {
    const spans = dates?.map(({ first = today, last = first + MOST_DAYS }) => ({ first, last }));
    const hours: RefusedHours = { ...clock, said: dates || weekdays ? said : (said ?? 'firmly') };
    if (spans) hours.dates = listed(spans).map(formatDate);
    if (weekdays) hours.weekdays = namesOf(weekdays);
    wish.refused = [...(wish.refused ?? []), hours];
    return;
  }
  if (weekdays) wish.weekdaysUnwanted = [...new Set([...(wish.weekdaysUnwanted ?? []), ...namesOf(weekdays)])];
  for (const { first, last } of dates ?? []) {
    if (first === undefined && last !== undefined)
      wish.earliest = Math.max(wish.earliest ?? 0, startOfDay(timeZone, last + 1));
    else if (last === undefined && first !== undefined)
      wish.latest = Math.min(wish.latest ?? Number.POSITIVE_INFINITY, startOfDay(timeZone, first));
    else {
      const all = [...(wish.datesUnwanted ?? []), ...listed([{ first, last }]).map(formatDate)];
      wish.datesUnwanted = [...new Set(all)].sort();
    }
  }
}

const lengthOf = ({ first, last }: DateSpan) =>
  first === undefined || last === undefined ? Number.POSITIVE_INFINITY : last - first + 1;

function listed(spans: DateSpan[]): number[] {
  const days = spans.flatMap(({ first = 0, last = first }) =>
    Array.from({ length: Math.max(0, Math.min(last - first + 1, 120)) }, (_, i) => first + i),
  );
  return [...new Set(days)].sort((a, b) => a - b);
}

const namesOf = (weekdays: number[]) => WEEKDAYS.filter((_, i) => weekdays.includes(i));

const [CLEARLY, SEARCHED_DAYS, FRIDAY] = [120, 30, 4];

type Shift = ReturnType<typeof shiftOf>;

function nearOf(wish: Wish, shift: Shift, asker: Asker, calendar: Calendar, aim?: number): Wish['closeness'] {
  const day = nearDay(wish, shift, asker, calendar);
  const minute = aim ?? nearMinute(wish, shift, calendar, day === calendar.oldDay);
  const near = instantAt(asker.timeZone, day, minute);
  return near === asker.oldStart ? undefined : { near };
}

/** On its old day a meeting moves by its length at least, unless the text asks for less or rules its old time out. */
function nearMinute(wish: Wish, { minutes }: Shift, calendar: Calendar, isOldDay: boolean): number {
  const { relative, clockFrom = 0, clockTo = DAY_MINUTES, refused = [] } = wish;
  const { oldMinute, durationMinutes } = calendar;
  const way = relative === undefined ? 0 : relative === 'later' ? 1 : -1;
  const isFree = refused.every(({ from, to }) => to <= oldMinute || oldMinute + durationMinutes <= from);
  const least = isOldDay && isFree ? durationMinutes : 0;
  const aim = oldMinute + (minutes ?? (way === 0 ? least : way * CLEARLY));
  return Math.max(clockFrom, Math.min(aim, clockTo - durationMinutes, DAY_MINUTES - durationMinutes));
}

function nearDay(wish: Wish, { days = 0 }: Shift, { timeZone }: Asker, { today, oldDay }: Calendar): number {
  const refused = new Set(wish.datesUnwanted);
  const isWorkDay = weekdayIndex(oldDay) < 5;
  const isOpen = (day: number) =>
    !refused.has(formatDate(day)) &&
    !wish.weekdaysUnwanted?.includes(WEEKDAYS[weekdayIndex(day)] ?? 'monday') &&
    (wish.weekdaysWanted === undefined || wish.weekdaysWanted.includes(WEEKDAYS[weekdayIndex(day)] ?? 'monday')) &&
    // Hardly anybody meets on New Year's Day unless they name it.
    (day === oldDay || !formatDate(day).endsWith('-01-01') || wish.dates?.length === 1);
  const dates = wish.dates?.map((date) => parseDate(date) ?? oldDay);
  if (dates !== undefined && dates.length > 0) return nearestOf(dates, isOpen, oldDay);
  const first = wish.earliest === undefined ? today : localDay(timeZone, wish.earliest);
  const last = wish.latest === undefined ? Number.POSITIVE_INFINITY : localDay(timeZone, wish.latest - 1);
  const from = Math.max(today, Math.min(last, Math.max(first, oldDay + days)));
  const tried = Array.from({ length: SEARCHED_DAYS }, (_, i) => from + i);
  const fits = (day: number) =>
    day === oldDay || !isWorkDay || weekdayIndex(day) < 5 || wish.weekdaysWanted !== undefined;
  return tried.find((day) => day <= last && isOpen(day) && fits(day)) ?? from;
}

/** "Sooner" is the old hour of the next working day, or a clearly earlier hour if the meeting is then or before. */
function soonerThan({ today, oldDay, oldMinute }: Calendar, { timeZone }: Asker): number {
  const day = weekdayIndex(today) < FRIDAY ? today + 1 : mondayOf(today) + 7;
  return instantAt(timeZone, Math.min(day, oldDay), day < oldDay ? oldMinute : Math.max(0, oldMinute - CLEARLY));
}

/** Counts from the first wanted day. Of five or more, the meeting's weekday counts, and a work day stays one. */
function nearestOf(dates: number[], isOpen: (day: number) => boolean, oldDay: number): number {
  const opened = dates.filter(isOpen);
  const working = opened.filter((day) => weekdayIndex(day) < 5);
  const isWeek = dates.length >= 5;
  const open = isWeek && weekdayIndex(oldDay) < 5 && working.length > 0 ? working : opened;
  const aim = isWeek ? mondayOf(dates[0] ?? oldDay) + weekdayIndex(oldDay) : (dates[0] ?? oldDay);
  const isNearer = (a: number, b: number) =>
    Math.abs(a - aim) < Math.abs(b - aim) || (Math.abs(a - aim) === Math.abs(b - aim) && a > b);
  return (open.length > 0 ? open : dates).reduce((best, day) => (isNearer(day, best) ? day : best));
}
