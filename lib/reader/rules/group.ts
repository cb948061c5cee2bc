import { DAY_MINUTES, mondayOf, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import type { Bound } from '../text/mentions.ts';
import { type Item, isMarked, type Marked } from './scan.ts';
import { both, clockOf, EVENING, hasDays, inEvening, inWeek, spanOf } from './spans.ts';

const PLACES: ReadonlySet<string> = new Set(['days', 'weekdays', 'clock', 'same_time']);

/**
 * Returns true if an item of a clause names a day, a week or a clock time, and not something else such as "two hours".
 */
export const isPlace = (item: Item | undefined): item is Marked => isMarked(item) && PLACES.has(item.mention.kind);

const isDay = ({ mention: { kind } }: Marked) => kind === 'days' || kind === 'weekdays';

/**
 * The days and hours that a part of a clause names, while the reader still collects them. In "Thursday at 9 or at 11"
 * the draft for 11 takes over Thursday, and `isBorrowed` is true for it.
 */
interface Draft extends Box {
  isBorrowed?: boolean;
  isWeek?: boolean;
  /** True while only the first hour of a span has been read, as after "between 10". */
  isHalf?: boolean;
  /** True if the hours were named before the day: "3pm on Mondays and Wednesdays". */
  isClockFirst?: boolean;
  isNamed?: boolean;
  /** True for days from one weekday to another that the text names without a week: "Monday to Wednesday". */
  isSpan?: boolean;
  /** True for a weekday beside a date that does not fall on it, as in "Monday 1 May" when 1 May is a Friday. */
  isUnclear?: boolean;
  /**
   * A day, as a day number, of the week to which the weekdays belong: in "next week, Tuesday or Wednesday", a day of
   * next week.
   */
  week?: number | undefined;
  /**
   * A limit on one day, such as "before Thursday 10am". Together with the clock time it names the days before Thursday,
   * and Thursday until ten.
   */
  edge?: { bound: Bound; day: number };
}

/**
 * Builds the sets of days and hours that neighboring words of a text name. "Tuesday before noon or Friday after 2"
 * gives two sets, and "Monday or Wednesday afternoon" gives one. A limit always gives the days or hours that it names,
 * even if they are refused: "not before 10" gives the hours before 10.
 */
export function boxesOf(group: readonly Item[], calendar: Calendar): { box: Box; isNamed: boolean; isSpan: boolean }[] {
  const drafts: Draft[] = [];
  let joint: 'or' | 'and' | undefined;
  let isAfterDay = false;
  let isListed = false;
  for (const [i, item] of group.entries()) {
    if (item.tag === ',') isListed = true;
    if (item.tag === 'o') joint = 'or';
    else if (item.tag === '&') joint = 'and';
    if (!isPlace(item)) continue;
    if (isDay(item))
      addDay(
        drafts,
        inOrder(item, drafts.at(-1)),
        sharesHours(group, i, drafts.at(-1))
          ? 'day'
          : (joint ?? (isAfterDay && drafts.at(-1)?.clock ? 'day' : undefined)),
        isListed,
      );
    else addClock(drafts, item, joint, calendar);
    joint = undefined;
    isListed = false;
    isAfterDay = isDay(item);
  }
  // If the second hour of a "between" was not read, or a weekday does not fit its date, the group names no time.
  if (drafts.some(({ isUnclear, isHalf }) => isUnclear || isHalf)) return [];
  return drafts.flatMap((draft) =>
    finished(draft).map((box) => ({
      box,
      isNamed: draft.isNamed === true && !draft.edge,
      isSpan: draft.isSpan === true,
    })),
  );
}

/** Returns true for Wednesday in "3pm on Mondays and Wednesdays", which shares the hours of the day before it. */
function sharesHours(group: readonly Item[], i: number, last: Draft | undefined): boolean {
  const [item, next] = [group[i], group.slice(i + 1).find(isPlace)];
  if (!last?.isClockFirst || !(last.dates ?? last.weekdays) || item?.bound) return false;
  return next?.mention.kind !== 'clock';
}

/**
 * Moves a weekday to the week of the day named before it: in "Monday next week or Wednesday", Wednesday is in next week
 * too.
 */
function inOrder(item: Marked, last: Draft | undefined): Marked {
  const { mention } = item;
  const before = last?.isNamed ? last.dates?.at(-1)?.first : undefined;
  if (mention.kind !== 'days' || mention.weekday === undefined || before === undefined) return item;
  const isEarlier = mention.first < before && before - mention.first < 7 && mention.weekday > weekdayIndex(before);
  return isEarlier ? { ...item, mention: { ...mention, first: mention.first + 7, last: mention.last + 7 } } : item;
}

function addDay(
  drafts: Draft[],
  { mention, bound, text }: Marked,
  joint: 'or' | 'and' | 'day' | undefined,
  isListed: boolean,
): void {
  const last = drafts.at(-1);
  // "12-1 Mon Wed Fri" names one hour of three days.
  if (joint === 'day' && last && mention.kind === 'days' && last.dates) {
    last.dates.push(spanOf(mention, bound));
    return;
  }
  if (joint === 'day' && last && mention.kind === 'weekdays' && last.weekdays) {
    last.weekdays.push(...mention.days);
    return;
  }
  if (mention.kind === 'weekdays') {
    const fits = last !== undefined && last.dates === undefined && last.clock === undefined;
    if (fits) last.weekdays = [...(last.weekdays ?? []), ...mention.days];
    else if (last && joint === undefined && last.weekdays === undefined) {
      last.weekdays = mention.days;
      shareDay(drafts, last);
    } else drafts.push({ weekdays: mention.days });
    return;
  }
  if (mention.kind !== 'days') return;
  const week = drafts.find((draft) => draft.week !== undefined)?.week;
  const isPlain = mention.weekday !== undefined && bound === undefined;
  if (week !== undefined && isPlain && (joint !== undefined || isListed) && last?.clock === undefined && last?.dates) {
    last.dates.push(inWeek({ first: mention.first, last: mention.last }, week));
    return;
  }
  // "Next week after Tuesday" counts from the Tuesday of that week.
  const isOfWeek = last?.isWeek && joint === undefined && bound !== undefined && mention.weekday !== undefined;
  const span = isOfWeek
    ? spanOf(moved(mention, mondayOf(last.dates?.[0]?.first ?? 0) - mondayOf(mention.first)), bound)
    : spanOf(mention, bound);
  const isOneDay = mention.first === mention.last && mention.weekday === undefined && bound === undefined;
  const [named, ...more] = last?.isNamed ? (last.dates ?? []) : [];
  if (isOneDay && named?.first !== undefined && joint === undefined && more.length === 0 && !isListed) {
    // "Tuesday morning, 26 January" names one day twice. If the date is no Tuesday, the day is unclear.
    if (weekdayIndex(named.first) === weekdayIndex(mention.first))
      Object.assign(last ?? {}, { dates: [span], isNamed: false });
    else Object.assign(last ?? {}, { isUnclear: true });
    return;
  }
  if (isOneDay && last?.isNamed && last.clock === undefined && / week$/.test(text))
    last.dates = last.dates?.map((day) => inWeek(day, mention.first));
  const isWeek = mention.last - mention.first >= 4 && bound === undefined;
  const isNamed = mention.weekday !== undefined && bound === undefined;
  const edge = bound && mention.first === mention.last ? { edge: { bound, day: mention.first } } : {};
  const isSpan = mention.isSpan === true;
  if (last === undefined)
    drafts.push({
      dates: [span],
      isWeek: isWeek && !isSpan,
      isNamed,
      isSpan,
      ...edge,
      // "Next week Tuesday or Wednesday" names two days of that week.
      ...(/^next week \S/.test(text) && { week: mention.first }),
    });
  else if (joint === undefined && last.isSpan && isWeek)
    Object.assign(last, { dates: last.dates?.map((one) => inWeek(one, mention.first)), isSpan: false });
  else if (joint === undefined && last.isWeek && isSpan)
    Object.assign(last, { dates: [inWeek(span, last.dates?.[0]?.first ?? 0)], isWeek: false });
  else if (joint === undefined && last.isNamed && isWeek) {
    // "Monday or Wednesday next week" names both days of that week.
    for (const draft of drafts)
      if (draft.isNamed)
        Object.assign(draft, { dates: draft.dates?.map((day) => inWeek(day, mention.first)), isNamed: false });
  } else if (joint === undefined && last.isWeek && isNamed)
    Object.assign(last, {
      dates: [inWeek(span, last.dates?.[0]?.first ?? 0)],
      isWeek: false,
      isNamed: false,
      week: last.dates?.[0]?.first,
    });
  else if (last.dates === undefined && last.weekdays === undefined && joint === undefined) {
    Object.assign(last, { dates: [span], isNamed, isWeek, ...edge });
    shareDay(drafts, last);
  } else if (last.isBorrowed) {
    const isShared = last.dates === undefined && last.weekdays === undefined;
    Object.assign(last, { dates: [span], isBorrowed: false, isNamed });
    if (isShared && joint === undefined) shareDay(drafts, last);
  } else if (last.clock === undefined && bound === undefined && last.edge === undefined && last.dates !== undefined)
    last.dates = [...last.dates, span];
  else if (joint !== 'or' && bound !== undefined && last.clock === undefined && last.dates !== undefined)
    last.dates = last.dates.map((date) => both(date, span));
  else drafts.push({ dates: [span], isWeek, isNamed, ...edge });
}

const moved = ({ first, last }: { first: number; last: number }, by: number) => ({
  first: first + by,
  last: last + by,
});

/**
 * Gives the day of the last time in a list to the hours before it that have no day. In "10 or 4 on Thursday", 10 is on
 * Thursday too.
 */
function shareDay(drafts: Draft[], { dates, weekdays, isNamed, isSpan, isWeek, edge }: Draft): void {
  if (edge === undefined)
    for (const draft of drafts)
      if (draft.clock && !draft.dates && !draft.weekdays)
        Object.assign(draft, { dates, weekdays, isNamed, isSpan, isWeek });
}

function addClock(drafts: Draft[], item: Marked, joint: 'or' | 'and' | undefined, calendar: Calendar): void {
  const last = drafts.at(-1);
  const named = clockOf(item, calendar);
  if (named === undefined) return;
  const clock = (last?.clock?.from ?? 0) >= EVENING ? inEvening(item, named) : named;
  // "Between 10 and half eleven" names both ends of the hours.
  if (last?.isHalf && last.clock && joint === 'and' && clock.from > last.clock.from) {
    Object.assign(last, { clock: { from: last.clock.from, to: clock.from }, isHalf: false });
    return;
  }
  if (last === undefined) drafts.push({ clock, isHalf: item.bound === 'between', isClockFirst: true });
  else if (joint === 'or' && item.bound && last.clock === undefined && hasDays(last)) drafts.push({ clock });
  else if (last.clock === undefined && !(joint === 'or' && last.edge)) {
    Object.assign(last, { clock, isHalf: item.bound === 'between' });
    // "Monday or Wednesday afternoon" gives the afternoon to both days. "All of Thursday, Friday until 1" limits Friday
    // only.
  } else {
    const met =
      last.clock && joint !== 'or'
        ? { from: Math.max(last.clock.from, clock.from), to: Math.min(last.clock.to, clock.to) }
        : clock;
    const isLimit = item.bound !== undefined && joint !== 'or';
    if (isLimit && met.from < met.to) last.clock = met;
    else if (joint === undefined && met.from < met.to) last.clock = met;
    else
      drafts.push({
        dates: last.dates,
        weekdays: last.weekdays,
        isNamed: last.isNamed,
        clock,
        isBorrowed: true,
      } as Draft);
  }
}

/** Largest length in minutes at which named hours count as one clock time. Longer hours are a span. */
const LONGEST_POINT = 60;

/** Turns "before Thursday 10am" into the days before it, and that Thursday until ten. */
function finished({ dates, weekdays, clock, edge }: Draft): Box[] {
  const box: Box = { ...(dates && { dates }), ...(weekdays && { weekdays }), ...(clock && { clock }) };
  if (edge === undefined || clock === undefined) return [box];
  const { bound, day } = edge;
  const on = [{ first: day, last: day }];
  if (bound === 'before' || bound === 'until' || bound === 'by')
    return [
      { dates: [{ last: day - 1 }] },
      ...(clock.from > 0 ? [{ dates: on, clock: { from: 0, to: clock.from } }] : []),
    ];
  // "From the 7th, 9 to 12" names the hours of every day.
  if (bound === 'from' && clock.to < DAY_MINUTES && clock.to - clock.from > LONGEST_POINT)
    return [{ dates: [{ first: day }], clock }];
  if (bound === 'after' || bound === 'from')
    return [{ dates: on, clock: { from: clock.from, to: DAY_MINUTES } }, { dates: [{ first: day + 1 }] }];
  return [box];
}
