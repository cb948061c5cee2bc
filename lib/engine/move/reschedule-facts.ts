import type { AutoFactor } from '../rank/auto-factors.ts';
import { fairnessOf } from '../rank/fairness.ts';
import type { Decided, Drawback, PickFacts } from '../rank/pick-facts.ts';
import { againstOf, avoidedFor } from '../rank/pick-reasons.ts';
import { timeFacts } from '../rank/time-facts.ts';
import { candidateStarts, hasCandidate, mergeStarts } from '../rules/candidates.ts';
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

/** Returns what the time meets of the request, what it misses and why, and its drawbacks. */
export function rescheduleFacts(
  search: RescheduleSearch,
  alternatives: readonly Alternative[],
  factors: readonly AutoFactor[],
  choices: Choices,
  i: number,
): PickFacts {
  const { askerTimeZone, durationMinutes, within, wish: wished } = search;
  const start = edgeAt(choices.starts, i);
  const end = start + durationMinutes * MINUTE;
  const time = askedTime(askerTimeZone, { start, end });
  const { wish, parts } = bestFor(alternatives, time);
  const everywhere = mergeStarts(candidateStarts({ ...search, notBefore: undefined }), [...choices.starts]);
  const shift = shiftMissed(openedAtAnyHour(search) ?? search, everywhere);
  const isMissed = ({ missedBy }: AskedPart) => missedBy(time) > 0;
  const met = parts.filter((one) => !isMissed(one));
  // "Half an hour later is not possible" says already that the time is not later.
  const missed = parts.filter((one) => isMissed(one) && !(one.part === 'relative' && shift.length > 0));
  const opened = leftAside(search, { start, end });
  const weighOpen = (unwishing: RescheduleSearch, open: readonly number[]) =>
    weighChoices(withoutOld({ ...unwishing, wish: { ...wished, pause: undefined } }), alternatives, [], open);
  return {
    ...timeFacts(search, { starts: everywhere, around: choices.around })(everywhere.indexOf(start)),
    context: search.context,
    wish,
    decided: [
      ...met.map(({ part }): Decided => ({ kind: 'wish', part })),
      ...(within === undefined ? [] : [{ kind: 'in_range' } as const]),
      ...(within === undefined && isNearest(choices, i, nearTo(search)) ? nearestTo(wish) : []),
    ],
    avoided: opened.length > 0 ? [] : avoidedFor(search, factors, start, weighOpen),
    drawbacks: [
      ...missed.map((part) => missedPart(search, { wish, parts }, choices.starts, part, missed.length === 1)),
      ...shift,
      ...againstOf(withoutOld(search), factors, start),
    ],
    ...(opened.length > 0 &&
      search.askedBy !== undefined && { leftAside: { email: search.askedBy, settings: opened } }),
    fairness: fairnessOf(search, choices, i),
  };
}

/** Returns none if the person asks for the soonest time, or only rules times out. */
function nearestTo(wish: Wish): Decided[] {
  if (wish.closeness === 'soonest' || wish.unasked) return [];
  if (wish.closeness === undefined) return [{ kind: 'nearest', to: 'old_time' }];
  return ASKS_FOR.some((part) => wish[part] !== undefined) ? [{ kind: 'nearest', to: 'asked_time' }] : [];
}

/** The other kinds of demands only rule times out. */
const ASKS_FOR = ['dates', 'weekdaysWanted', 'earliest', 'latest', 'clockFrom', 'clockTo', 'relative'] as const;

/** Returns the time that the person asked for, or else the meeting's old start. */
const nearTo = ({ wish: { closeness }, old }: RescheduleSearch): number =>
  typeof closeness === 'object' ? closeness.near : old.start;

/**
 * Compares starts that miss no more. It must be the nearest by date and clock time, as the ranking counts, and by the
 * hours in between, as a reader counts.
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
 * The cause is the other demands, or the two people's rules that leave no common time for this one. If no other demand
 * is missed, the rules against the whole request are given too. Earliest and latest clock time are one demand.
 * Settings of the person who asks are a cause only if nothing else is.
 */
function missedPart(
  search: RescheduleSearch,
  { wish, parts }: Alternative,
  starts: readonly number[],
  asked: AskedPart,
  isOnlyOne: boolean,
): Drawback {
  const { askerTimeZone, durationMinutes } = search;
  const { part } = asked;
  const opened = openedFor(search, { wish }) ?? search;
  const whole = HOURS.has(part) ? parts.filter((one) => HOURS.has(one.part)) : [asked];
  const meetsIt = (start: number) => {
    const time = askedTime(askerTimeZone, { start, end: start + durationMinutes * MINUTE });
    return whole.every(({ missedBy }) => missedBy(time) === 0);
  };
  const because = (demands: readonly AskedPart[]) => {
    const only = wishedInstants(demands);
    const others = becauseOf({ ...(openedAtAnyHour(search) ?? search), only });
    return others.length > 0 ? others : becauseOf({ ...opened, only });
  };
  if (starts.some(meetsIt) || hasCandidate({ ...opened, only: wishedInstants(whole) })) {
    const causes = isOnlyOne ? because(parts) : [];
    return { kind: 'wish', part, why: 'other_parts', ...(causes.length > 0 && { because: causes }) };
  }
  return { kind: 'wish', part, why: 'no_common_time', because: because(whole) };
}

function becauseOf(search: RescheduleSearch): Cause[] {
  const isFloor = search.notBefore !== undefined && candidateStarts({ ...search, notBefore: undefined }).length > 0;
  const causes = causesOf(search);
  return isFloor && causes.length > 0 ? [{ email: null, rule: 'floor' }] : causes;
}

/** The list is empty if it could move so, or if the wish asks for another change of time too. */
function shiftMissed(search: RescheduleSearch, starts: readonly number[]): Drawback[] {
  const { old, wish } = search;
  const only = shiftedTime(search);
  const [near = 0] = only ?? [];
  const { shiftMinutes: minutes } = wish;
  if (only === undefined || minutes === undefined || starts.includes(near)) return [];
  if (near - old.start !== minutes * MINUTE * (wish.relative === 'later' ? 1 : -1)) return [];
  return [{ kind: 'shift', minutes, because: causesOf({ ...search, only }) }];
}
