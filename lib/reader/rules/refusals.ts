import { DAY_MINUTES, weekdayIndex } from '../../engine/time/dates.ts';
import type { Box } from '../../engine/wish/reading.ts';
import type { Calendar } from '../text/calendar.ts';
import { refusedHours, WORK_END } from '../text/day-parts.ts';
import { isPlace } from './group.ts';
import type { Part } from './parts.ts';
import type { Progress } from './progress.ts';
import type { Item } from './scan.ts';
import { clockOf } from './spans.ts';
import type { Purpose } from './standing.ts';

const EVENING = 17 * 60;
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

/** Words for where somebody must be at a time. Any other deadline, as in "I have to finish it by 3", says too little. */
const APPOINTED =
  /\b(?:pick|picking|collect|fetch|drop|dropping|get to|be (?:at|in|on|home|back)|school run|nursery run)\b/;

/** Returns true for the deadline of something that the rules do not know: "I have to finish it by 3". */
export const isVagueDeadline = (part: Part): boolean => hasDeadline(part) && !APPOINTED.test(part.words);

/** Returns true for a part that names the latest time for something: "by 3:15". */
const hasDeadline = ({ items }: Part): boolean =>
  items.some(({ mention, bound }) => mention?.kind === 'clock' && bound === 'by');

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
  if (named.dates && until && (part.side === 'refused' || part.before.includes('n')))
    named.dates = named.dates.map(({ first, last }) => ({ first, last: (startOf(until, last) ?? 0) - 1 }));
  // "On leave until January" ends with December, "until the end of the week" takes all of it, and "off until Thursday" may well include Thursday.
  if (
    named.dates &&
    until?.mention?.kind === 'days' &&
    until.mention.first < until.mention.last &&
    !/\bend of\b/.test(until.text) &&
    part.side !== 'refused'
  )
    named.dates = named.dates.map(({ first, last }) => ({ first, last: (startOf(until, last) ?? 0) - 1 }));
  if (!box.clock) return named;
  const isJustAfter = part.items.some(
    ({ bound, text }) => bound === 'after' && /^(?:straight|right|just|shortly) /.test(text),
  );
  if (isJustAfter)
    return { ...named, clock: { from: box.clock.from, to: Math.min(DAY_MINUTES, box.clock.from + 2 * MARGIN) } };
  // "In hospital until Wednesday night" leaves no working hour of that day.
  const isUntilNight = box.clock.from === 0 && part.items.some(({ text }) => /\b(?:evening|night)$/.test(text));
  if (isUntilNight && part.side !== 'refused' && box.clock.to === EVENING)
    return { ...named, clock: { from: 0, to: WORK_END } };
  // "I have to pick up my son by 3:15" keeps somebody busy around that time.
  if (isObstacle && hasDeadline(part))
    return { ...named, clock: { from: box.clock.to - MARGIN, to: Math.min(DAY_MINUTES, box.clock.to + MARGIN) } };
  const whole = refusedHours(box.clock);
  if (whole !== box.clock) return { ...named, clock: whole };
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

/**
 * Lengthens a refused time if the text says that somebody lands or arrives then: by an hour after a landing, for the way
 * through an airport, and by 30 minutes after another arrival.
 */
export function landed(box: Box, { words }: Part, purpose: Purpose): Box {
  if (!box.clock || purpose === 'context') return box;
  const margin = /\b(?:land|touch)/.test(words) ? 2 * MARGIN : /\b(?:arriv|get in)/.test(words) ? MARGIN : 0;
  return { ...box, clock: { ...box.clock, to: Math.min(DAY_MINUTES, box.clock.to + margin) } };
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
    // Somebody who is back on Thursday morning is back on Thursday.
    if (!isPoint && verdict === 'starts' && from === 0 && box.dates)
      return edgeOf(
        { dates: box.dates },
        isNamed,
        { ...part, items: part.items.filter((item) => item !== clock) },
        verdict,
        calendar,
      );
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

/** Words for something that may take the rest of the day. */
const OPEN_END =
  /\b(?:rest of the (?:day|afternoon)|all afternoon|(?:till?|until) (?:(?:it|he|she|they|the)(?:'s| is|'ve| have| gets| has)? )?(?:\w+ )?(?:dark|gone|done|finished|leaves?|leave)|ages|drags?(?:ging)? on|over-?runs?|(?:no idea|not sure|unsure|don'?t know|who knows|knows|can'?t say|no telling) (?:how long|when)|for hours|can'?t leave|numb|wiped out|groggy|sedat\w+|never (?:ends|finishes)|wake (?:after|afterwards))\b/i;

/** Lets a commitment last until the evening if the text says that its end is open: "the vet is here till he's done". */
export function untilEvening({ reading, obstacle, text, purpose }: Progress): void {
  const refused = obstacle && reading.refused[obstacle.box];
  if (purpose !== 'reason' || !refused?.clock || obstacle?.isTimed || reading.wanted.length > 0 || !OPEN_END.test(text))
    return;
  refused.clock = { from: refused.clock.from, to: Math.max(WORK_END, refused.clock.to) };
}
