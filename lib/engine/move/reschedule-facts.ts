import type { AutoFactor } from '../rank/auto-factors.ts';
import { fairnessOf } from '../rank/fairness.ts';
import type { Avoided, Decided, GivenUp, PickFacts } from '../rank/pick-facts.ts';
import { avoidedFor, costsOf, pickedPeople, placeAmong } from '../rank/pick-reasons.ts';
import { momentAt } from '../rank/ranked.ts';
import { fridayAfternoon } from '../rank/score.ts';
import { withoutWishes } from '../rank/taste.ts';
import { candidateStarts, mergeStarts } from '../rules/candidates.ts';
import { ALL_RULES } from '../rules/free-time.ts';
import { searchedIn } from '../rules/searched.ts';
import { type Cause, causesOf } from '../rules/why-empty.ts';
import { MINUTE } from '../time/dates.ts';
import { weekdayOf } from '../time/moment.ts';
import type { Wish } from '../wish/wish.ts';
import { type AskedPart, HOURS, wishedInstants } from '../wish/wish-parts.ts';
import { leftAside, openedAtAnyHour, openedFor } from './own-settings.ts';
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
 * Returns the reasons for picking a meeting's new time: what the time meets of the person's request, what it misses and
 * why, and its drawbacks.
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
  const opened = leftAside(search, { start, end });
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
    searched: searchedIn(search),
    people: pickedPeople(search, start),
    context: search.context,
    wish,
    decided: [
      ...met.map(({ part }): Decided => ({ kind: 'wish', part })),
      ...(within === undefined ? placeAmong(search, everywhere, start) : [inRange]),
      ...(within === undefined && isNearest(choices, start, nearTo(search)) ? nearestTo(wish) : []),
    ],
    avoided:
      opened.length > 0
        ? []
        : [...avoidedFor(search, factors, start, unasked), ...fridayAvoided(search, start, unasked)],
    givenUp: [
      ...missed.map((part) =>
        missedPart(openedFor(search, { wish }) ?? search, choices, parts, part, missed.length === 1),
      ),
      ...shiftMissed(openedAtAnyHour(search) ?? search, everywhere),
      ...costsOf(withoutOld(search), factors, start).filter(
        (cost) =>
          !(
            opened.length > 0 &&
            (cost.kind === 'outside_day' || cost.kind === 'edge_of_day') &&
            cost.email === search.askedBy
          ),
      ),
    ],
    ...(opened.length > 0 &&
      search.askedBy !== undefined && { leftAside: { email: search.askedBy, settings: opened } }),
    fairness: fairnessOf(
      search,
      start,
      equals.map((choice) => choice.start),
    ),
  };
}

/**
 * Returns the fact that the picked time avoids a Friday afternoon (from 14:00 on). Two conditions must hold. Without
 * the other ranking rules, the request and the distance alone would have led to a Friday afternoon. And the picked time
 * does not start on a Friday at 12:00 or later.
 */
function fridayAvoided(search: RescheduleSearch, start: number, unasked: number): Avoided[] {
  const isFriday = (at: number) => fridayAfternoon.holds(momentAt(search, at));
  const { requester, other } = momentAt(search, start);
  const isAfterNoon = [requester, other].some((wall) => weekdayOf(wall) === 'friday' && wall.startMinute >= 12 * 60);
  return isFriday(unasked) && !isAfterNoon ? [{ kind: 'friday_afternoon' }] : [];
}

const inRange: Decided = { kind: 'in_range' };

/**
 * Returns the reason that no free time is nearer to the time asked for, or to the old time if none was asked for.
 * Returns no reason if the person asks for the soonest time, or only rules times out.
 */
function nearestTo(wish: Wish): Decided[] {
  if (wish.closeness === 'soonest' || wish.unasked) return [];
  if (wish.closeness === undefined) return [{ kind: 'nearest', to: 'old_time' }];
  return ASKS_FOR.some((part) => wish[part] !== undefined) ? [{ kind: 'nearest', to: 'asked_time' }] : [];
}

/**
 * Kinds of demands in a person's request for a new time that ask for certain times, such as dates. The other kinds only
 * rule times out.
 */
const ASKS_FOR = ['dates', 'weekdaysWanted', 'earliest', 'latest', 'clockFrom', 'clockTo', 'relative'] as const;

/**
 * Returns the instant to which a moved meeting should stay close: the time that the person asked for, or else the
 * meeting's old start.
 */
const nearTo = ({ wish: { closeness }, old }: RescheduleSearch): number =>
  typeof closeness === 'object' ? closeness.near : old.start;

/**
 * Returns true if the picked start is the nearest to the time asked for, among the starts that miss no more of the
 * person's request. It must be the nearest by two measures: by date and clock time, as the ranking counts, and by the
 * hours in between, as a reader of the sentence counts.
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
 * Explains why the picked time misses one demand of a person's request, such as "Tuesday". The reason is either the
 * other demands of the request, or the two people's rules that leave no common time for this demand. If the time misses
 * no other demand, the rules that leave no time for the whole request are given too. The earliest and latest clock time
 * asked for count as one demand.
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
    const because = isOnlyOne ? becauseOf({ ...search, only: wishedInstants(parts) }) : [];
    return { kind: 'wish', part, why: 'other_parts', ...(because.length > 0 && { because }) };
  }
  return { kind: 'wish', part, why: 'no_common_time', because: becauseOf({ ...search, only: wishedInstants(whole) }) };
}

/** Returns the rules that leave no time, or the first day to which the meeting may move if only that is in the way. */
function becauseOf(search: RescheduleSearch): Cause[] {
  const isFloor = search.notBefore !== undefined && candidateStarts({ ...search, notBefore: undefined }).length > 0;
  const causes = causesOf(search);
  return isFloor && causes.length > 0 ? [{ email: null, rule: 'floor' }] : causes;
}

/**
 * Returns the drawback that the meeting could not move by exactly the number of minutes asked for. Returns an empty
 * list if it could, or if the wish also asks for another change of time.
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
