import { DAY_MINUTES, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import { isPlace } from './group.ts';
import type { Part } from './parts.ts';
import type { Item } from './scan.ts';
import { clockOf } from './spans.ts';
import type { Purpose } from './standing.ts';

const NOON = 12 * 60;
const AFTERNOON_END = 17 * 60;
/**
 * End of a refused afternoon, in minutes since midnight. It is 18:00 and not 17:00, because somebody who refuses
 * afternoons will not like a meeting at 17:30 either.
 */
const WORK_END = 18 * 60;
/** The minutes kept free before and after a commitment that the text names at a clock time. */
export const MARGIN = 30;

/**
 * Turns the days or hours before an "until" into those from it on: "Put it off until Thursday" asks for that day or a
 * later one.
 */
export function fromOn(box: Box, { items }: Part): Box {
  if (!items.some(({ bound }) => bound === 'until')) return box;
  if (box.dates === undefined) return box.clock ? { ...box, clock: { from: box.clock.to, to: DAY_MINUTES } } : box;
  return { ...box, dates: box.dates.map(({ last }, i) => ({ first: startOf(items[i], last) })) };
}

const startOf = (item: Item | undefined, last: number | undefined) =>
  item?.mention?.kind === 'days' ? item.mention.first : last;

/**
 * Returns the days and hours that a refusal rules out. A weekday that is named without a week is ruled out in every
 * week.
 */
export function refusedOf(box: Box, isNamed: boolean, part: Part, isObstacle: boolean): Box {
  const until = part.items.find(({ bound }) => bound === 'until');
  const named: Box =
    isNamed && box.dates
      ? { weekdays: box.dates.map(({ first = 0 }) => weekdayIndex(first)) }
      : { ...(box.dates && { dates: box.dates }), ...(box.weekdays && { weekdays: box.weekdays }) };
  if (named.dates && until && part.side === 'refused')
    named.dates = named.dates.map(({ first, last }) => ({ first, last: (startOf(until, last) ?? 0) - 1 }));
  // "On leave until January" ends with December, and "off until Thursday" may well include Thursday.
  if (
    named.dates &&
    until?.mention?.kind === 'days' &&
    until.mention.first < until.mention.last &&
    part.side !== 'refused'
  )
    named.dates = named.dates.map(({ first, last }) => ({ first, last: (startOf(until, last) ?? 0) - 1 }));
  if (!box.clock) return named;
  const isJustAfter = part.items.some(
    ({ bound, text }) => bound === 'after' && /^(?:straight|right|just|shortly) /.test(text),
  );
  if (isJustAfter)
    return { ...named, clock: { from: box.clock.from, to: Math.min(DAY_MINUTES, box.clock.from + 2 * MARGIN) } };
  const isAfternoon = box.clock.from === NOON && box.clock.to === AFTERNOON_END;
  if (isAfternoon) return { ...named, clock: { from: NOON, to: WORK_END } };
  const margin = isObstacle && !part.items.some(({ bound }) => bound && bound !== 'at') ? MARGIN : 0;
  return {
    ...named,
    clock: { from: Math.max(0, box.clock.from - margin), to: Math.min(DAY_MINUTES, box.clock.to + margin) },
  };
}

const BY_AIR = /\b(?:flights?|planes?|ferry)\b/;
const BY_LAND = /\b(?:trains?|bus|buses|coach)\b/;

/**
 * Gives a refused time the length that the text names, or the shortest length of a journey. A flight or ferry takes the
 * two hours before it leaves and the four hours after. A train or bus takes at least two hours from when it leaves.
 */
export function lengthened(refused: Box, { clock }: Box, { items, length, words }: Part): Box {
  const isAt = items.some(
    ({ mention, bound }) =>
      mention?.kind === 'clock' && mention.isPoint && (bound === undefined || bound === 'at' || bound === 'from'),
  );
  if (!isAt || !clock || !refused.clock) return refused;
  const { from, to } = refused.clock;
  const until = (minutes: number) => Math.min(DAY_MINUTES, clock.from + minutes);
  if (length !== undefined) return { ...refused, clock: { from, to: until(length + MARGIN) } };
  if (BY_AIR.test(words)) return { ...refused, clock: { from: Math.max(0, clock.from - 120), to: until(240) } };
  return BY_LAND.test(words) ? { ...refused, clock: { from, to: Math.max(to, until(120)) } } : refused;
}

/** Adds 30 minutes to get off a plane or a train, if the text says that somebody lands or arrives. */
export function landed(box: Box, { words }: Part, purpose: Purpose): Box {
  if (!box.clock || purpose === 'context' || !/\b(?:land|arriv|touch|get in)/.test(words)) return box;
  return { ...box, clock: { ...box.clock, to: Math.min(DAY_MINUTES, box.clock.to + MARGIN) } };
}

/** Returns the hours that the end or start of somebody's day rules out: "I finish at 3", "back on Monday". */
export function edgeOf(
  box: Box,
  isNamed: boolean,
  part: Part,
  verdict: 'leaves' | 'starts',
  calendar: Calendar,
): Box | undefined {
  const clock = part.items.find((item) => isPlace(item) && item.mention.kind === 'clock');
  if (clock && isPlace(clock) && box.clock) {
    const { from } = clockOf({ ...clock, bound: undefined }, calendar) ?? { from: 0 };
    const isPoint = clock.mention.kind === 'clock' && clock.mention.isPoint;
    // "Out from 2 to 4" is an absence.
    if (!isPoint && verdict === 'leaves' && /\d|\bto\b|until/.test(clock.text))
      return refusedOf(box, isNamed, part, false);
    if (!isPoint && verdict === 'leaves')
      return { ...refusedOf({ ...box, clock: { from, to: DAY_MINUTES } }, isNamed, part, false) };
    // "In the office from 10 to 4" is no start.
    if (!isPoint && /\d/.test(clock.text)) return undefined;
    const span = verdict === 'leaves' ? { from, to: DAY_MINUTES } : { from: 0, to: from };
    return span.from < span.to ? refusedOf({ ...box, clock: span }, isNamed, part, false) : undefined;
  }
  const first = box.dates?.[0]?.first;
  // "Off from Wednesday" names no return.
  if (verdict === 'leaves' && part.items.some(({ bound }) => bound === 'from')) return { dates: [{ first }] };
  const last = box.dates?.[0]?.last;
  if (verdict === 'leaves')
    return first !== undefined && last !== undefined && first < last ? refusedOf(box, false, part, false) : undefined;
  const until = part.items.find(({ bound }) => bound === 'until');
  if (until && /^not\b/.test(part.words)) return { dates: [{ last: (startOf(until, last) ?? 0) - 1 }] };
  if (first === undefined) return undefined;
  return { dates: [{ last: ENDS.test(part.words) ? last : first - 1 }] };
}

const ENDS = /\b(?:ends?|finish\w*|over|done|closes)\b/;
