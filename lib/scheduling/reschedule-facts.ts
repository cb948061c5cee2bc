import type { AutoFactor } from './auto-factors.ts';
import { candidateStarts, mergeStarts } from './candidates.ts';
import { MINUTE, WEEKDAYS } from './dates.ts';
import { ALL_RULES } from './person-rules.ts';
import {
  type Avoided,
  avoidedFor,
  costsOf,
  type Decided,
  fairnessOf,
  type GivenUp,
  type PickFacts,
  placeAmong,
} from './pick-facts.ts';
import { momentAt } from './ranked.ts';
import {
  askedTime,
  byCost,
  type Choice,
  type RescheduleSearch,
  SAME,
  shiftedTime,
  weighChoices,
} from './reschedule-choices.ts';
import { fridayAfternoon } from './score.ts';
import { causesOf } from './why-empty.ts';
import type { Wish } from './wish.ts';
import { type AskedPart, HOURS, wishedInstants } from './wish-parts.ts';

/** Why another time was picked: what of the wish it meets, what it misses and why, and what it costs. */
export function rescheduleFacts(
  search: RescheduleSearch,
  parts: readonly AskedPart[],
  factors: readonly AutoFactor[],
  choices: readonly Choice[],
  start: number,
): PickFacts {
  const { requester, other, askerTimeZone, durationMinutes, wish, within } = search;
  const end = start + durationMinutes * MINUTE;
  const time = askedTime(askerTimeZone, { start, end });
  const missed = parts.filter(({ missedBy }) => missedBy(time) > 0);
  const met = parts.filter((part) => !missed.includes(part));
  const everywhere = mergeStarts(
    candidateStarts({ ...search, notBefore: undefined }),
    choices.map((choice) => choice.start),
  );
  const open = candidateStarts(search, { ...ALL_RULES, focusBlocks: false });
  const unasked = weighChoices(search, parts, [], open).sort(byCost(() => 0))[0]?.start ?? start;
  const own = choices.find((choice) => choice.start === start);
  const equals = choices.filter(
    ({ bend, cost }) => own && Math.abs(bend - own.bend) <= SAME && Math.abs(cost - own.cost) <= SAME,
  );
  return {
    start,
    end,
    people: [
      { email: requester.email, timeZone: requester.timeZone },
      { email: other.email, timeZone: other.timeZone },
    ],
    context: search.context,
    decided: [
      ...met.map(({ part }): Decided => ({ kind: 'wish', part })),
      ...(within === undefined ? placeAmong(search, everywhere, start) : [inRange]),
      ...(within === undefined && isNearest(choices, start) && wish.closeness !== 'soonest' ? [nearestTo(wish)] : []),
    ],
    avoided: [...avoidedFor(search, factors, start, unasked), ...fridayAvoided(search, start, unasked)],
    givenUp: [
      ...missed.map((part) => missedPart(search, choices, parts, part)),
      ...shiftMissed(search, everywhere),
      ...costsOf(search, factors, start),
    ],
    fairness: fairnessOf(
      search,
      start,
      equals.map((choice) => choice.start),
    ),
  };
}

/** Nearness alone would have led to late on a Friday afternoon, and this is no Friday afternoon at all. */
function fridayAvoided(search: RescheduleSearch, start: number, unasked: number): Avoided[] {
  const isFriday = (at: number) => fridayAfternoon.holds(momentAt(search, at));
  const { weekday, startMinute } = momentAt(search, start).requester;
  const isAfterNoon = WEEKDAYS[weekday] === 'friday' && startMinute >= 12 * 60;
  return isFriday(unasked) && !isAfterNoon ? [{ kind: 'friday_afternoon' }] : [];
}

const inRange: Decided = { kind: 'in_range' };

const nearestTo = ({ closeness }: Wish): Decided => ({
  kind: 'nearest',
  to: closeness === undefined ? 'old_time' : 'asked_time',
});

/** Whether no start that bends the wish as little is nearer to what was asked for. */
function isNearest(choices: readonly Choice[], start: number): boolean {
  const own = choices.find((choice) => choice.start === start);
  return own !== undefined && choices.every(({ bend, away }) => bend > own.bend + SAME || away >= own.away - SAME);
}

/** Why a part is missed; the two bounds of the hours asked for are one. */
function missedPart(
  search: RescheduleSearch,
  choices: readonly Choice[],
  parts: readonly AskedPart[],
  asked: AskedPart,
): GivenUp {
  const { askerTimeZone, durationMinutes } = search;
  const { part } = asked;
  const whole = HOURS.has(part) ? parts.filter((one) => HOURS.has(one.part)) : [asked];
  const meetsIt = ({ start }: Choice) => {
    const time = askedTime(askerTimeZone, { start, end: start + durationMinutes * MINUTE });
    return whole.every(({ missedBy }) => missedBy(time) === 0);
  };
  if (choices.some(meetsIt)) return { kind: 'wish', part, why: 'other_parts' };
  return { kind: 'wish', part, why: 'no_common_time', because: causesOf({ ...search, only: wishedInstants(whole) }) };
}

/** That it could not move by just as much as was asked for, with nothing else. */
function shiftMissed(search: RescheduleSearch, starts: readonly number[]): GivenUp[] {
  const { old, wish } = search;
  const only = shiftedTime(search);
  const [near = 0] = only ?? [];
  const by = (wish.shiftMinutes ?? 0) * MINUTE * (wish.relative === 'later' ? 1 : -1);
  if (only === undefined || near - old.start !== by || starts.includes(near)) return [];
  return [{ kind: 'shift', because: causesOf({ ...search, only }) }];
}
