import { DAY_MINUTES, mondayOf } from '../../engine/time/dates.ts';
import type { Box, ClockSpan, DateSpan } from '../../engine/wish/reading.ts';
import { type Clock, NOON } from './clocks.ts';
import type { Day } from './weeks.ts';

export interface Place extends Box {
  isPoint?: boolean | undefined;
  isAround?: boolean | undefined;
  isGeneral?: boolean | undefined;
  /** The weekday, if the text names the day by it alone and without a bound. */
  weekday?: number | undefined;
  until?: DateSpan | undefined;
  /** The minute at which the person left, for hours at which they are back. */
  since?: number | undefined;
  isBy?: boolean;
}

export type Bound = 'after' | 'before' | 'from' | 'until' | 'by' | 'around' | 'between' | '';

export interface Element {
  day?: Day;
  clock?: Clock;
  bound: Bound;
}

type Said = { days: Element[]; clocks: Element[]; isClockFirst: boolean };
const [SPAN, DAY, HOURS] = [1, 2, 4];
const [RISING, FALLING] = [/^(?:after|from)$/, /^(?:before|until|by)$/];

/**
 * Items of one kind in a list are alternatives. A comma after which the kind changes narrows them all: "next week,
 * Tuesday or Wednesday, in the morning". `joints` are the words between the items.
 */
export function placesOf(listed: Element[][], joints: readonly string[] = []): Place[] | undefined {
  const lists: Element[][][] = [];
  let kinds = 0;
  const shared = withWeeks(listed);
  if (shared === undefined) return undefined;
  for (const [i, segment] of withHalves(shared).entries()) {
    const [joint, list, kind] = [joints[i - 1], lists.at(-1), kindOf(segment)];
    const range = joint === ',' || joint === 'and' ? rangeOf(list?.at(-1) ?? [], segment) : undefined;
    if (list && range) list.splice(-1, 1, range);
    else if (list && (joint !== ',' || (kinds & kind) > 0)) list.push(segment);
    else lists.push([segment]);
    kinds |= kind;
  }
  const of = lists.map((list) => kindOf(list.flat()));
  if (of.some((one, i) => of.some((other, j) => i !== j && (one & other) > 0))) return undefined;
  const made = lists
    .map(filled)
    .reduce((all, list) => all.flatMap((one) => list.map((other) => both(one, other))))
    .map(({ days, clocks, isClockFirst }) => placesIn(days, clocks, isClockFirst, lists.length > 1));
  return made.includes(undefined) ? undefined : made.flatMap((places) => places ?? []);
}

const kindOf = (elements: Element[]): number =>
  elements.reduce((all, { day, bound }) => all | (!day ? HOURS : day.isSpan || bound !== '' ? SPAN : DAY), 0);

const both = (one: Said, other: Said): Said => ({
  days: [...one.days, ...other.days],
  clocks: [...one.clocks, ...other.clocks],
  isClockFirst: one.isClockFirst,
});

/** Two limits that leave something between them are one range: "after the 6th and before the 14th". */
function rangeOf(one: Element[], other: Element[]): Element[] | undefined {
  const range = [...one, ...other];
  const isLimited = ({ day, bound }: Element) => !day || bound !== '';
  const isDayLast = other.every(isLimited) || (one.every(isLimited) && other[0]?.clock !== undefined);
  const limits = isDayLast ? range.filter(isLimited) : range;
  const signOf = ({ bound }: Element) => (RISING.test(bound) ? '>' : FALLING.test(bound) ? '<' : '=');
  if (!/^(?:><|<>)$/.test(limits.map(signOf).join(''))) return undefined;
  if (limits.every(({ day }) => day)) return limits.length === range.length && datesOf(range) ? range : undefined;
  return limits.some(({ day }) => day) || !hoursOf(limits, []) ? undefined : range;
}

/** "Tuesday or Thursday next week" is about one week, and "Friday or Monday next week" may be about two. */
function withWeeks(listed: Element[][]): Element[][] | undefined {
  const weeks = listed.map((own) => own.find(({ day, bound }) => day?.isSpan && bound === ''));
  const isOfWeekday = ({ day, bound }: Element) => day?.weekday !== undefined && bound === '';
  const weekdays = listed.map((own) => own.find(isOfWeekday)?.day?.weekday);
  const at = weeks.findIndex((week, i) => week && weekdays[i] !== undefined);
  const week = weeks[at];
  if (week === undefined || weeks.some((other, i) => i !== at && other)) return listed;
  const isFirst = listed[at]?.[0] === week;
  const isRun = weekdays.slice(1, at + 1).every((day = 7, i) => (weekdays[i] ?? -1) < day);
  if (!isFirst && (!isRun || weekdays.some((day, i) => i > at && day !== undefined))) return undefined;
  return listed.map((own, i) => (weekdays[i] !== undefined && (isFirst ? i > at : i < at) ? [...own, week] : own));
}

/** People say once what counts for both: "Tuesday or Thursday morning", "Thursday at 10 or 11", "9:30 on Thursday or Friday". */
function filled(list: Element[][]): Said[] {
  const parts = list.map((segment) => ({
    days: segment.filter(({ day }) => day),
    clocks: segment.filter(({ clock }) => clock),
    isClockFirst: segment[0]?.clock !== undefined,
  }));
  for (let i = parts.length - 2; i >= 0; i--) {
    const [own, after] = [parts[i], parts[i + 1]];
    if (own === undefined || after === undefined) continue;
    const hasOnlyDays = parts.slice(0, i + 1).every(({ clocks }) => clocks.length === 0);
    if (own.clocks.length === 0 && hasOnlyDays && !after.isClockFirst) own.clocks = after.clocks;
    if (own.days.length === 0 && after.isClockFirst && parts.slice(0, i + 1).every(({ days }) => days.length === 0))
      own.days = after.days;
  }
  for (let i = 1; i < parts.length; i++) {
    const [before, own] = [parts[i - 1], parts[i]];
    if (before === undefined || own === undefined) continue;
    if (own.days.length === 0 && own.clocks.length > 0 && !before.isClockFirst) own.days = before.days;
    if (own.clocks.length === 0 && before.isClockFirst && before.days.length > 0)
      Object.assign(own, { clocks: before.clocks, isClockFirst: true });
  }
  return parts;
}

/** Gives bare hours of a list the half of the day that the hour after them has: "7 or 8 pm", "6 or 7 am". */
function withHalves(segments: Element[][]): Element[][] {
  let after: Clock | undefined;
  return segments
    .toReversed()
    .map((segment) =>
      segment.map((one) => {
        const { clock } = one;
        if (!clock?.isPoint) return one;
        const [halves, to] = [[clock.from % NOON, (clock.from % NOON) + NOON], after?.from ?? 0];
        const from =
          clock.isFixed || !after?.isFixed ? clock.from : (halves.findLast((half) => half <= to) ?? clock.from);
        after = { ...clock, from, to: from, isFixed: clock.isFixed || after?.isFixed };
        return { ...one, clock: after };
      }),
    )
    .toReversed();
}

function placesIn(days: Element[], clocks: Element[], isClockFirst: boolean, isListed: boolean): Place[] | undefined {
  const hours = hoursOf(clocks, days);
  if (hours === null) return undefined;
  const bounded = days.find(({ bound }) => bound !== '');
  const dated = datesOf(days);
  if (dated === null) return undefined;
  const isOfSpan = days.some(({ day }) => day?.isSpan);
  const isHabit = days.some(({ day }) => day?.weekdays && !day.span) || clocks.some(({ clock }) => clock?.isGeneral);
  const isGeneral = isHabit && !isOfSpan;
  const weekday = days.length === 1 && !bounded && !isOfSpan ? days[0]?.day?.weekday : undefined;
  const until = bounded?.bound === 'until' ? bounded.day?.span : undefined;
  const deadline = isListed ? undefined : deadlineOf(days, clocks, isClockFirst);
  if (deadline) return deadline;
  const { isPoint, isAround } = hours ?? {};
  const flags = { until, isGeneral, weekday, isPoint, isAround, isBy: clocks.some(({ bound }) => bound === 'by') };
  if (hours === undefined || hours.isWhole) return [{ ...dated, ...flags }];
  const { clock } = hours;
  if (clock.to <= DAY_MINUTES) return [{ ...dated, clock, ...flags }];
  return [
    { ...dated, clock: { from: clock.from, to: DAY_MINUTES }, ...flags },
    { ...dayAfter(dated), clock: { from: 0, to: clock.to - DAY_MINUTES }, ...flags },
  ];
}

const dayAfter = ({ dates, weekdays }: Box): Box => ({
  ...(dates && { dates: dates.map(({ first = 0, last = 0 }) => ({ first: first + 1, last: last + 1 })) }),
  ...(weekdays && { weekdays: weekdays.map((day) => (day + 1) % 7) }),
});

function deadlineOf(days: Element[], clocks: Element[], isClockFirst: boolean): Place[] | undefined {
  const [day, hours] = [days[0], clocks[0]];
  const { first, last } = day?.day?.span ?? {};
  const clock = hours?.clock;
  if (days.length + clocks.length > 2 || first === undefined || last === undefined || !clock) return undefined;
  const ofClock = day === hours || hours.bound === 'by' ? hours.bound : '';
  const bound = isClockFirst ? ofClock : hours.bound === '' ? day?.bound : '';
  const isStart = clock.isPoint || bound === 'before' || bound === 'from';
  const edge = isStart ? clock.from : clock.to;
  const before: Place[] = edge <= 0 ? [] : [{ dates: [{ first, last: first }], clock: { from: 0, to: edge } }];
  const after = edge >= DAY_MINUTES ? [] : [{ dates: [{ first: last, last }], clock: { from: edge, to: DAY_MINUTES } }];
  if (bound === 'before' || bound === 'until' || bound === 'by') return [{ dates: [{ last: first - 1 }] }, ...before];
  return bound === 'after' || bound === 'from' ? [...after, { dates: [{ first: last + 1 }] }] : undefined;
}

function datesOf(days: Element[]): Pick<Place, 'dates' | 'weekdays'> | null {
  let span: DateSpan | undefined;
  let weekdays: number[] | undefined;
  for (const { day, clock, bound } of days) {
    if (day === undefined) continue;
    if (day.weekdays && !day.span) {
      if (bound !== '' && bound !== 'from') return null;
      weekdays = weekdays ? weekdays.filter((one) => day.weekdays?.includes(one)) : day.weekdays;
      continue;
    }
    const own = boundSpan(day.span ?? {}, clock ? '' : bound, day.isSpan ?? false);
    const wide = span && (span.first === undefined || span.first !== span.last) ? span : undefined;
    if (span === undefined) span = own;
    else if (day.isSpan || wide) {
      const [one, week] = day.isSpan ? [span, own] : [own, span];
      const weekday = days.find(({ day: other }) => other?.weekday !== undefined)?.day?.weekday;
      if (weekday !== undefined && week.first !== undefined && one.first === one.last) {
        const isLong = week.last === undefined || week.last - week.first > 6;
        const found = mondayOf(week.last ?? week.first) + weekday;
        if (isLong) weekdays = [...(weekdays ?? []), weekday];
        span = isLong ? week : { first: found, last: found };
      } else span = met(one, week);
    } else span = met(span, own);
    if (span?.first !== undefined && span.last !== undefined && span.first > span.last) return null;
  }
  return { ...(span && { dates: [span] }), ...(weekdays && { weekdays }) };
}

export const met = (a: DateSpan, b: DateSpan): DateSpan => {
  const first = Math.max(a.first ?? Number.NEGATIVE_INFINITY, b.first ?? Number.NEGATIVE_INFINITY);
  const last = Math.min(a.last ?? Number.POSITIVE_INFINITY, b.last ?? Number.POSITIVE_INFINITY);
  return { ...(Number.isFinite(first) && { first }), ...(Number.isFinite(last) && { last }) };
};

function boundSpan({ first, last }: DateSpan, bound: Bound, isNamed = true): DateSpan {
  if (!isNamed && first !== last && (bound === 'from' || bound === 'between')) return { first, last };
  if (bound === 'after') return { first: (last ?? 0) + 1 };
  if (bound === 'before') return { last: (first ?? 0) - 1 };
  if (bound === 'from') return { first };
  if (bound === 'until' || bound === 'by') return { last };
  return { first, last };
}

/** Returns the hours that clock times name together. Returns undefined for none, and null if they contradict. */
function hoursOf(clocks: Element[], days: Element[]) {
  let all: ClockSpan | undefined = days.find(({ day }) => day?.shade)?.day?.shade;
  let [isPoint, isAround, hasPoint] = [false, false, false];
  // In "half past eight tonight or later" the evening tells the half of the day, and the bound is that of the hour.
  const part = clocks.find(({ clock }) => !clock?.isPoint)?.bound ?? '';
  const isOfHour = /^(?:from|until)$/.test(part) && clocks.some(({ clock, bound }) => clock?.isPoint && bound === '');
  const inOrder = clocks.toSorted((a, b) => Number(a.clock?.isPoint ?? false) - Number(b.clock?.isPoint ?? false));
  for (const { clock, bound: said } of inOrder) {
    const bound = isOfHour ? (clock?.isPoint ? part : '') : said;
    if (clock === undefined) continue;
    let { from, to } = clock;
    if (!clock.isFixed && all && from < NOON && from + NOON >= all.from && (from < all.from || from >= all.to))
      [from, to] = [from + NOON, to + NOON];
    const own = boundClock({ from, to }, bound, clock.isPoint);
    if (clock.isPoint && hasPoint && !RISING.test(bound) && !FALLING.test(bound)) return null;
    hasPoint ||= clock.isPoint;
    isPoint ||= clock.isPoint && (bound === '' || bound === 'around');
    isAround ||= bound === 'around';
    if (all?.from === 0 && bound === 'until' && own.to > all.to) all = own;
    all = all ? { from: Math.max(all.from, own.from), to: Math.min(all.to, own.to) } : own;
    if (all.from > all.to || (all.from === all.to && !isPoint)) return null;
  }
  return all && { clock: all, isPoint, isAround, isWhole: all.from === 0 && all.to === DAY_MINUTES };
}

function boundClock({ from, to }: ClockSpan, bound: Bound, isPoint: boolean): ClockSpan {
  if (bound === 'after') return { from: isPoint ? from : to, to: DAY_MINUTES };
  if (bound === 'from') return { from, to: DAY_MINUTES };
  if (bound === 'before' || bound === 'until' || bound === 'by')
    return { from: 0, to: isPoint || bound === 'before' ? from : to };
  return { from, to };
}
