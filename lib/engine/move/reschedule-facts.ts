import type { AutoFactor } from '../rank/auto-factors.ts';
import { fairnessOf } from '../rank/fairness.ts';
import type { Decided, Drawback, PickFacts } from '../rank/pick-facts.ts';
import { againstOf, avoidedFor } from '../rank/pick-reasons.ts';
import { pickInOrder } from '../rank/spread.ts';
import { withoutWishes } from '../rank/taste.ts';
import { timeFacts } from '../rank/time-facts.ts';
import { candidateStarts, mergeStarts } from '../rules/candidates.ts';
import { ALL_RULES } from '../rules/free-time.ts';
import { type Cause, causesOf } from '../rules/why-empty.ts';
import { MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import type { Wish } from '../wish/wish.ts';
import { type AskedPart, HOURS, wishedInstants } from '../wish/wish-parts.ts';
import { leftAside, openedAtAnyHour, openedFor } from './own-settings.ts';
import {
  type Alternative,
  askedTime,
  bestFor,
  type Choices,
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
  choices: Choices,
  i: number,
): PickFacts {
  const { requester, other, askerTimeZone, durationMinutes, within } = search;
  const start = edgeAt(choices.starts, i);
  const end = start + durationMinutes * MINUTE;
  const time = askedTime(askerTimeZone, { start, end });
  const { wish, parts } = bestFor(alternatives, time);
  const missed = parts.filter(({ missedBy }) => missedBy(time) > 0);
  const met = parts.filter((part) => !missed.includes(part));
  const everywhere = mergeStarts(candidateStarts({ ...search, notBefore: undefined }), [...choices.starts]);
  const opened = leftAside(search, { start, end });
  const open = candidateStarts(search, { ...ALL_RULES, focusBlocks: false, standingRules: false });
  const unwishing = {
    ...search,
    requester: withoutWishes(requester),
    other: withoutWishes(other),
    wish: { ...search.wish, pause: undefined },
  };
  const unasked = weighChoices(withoutOld(unwishing), alternatives, [], open);
  const instead = edgeAt(open, pickInOrder(unasked, 0, 1)[0] ?? 0) || start;
  return {
    ...timeFacts(search, { starts: everywhere, around: choices.around })(everywhere.indexOf(start)),
    context: search.context,
    wish,
    decided: [
      ...met.map(({ part }): Decided => ({ kind: 'wish', part })),
      ...(within === undefined ? [] : [{ kind: 'in_range' } as const]),
      ...(within === undefined && isNearest(choices, i, nearTo(search)) ? nearestTo(wish) : []),
    ],
    avoided: opened.length > 0 ? [] : avoidedFor(search, factors, start, instead),
    drawbacks: [
      ...missed.map((part) =>
        missedPart(openedFor(search, { wish }) ?? search, choices.starts, parts, part, missed.length === 1),
      ),
      ...shiftMissed(openedAtAnyHour(search) ?? search, everywhere),
      ...againstOf(withoutOld(search), factors, start),
    ],
    ...(opened.length > 0 &&
      search.askedBy !== undefined && { leftAside: { email: search.askedBy, settings: opened } }),
    fairness: fairnessOf(search, choices, i),
  };
}

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
function isNearest({ starts, bends, away }: Choices, i: number, near: number): boolean {
  const hoursOf = (j: number) => away(j).days * 24 + away(j).hours;
  const distance = (j: number) => Math.abs(edgeAt(starts, j) - near);
  return starts.every(
    (_, j) =>
      edgeAt(bends, j) > edgeAt(bends, i) + SAME || (hoursOf(j) >= hoursOf(i) - SAME && distance(j) >= distance(i)),
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
  starts: readonly number[],
  parts: readonly AskedPart[],
  asked: AskedPart,
  isOnlyOne: boolean,
): Drawback {
  const { askerTimeZone, durationMinutes } = search;
  const { part } = asked;
  const whole = HOURS.has(part) ? parts.filter((one) => HOURS.has(one.part)) : [asked];
  const meetsIt = (start: number) => {
    const time = askedTime(askerTimeZone, { start, end: start + durationMinutes * MINUTE });
    return whole.every(({ missedBy }) => missedBy(time) === 0);
  };
  if (starts.some(meetsIt)) {
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
function shiftMissed(search: RescheduleSearch, starts: readonly number[]): Drawback[] {
  const { old, wish } = search;
  const only = shiftedTime(search);
  const [near = 0] = only ?? [];
  const { shiftMinutes: minutes } = wish;
  if (only === undefined || minutes === undefined || starts.includes(near)) return [];
  if (near - old.start !== minutes * MINUTE * (wish.relative === 'later' ? 1 : -1)) return [];
  return [{ kind: 'shift', minutes, because: causesOf({ ...search, only }) }];
}
