import { DAY_MINUTES, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box, ClockSpan, DateSpan, Move, Reading, Refused, Rule, Wanted } from '../../engine/wish/reading.ts';
import { type Calendar, isReachable } from '../calendar.ts';
import { met } from './places.ts';

const [NOON, EARLIEST] = [720, 540];
const ALL_DAY = { from: 0, to: DAY_MINUTES };
const IS_MORNING = /\b0\d|\d ?am\b|morning|lunch|first|start|early/i;
const hasHours = (box: Box) => box.clock !== undefined;
const hasDays = (box: Box) => (box.dates ?? box.weekdays) !== undefined;
const isSame = (a: Box, b: Box) => JSON.stringify([a.dates, a.weekdays]) === JSON.stringify([b.dates, b.weekdays]);
const isWideSpan = ({ first, last }: DateSpan) => first === undefined || last === undefined || last - first > 2;
const isWide = ({ dates }: Box) => dates?.every(isWideSpan) ?? false;
const isOpen = ({ dates }: Box) => dates?.some(({ first, last }) => first === undefined || last === undefined) ?? false;

/** Adds what a part says. Hours after a day, or a day after hours, narrow what was asked for before. */
export function add(reading: Reading, part: Partial<Reading>, joint: string, isOrdered: boolean): void {
  const { wanted = [], refused = [], moves = [], standing = [], soon } = part;
  const isNarrower = wanted.length > 0 && reading.wanted.length > 0 && !/^(?:or|otherwise)$/.test(joint);
  const [now] = wanted;
  const known = Math.max(0, reading.wanted.length - 1);
  // "Thursday afternoon, or Friday but before 11" limits one of the two.
  const limited =
    joint === 'but' && now && !hasDays(now) ? reading.wanted.map((old) => within(old, now) ?? old) : undefined;
  reading.wanted = (isNarrower ? (narrowed(reading.wanted, wanted) ?? limited) : undefined) ?? [
    ...reading.wanted.filter((old) => hasHours(old) || !wanted.some((now) => hasHours(now) && isSame(old, now))),
    ...wanted,
  ];
  if (isOrdered) reading.wanted = reading.wanted.map((one, i) => (i > known ? { ...one, isOtherwise: true } : one));
  reading.refused.push(...refused);
  reading.moves.push(...moves);
  reading.standing.push(...standing);
  reading.soon ??= soon;
}

/** Returns what was asked for before, as narrowed by what is asked for now, or undefined if both stand beside each other. */
function narrowed(earlier: readonly Wanted[], wanted: readonly Wanted[]): Wanted[] | undefined {
  const late = wanted.map((now) => inLaterHalf(now, earlier));
  if (late.every((now) => now !== undefined)) return narrowed(earlier, late);
  const pairs = earlier.flatMap((old) => wanted.map((now) => within(old, now)));
  const both = pairs.flatMap((pair) => (pair && pair.dates?.length !== 0 ? [pair] : []));
  return pairs.includes(undefined) || both.length === 0 ? undefined : both;
}

function within(old: Wanted, given: SaidWanted): SaidWanted | undefined {
  const isNamed = given.named !== undefined && isWide(old) && meeting(old.dates, given.dates).length === 0;
  const now = isNamed ? { ...given, dates: undefined, weekdays: [given.named ?? 0] } : given;
  const hasBothHours = hasHours(old) && hasHours(now);
  const isSpan = isWide(old) && (isOpen(old) || !isOpen(now));
  const isApart =
    old.dates !== undefined && now.dates !== undefined
      ? !isSpan && !isOpen(now)
      : hasDays(old) && hasDays(now) && !isWide(old) && !isWide(now);
  if (isApart || (hasBothHours && !limits(now, old)) || (old.weekdays && now.weekdays)) return undefined;
  const dates = old.dates && now.dates ? meeting(old.dates, now.dates) : (old.dates ?? now.dates);
  const clock = hasBothHours ? overlap(old.clock ?? ALL_DAY, now.clock) : (old.clock ?? now.clock);
  return { ...old, ...now, dates, weekdays: old.weekdays ?? now.weekdays, clock, quote: joined(old.quote, now.quote) };
}

/** Returns the hours of "say 8" twelve hours later if only those lie in the hours asked for before: "in the evening". */
function inLaterHalf(now: Wanted, earlier: readonly Wanted[]): Wanted | undefined {
  const { clock, aim, quote } = now;
  if (clock === undefined || IS_MORNING.test(quote) || earlier.some((old) => holds(old, now))) return;
  const to = Math.min(DAY_MINUTES, clock.to + NOON);
  const late = { ...now, clock: { from: clock.from + NOON, to }, ...(aim && { aim: aim + NOON }) };
  return earlier.every((old) => holds(old, late)) ? late : undefined;
}

const overlap = (a: ClockSpan, b = ALL_DAY) => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) });

const limits = ({ clock }: Box, outer: Box): boolean =>
  holds(outer, { clock }) ||
  (clock !== undefined &&
    (clock.from === 0 || clock.to === DAY_MINUTES) &&
    holds(outer, { clock: overlap(clock, outer.clock) }) &&
    overlap(clock, outer.clock).from < overlap(clock, outer.clock).to);

const holds = ({ clock: outer }: Box, { clock: inner }: Box): boolean =>
  inner !== undefined && outer !== undefined && outer.from <= inner.from && inner.to <= outer.to;

const covers = (outer: Box, inner: Box): boolean =>
  (!hasHours(outer) || holds(outer, inner)) &&
  (isSame(outer, inner) ||
    (!outer.weekdays && inner.dates?.every((span) => outer.dates?.some((other) => isWithin(span, other)))) === true);

const isWithin = (span: DateSpan, { first = span.first, last = span.last }: DateSpan): boolean =>
  (span.first ?? Number.NEGATIVE_INFINITY) >= (first ?? 0) && (span.last ?? Number.POSITIVE_INFINITY) <= (last ?? 0);

function meeting(one: readonly DateSpan[] = [], other: readonly DateSpan[] = []): DateSpan[] {
  const all = one.flatMap((a) => other.map((b) => met(a, b)));
  return all.filter(({ first, last }) => first === undefined || last === undefined || first <= last);
}

const joined = (one: string, other: string) => (one === other ? one : `${one} … ${other}`);

export type SaidWanted = Wanted & { named?: number | undefined };
export type SaidRefused = Refused & { named?: number | undefined };

/** Drops hours of a day that was asked for in other words, and "anything else". */
export function settle(reading: Reading, calendar: Calendar): void {
  const { today, oldDay, oldMinute, durationMinutes } = calendar;
  const isOldDay = ({ dates }: Box) => dates?.length === 1 && dates[0]?.first === oldDay && dates[0].last === oldDay;
  const isOldHour = ({ clock }: Box) => clock?.from === oldMinute && clock.to === oldMinute + durationMinutes;
  const takeBack = (kind: 'wanted' | 'refused', isTaken: (box: Refused) => boolean = () => true) => {
    const quotes = reading[kind].filter(isTaken).map(({ quote }) => quote);
    reading.unread.push(...quotes);
    reading.standing = reading.standing.filter(({ quote }) => !quotes.includes(quote));
    Object.assign(reading, { [kind]: reading[kind].filter((box) => !isTaken(box)) });
  };
  // No meeting can be on a day beyond the horizon, nor before a day that is past.
  const isOut = (span: DateSpan) => !isReachable(calendar, span);
  takeBack('wanted', ({ dates }) => dates?.every(isOut) ?? false);
  const leavesNoDay = ({ first = today, last }: DateSpan) =>
    first <= today && !isReachable(calendar, { first: (last ?? first) + 1 });
  takeBack('refused', ({ dates, clock }) => clock === undefined && (dates?.some(leavesNoDay) ?? false));
  const isTooLate = ({ direction, what, by = 0 }: Move) =>
    what === 'day' && direction === 'later' && isOut({ first: oldDay + by });
  reading.unread.push(...reading.moves.filter(isTooLate).map(({ quote }) => quote));
  reading.moves = reading.moves.filter((move) => !isTooLate(move));
  const movesDay = reading.moves.some(({ what }) => what === 'day');
  reading.wanted = reading.wanted
    .map(({ named, ...box }: SaidWanted) => box)
    .filter((box) => {
      const isOld = isOldDay(box) || (!hasDays(box) && !(movesDay && /\bsame\b/i.test(box.quote)));
      return !(isOld && isOldHour(box)) && !(movesDay && isOldDay(box) && !hasHours(box));
    });
  const asked = reading.wanted.flatMap(({ dates = [] }) => dates);
  // A person who asks for later hours does not rule out earlier ones: "later, I can't before seven" means 19:00.
  const isLater = reading.moves.some(({ direction }) => direction === 'later');
  reading.refused = reading.refused.map(({ named, ...box }: SaidRefused) => {
    const isElsewhere = named !== undefined && asked.some(isWideSpan) && meeting(asked, box.dates).length === 0;
    const { from = 1, to = 0 } = box.clock ?? {};
    const isLate = isLater && from === 0 && to < Math.min(EARLIEST, oldMinute) && oldMinute < to + NOON;
    const clock = isLate && !IS_MORNING.test(box.quote) ? { from, to: to + NOON } : box.clock;
    return { ...box, ...(isElsewhere && { dates: undefined, weekdays: [named] }), ...(clock && { clock }) };
  });
  const isInside = (box: Box) => (now: Box) =>
    (holds(box, now) || (!hasHours(box) && hasDays(now))) && (!hasDays(now) || isSame(box, now));
  const isAsked = (box: Refused) => !box.said && reading.wanted.length > 0 && reading.wanted.every(isInside(box));
  takeBack('refused', isAsked);
  const isDenied = (box: Wanted) => reading.refused.some((other) => covers(other, box));
  if (reading.wanted.some(isDenied)) for (const kind of ['wanted', 'refused'] as const) takeBack(kind);
  const isBare = (box: Box) => isOldDay(box) && !hasHours(box) && !movesDay;
  const isOther = ({ quote }: Refused) => /\b(?:else|other|rest|apart|otherwise)\b/i.test(quote);
  const isUnread = reading.unread.length > 0;
  takeBack('wanted', (box) => isUnread && (isBare(box) || isOther(box)));
  if (reading.wanted.length > 0 || reading.soon !== undefined) return;
  const isVague = ({ exactly }: Move) => isUnread && !exactly;
  reading.unread.push(...reading.moves.filter(isVague).map(({ quote }) => quote));
  reading.moves = reading.moves.filter((move) => !isVague(move));
}

const WHOLE_DAY: ClockSpan = { from: 0, to: DAY_MINUTES };

export function rulesAgainst(boxes: readonly Box[], quote: string, isSoft: boolean): Rule[] {
  const verdict = isSoft ? 'rather_not' : 'never';
  return boxes.flatMap((box) => timesOf(box) ?? []).map((one) => ({ kind: 'times', verdict, ...one, quote }));
}

/** Wanted times are preferred. `isOnly` rules out all others, and with `isWithin` only those of the same days. */
export function rulesFor(boxes: readonly Box[], isOnly: boolean, quote: string, isWithin = false): Rule[] {
  const times = boxes.flatMap((box) => timesOf(box) ?? []);
  if (!isOnly) return times.map((one) => ({ kind: 'times', verdict: 'prefer', ...one, quote }));
  if (times.length === 0) return [];
  const daysWith = new Map<string, number[]>([['[]', []]]);
  for (let day = 0; day < 7; day++) {
    const open = times.flatMap(({ weekdays, clock = WHOLE_DAY }) =>
      (weekdays?.includes(day) ?? true) ? [[clock.from, clock.to]] : [],
    );
    const hours = JSON.stringify(open.sort(([a = 0], [b = 0]) => a - b));
    daysWith.set(hours, [...(daysWith.get(hours) ?? []), day]);
  }
  return [...daysWith].flatMap(([hours, days]) => {
    const on = days.length < 7 ? { weekdays: days } : {};
    if (hours === '[]') return days.length === 0 || isWithin ? [] : [{ kind: 'times', verdict: 'never', ...on, quote }];
    let from = 0;
    return [...JSON.parse(hours), [DAY_MINUTES, DAY_MINUTES]].flatMap(([start, end]): Rule[] => {
      const clock = { from, to: start };
      from = Math.max(from, end);
      return clock.from < clock.to ? [{ kind: 'times', verdict: 'never', ...on, clock, quote }] : [];
    });
  });
}

/** The dates of a span of less than a week count as their weekdays. Returns undefined for a longer or open span. */
function timesOf({ dates, weekdays, clock }: Box): { weekdays?: number[]; clock?: ClockSpan } | undefined {
  const named = dates?.map(({ first = 0, last = Number.POSITIVE_INFINITY }) =>
    last - first < 6 ? Array.from({ length: last - first + 1 }, (_, i) => weekdayIndex(first + i)) : undefined,
  );
  if (named?.includes(undefined)) return undefined;
  const all = weekdays ?? named?.flatMap((days) => days ?? []);
  return { ...(all && { weekdays: [...new Set(all)].sort((a, b) => a - b) }), ...(clock && { clock }) };
}
