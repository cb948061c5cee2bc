import { DAY_MINUTES } from '../../engine/time/dates.ts';
import type { Box, DateSpan, Move, Reading, Refused, Wanted } from '../../engine/wish/reading.ts';
import { type Calendar, isReachable } from '../calendar.ts';
import { met } from './places.ts';

const [NEAR, NOON, EARLIEST] = [60, 720, 540];
const IS_MORNING = /\b0\d|\d ?am\b|morning|lunch|first|start|early/i;
const hasHours = (box: Box) => box.clock !== undefined;
const hasDays = (box: Box) => (box.dates ?? box.weekdays) !== undefined;
const isSame = (a: Box, b: Box) => JSON.stringify([a.dates, a.weekdays]) === JSON.stringify([b.dates, b.weekdays]);
const isOpen = ({ dates }: Box) => dates?.some(({ first, last }) => first === undefined || last === undefined) ?? false;

/** Adds what a part says. Hours after a day, or a day after hours, narrow what was asked for before. */
export function add(reading: Reading, part: Partial<Reading>, joint: string): void {
  const { wanted = [], refused = [], moves = [], standing = [], soon } = part;
  const isNarrower = wanted.length > 0 && reading.wanted.length > 0 && !/^(?:or|otherwise)$/.test(joint);
  reading.wanted = (isNarrower ? narrowed(reading.wanted, wanted) : undefined) ?? [
    ...reading.wanted.filter((old) => hasHours(old) || !wanted.some((now) => hasHours(now) && isSame(old, now))),
    ...wanted,
  ];
  reading.refused.push(...refused);
  reading.moves.push(...moves);
  reading.standing.push(...standing);
  reading.soon ??= soon;
}

/** Returns what was asked for before, as narrowed by what is asked for now, or undefined if both stand beside each other. */
function narrowed(earlier: readonly Wanted[], wanted: readonly Wanted[]): Wanted[] | undefined {
  const late = wanted.map((now) => inLaterHalf(now, earlier));
  if (late.every((now) => now !== undefined)) return narrowed(earlier, late);
  const pairs = (pair: (old: Wanted, now: Wanted) => Box) =>
    earlier.flatMap((old) => wanted.map((now) => ({ ...now, ...pair(old, now), quote: joined(old.quote, now.quote) })));
  const all = [...earlier, ...wanted];
  const isWithin = earlier.every((box) => (hasHours(box) ? wanted.every((now) => holds(box, now)) : hasDays(box)));
  if (!wanted.some(hasDays) && isWithin) return pairs(({ dates, weekdays }, { clock }) => ({ dates, weekdays, clock }));
  if (!wanted.some(hasHours) && !earlier.some(hasDays)) return pairs(({ clock }) => ({ clock }));
  if (all.some(hasHours) || !all.some(isOpen) || all.some(({ weekdays }) => weekdays)) return undefined;
  const both = pairs((old, now) => ({ dates: meeting(old.dates, now.dates) })).filter(({ dates }) => dates?.length);
  return both.length > 0 ? both : undefined;
}

/** Returns the hours of "say 8" twelve hours later if only those lie in the hours asked for before: "in the evening". */
function inLaterHalf(now: Wanted, earlier: readonly Wanted[]): Wanted | undefined {
  const { clock, aim, quote } = now;
  if (clock === undefined || hasDays(now) || IS_MORNING.test(quote) || earlier.some((old) => holds(old, now))) return;
  const late = { ...now, clock: { from: clock.from + NOON, to: clock.to + NOON }, ...(aim && { aim: aim + NOON }) };
  return earlier.every((old) => holds(old, late)) ? late : undefined;
}

const holds = ({ clock: outer }: Box, { clock: inner }: Box): boolean =>
  inner !== undefined && outer !== undefined && outer.from <= inner.from && inner.to <= outer.to;

function meeting(one: readonly DateSpan[] = [], other: readonly DateSpan[] = []): DateSpan[] {
  const all = one.flatMap((a) => other.map((b) => met(a, b)));
  return all.filter(({ first, last }) => first === undefined || last === undefined || first <= last);
}

const joined = (one: string, other: string) => (one === other ? one : `${one} … ${other}`);

/** A refusal with the weekday by which its date was named. */
export type SaidRefused = Refused & { named?: number };

/** Says which kinds of words a text has that were not understood. */
export interface Doubts {
  /** True if a part of the text that speaks of time was not understood. */
  isAny: boolean;
  /** True if that part asks for something. */
  lacksWish: boolean;
  /** True if it asks for hours. */
  lacksHours: boolean;
}

/** Takes back what contradicts itself, and what may be half of what the person said. */
export function settle(reading: Reading, doubts: Doubts, calendar: Calendar): void {
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
  // The present time is nothing to ask for, and the present day is none beside another.
  const movesDay = reading.moves.some(({ what }) => what === 'day');
  reading.wanted = reading.wanted.filter((box) => {
    const isOld = isOldDay(box) || !hasDays(box);
    return !(isOld && isOldHour(box)) && !(movesDay && isOldDay(box) && !hasHours(box));
  });
  const isWide = ({ first, last }: DateSpan) => first === undefined || last === undefined || last - first > 2;
  const weeks = reading.wanted.filter(({ dates }) => dates?.some(isWide)).flatMap(({ dates = [] }) => dates);
  const asksFor = reading.refused.some(({ said }) => said);
  reading.refused = reading.refused.map((box: SaidRefused) => {
    const { named, ...refused } = box;
    const isElsewhere = named !== undefined && weeks.length > 0 && meeting(weeks, refused.dates).length === 0;
    return isElsewhere ? { ...refused, dates: undefined, weekdays: [named] } : refused;
  });
  // Who asks for later hours rules out no earlier ones: "later, I can't before seven" is from 19:00 on.
  const isLater = reading.moves.some(({ direction }) => direction === 'later');
  reading.refused = reading.refused.map((box) => {
    const { from = 1, to = 0 } = box.clock ?? {};
    const isEvening = isLater && from === 0 && to < Math.min(EARLIEST, oldMinute) && oldMinute < to + NOON;
    return isEvening && !IS_MORNING.test(box.quote) ? { ...box, clock: { from, to: to + NOON } } : box;
  });
  // People do not rule out the times that they ask for.
  const isInside = (box: Box) => (now: Box) => holds(box, now) && (!hasDays(now) || isSame(box, now));
  const isAsked = (box: Refused) => !box.said && reading.wanted.length > 0 && reading.wanted.every(isInside(box));
  takeBack('refused', isAsked);
  const key = ({ dates, weekdays, clock }: Box) => JSON.stringify([dates, weekdays, clock]);
  const refused = new Set(reading.refused.map(key));
  const clashing = new Set(reading.wanted.map(key).filter((one) => refused.has(one)));
  takeBack('wanted', (box) => clashing.has(key(box)));
  takeBack('refused', (box) => clashing.has(key(box)));
  const hasMoves = reading.moves.length > 0 || reading.soon !== undefined;
  const { wanted } = reading;
  // The right day at a wrong hour helps nobody, hours may belong to a day that was not understood, the present day alone
  // is no wish, and "anything else this week" depends on all that was said before.
  const isHalf =
    (doubts.lacksHours && !wanted.some(hasHours)) ||
    (doubts.isAny && !wanted.some(hasDays)) ||
    (doubts.isAny && !hasMoves && wanted.every((box) => isOldDay(box) && !hasHours(box))) ||
    (reading.unread.length > 0 && wanted.some(({ quote }) => /\b(?:else|other|rest|apart|otherwise)\b/i.test(quote)));
  if (isHalf) takeBack('wanted');
  if (reading.wanted.length > 0 || hasMoves || reading.refused.length === 0) return;
  // Nobody moves a meeting out of the way of something at another time, so there is more to it than was understood.
  const isInTheWay = ({ dates, weekdays, clock = { from: 0, to: DAY_MINUTES } }: Box) => {
    const isDay = dates?.some(({ first = oldDay, last = oldDay }) => first <= oldDay && oldDay <= last) ?? true;
    const isNear = clock.from < oldMinute + durationMinutes + NEAR && oldMinute < clock.to + NEAR;
    return weekdays !== undefined || (isDay && isNear);
  };
  if (doubts.isAny || doubts.lacksWish || !(asksFor || reading.refused.some(isInTheWay))) {
    takeBack('refused');
    reading.standing = [];
  }
}
