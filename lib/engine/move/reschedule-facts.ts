import type { AutoFactor } from '../rank/auto-factors.ts';
import {
  type Avoided,
  avoidedFor,
  costsOf,
  type Decided,
  fairnessOf,
  type GivenUp,
  type PickFacts,
  placeAmong,
} from '../rank/pick-facts.ts';
import { momentAt } from '../rank/ranked.ts';
import { fridayAfternoon } from '../rank/score.ts';
import { withoutWishes } from '../rank/taste.ts';
import { candidateStarts, mergeStarts } from '../rules/candidates.ts';
import { ALL_RULES } from '../rules/free-time.ts';
import { causesOf } from '../rules/why-empty.ts';
import { MINUTE } from '../time/dates.ts';
import { weekdayOf } from '../time/moment.ts';
import type { Wish } from '../wish/wish.ts';
import { type AskedPart, HOURS, wishedInstants } from '../wish/wish-parts.ts';
import {
  type Alternative,
  askedTime,
  bestFor,
  byCost,
  type Choice,
  type RescheduleSearch,
  SAME,
  shiftedTime,
  weighChoices,
  withoutOld,
} from './reschedule-choices.ts';

/**
 * Returns the reasons for picking a meeting's new time: the parts of the rescheduling wish that the time meets, those
 * that it misses and why, and the time's drawbacks.
 */
export function rescheduleFacts(
  search: RescheduleSearch,
  alternatives: readonly Alternative[],
  factors: readonly AutoFactor[],
  choices: readonly Choice[],
  start: number,
): PickFacts {
  const { requester, other, askerTimeZone, durationMinutes, within } = search;
  const end = start + durationMinutes * MINUTE;
  const time = askedTime(askerTimeZone, { start, end });
  const { wish, parts } = bestFor(alternatives, time);
  const missed = parts.filter(({ missedBy }) => missedBy(time) > 0);
  const met = parts.filter((part) => !missed.includes(part));
  const everywhere = mergeStarts(
    candidateStarts({ ...search, notBefore: undefined }),
    choices.map((choice) => choice.start),
  );
  const open = candidateStarts(search, { ...ALL_RULES, focusBlocks: false, standingRules: false });
  const unwishing = {
    ...search,
    requester: withoutWishes(requester),
    other: withoutWishes(other),
    wish: { ...search.wish, pause: undefined },
  };
  const unasked = weighChoices(withoutOld(unwishing), alternatives, [], open).sort(byCost(() => 0))[0]?.start ?? start;
  const own = choices.find((choice) => choice.start === start);
  const equals = choices.filter(
    ({ bend, cost, taste }) =>
      own && taste === own.taste && Math.abs(bend - own.bend) <= SAME && Math.abs(cost - own.cost) <= SAME,
  );
  return {
    start,
    end,
    people: [
      { email: requester.email, timeZone: requester.timeZone },
      { email: other.email, timeZone: other.timeZone },
    ],
    context: search.context,
    wish,
    decided: [
      ...met.map(({ part }): Decided => ({ kind: 'wish', part })),
      ...(within === undefined ? placeAmong(search, everywhere, start) : [inRange]),
      ...(within === undefined && isNearest(choices, start, nearTo(search)) ? nearestTo(wish) : []),
    ],
    avoided: [...avoidedFor(search, factors, start, unasked), ...fridayAvoided(search, start, unasked)],
    givenUp: [
      ...missed.map((part) => missedPart(search, choices, parts, part, missed.length === 1)),
      ...shiftMissed(search, everywhere),
      ...costsOf(withoutOld(search), factors, start),
    ],
    fairness: fairnessOf(
      search,
      start,
      equals.map((choice) => choice.start),
    ),
  };
}

/**
 * Returns the fact that the picked time avoids a Friday afternoon, from 14:00 on. The fact holds if two conditions are
 * met. A ranking by the wish and the nearness alone would have picked a Friday afternoon, and the picked time does not
 * start at 12:00 or later on a Friday.
 */
function fridayAvoided(search: RescheduleSearch, start: number, unasked: number): Avoided[] {
  const isFriday = (at: number) => fridayAfternoon.holds(momentAt(search, at));
  const { requester, other } = momentAt(search, start);
  const isAfterNoon = [requester, other].some((wall) => weekdayOf(wall) === 'friday' && wall.startMinute >= 12 * 60);
  return isFriday(unasked) && !isAfterNoon ? [{ kind: 'friday_afternoon' }] : [];
}

const inRange: Decided = { kind: 'in_range' };

/**
 * Returns the reason that no time is nearer to the old time, or to the time that was asked for. Returns no reason if
 * the wish asks for the soonest time, or if it only rules times out and so asks for no time to be near.
 */
function nearestTo(wish: Wish): Decided[] {
  if (wish.closeness === 'soonest') return [];
  if (wish.closeness === undefined) return [{ kind: 'nearest', to: 'old_time' }];
  return ASKS_FOR.some((part) => wish[part] !== undefined) ? [{ kind: 'nearest', to: 'asked_time' }] : [];
}

/** The parts of a wish that ask for times. The others only rule times out. */
const ASKS_FOR = ['dates', 'weekdaysWanted', 'earliest', 'latest', 'clockFrom', 'clockTo', 'relative'] as const;

/** Returns the time to which the new time should be close. */
const nearTo = ({ wish: { closeness }, old }: RescheduleSearch): number =>
  typeof closeness === 'object' ? closeness.near : old.start;

/**
 * Returns true if no other start that misses no more of the rescheduling wish is nearer to the wanted time. The start
 * must be the nearest by both measures: by date and clock time, which the ranking uses, and by the hours in between,
 * which a reader of the sentence counts.
 */
function isNearest(choices: readonly Choice[], start: number, near: number): boolean {
  const own = choices.find((choice) => choice.start === start);
  const hours = Math.abs(start - near);
  return (
    own !== undefined &&
    choices.every(
      ({ bend, away, ...other }) =>
        bend > own.bend + SAME || (away >= own.away - SAME && Math.abs(other.start - near) >= hours),
    )
  );
}

/**
 * Returns the missed part of the rescheduling wish as a drawback, with the reason why the picked time misses it. If no
 * common time meets the part, the reason is the rules that leave none. Otherwise the reason is the other parts of the
 * wish; if the time misses only this part, the rules that leave no time for the whole wish are given too. The earliest
 * and latest clock time asked for count as one part.
 */
function missedPart(
  search: RescheduleSearch,
  choices: readonly Choice[],
  parts: readonly AskedPart[],
  asked: AskedPart,
  isOnlyOne: boolean,
): GivenUp {
  const { askerTimeZone, durationMinutes } = search;
  const { part } = asked;
  const whole = HOURS.has(part) ? parts.filter((one) => HOURS.has(one.part)) : [asked];
  const meetsIt = ({ start }: Choice) => {
    const time = askedTime(askerTimeZone, { start, end: start + durationMinutes * MINUTE });
    return whole.every(({ missedBy }) => missedBy(time) === 0);
  };
  if (choices.some(meetsIt)) {
    const because = isOnlyOne ? causesOf({ ...search, only: wishedInstants(parts) }) : [];
    return { kind: 'wish', part, why: 'other_parts', ...(because.length > 0 && { because }) };
  }
  return { kind: 'wish', part, why: 'no_common_time', because: causesOf({ ...search, only: wishedInstants(whole) }) };
}

/**
 * Returns the fact that the meeting could not move by exactly the minutes asked for. Returns nothing if the meeting
 * could, or if the wish asks for another change of time too.
 */
function shiftMissed(search: RescheduleSearch, starts: readonly number[]): GivenUp[] {
  const { old, wish } = search;
  const only = shiftedTime(search);
  const [near = 0] = only ?? [];
  const { shiftMinutes: minutes } = wish;
  if (only === undefined || minutes === undefined || starts.includes(near)) return [];
  if (near - old.start !== minutes * MINUTE * (wish.relative === 'later' ? 1 : -1)) return [];
  return [{ kind: 'shift', minutes, because: causesOf({ ...search, only }) }];
}
