import { candidateStarts } from '../rules/free-time.ts';
import { type NoTimes, noTimesIn } from '../rules/no-times.ts';
import { DAY, MINUTE } from '../time/dates.ts';
import { edgeAt } from '../time/intervals.ts';
import { daysAround } from '../time/wall-instants.ts';
import { formatInZone } from '../time/zone.ts';
import type { Search, Slot } from '../types.ts';
import { momentAt, type Weighed, type Weighing, weigh } from './merit.ts';
import { fourPlaces, nearnessAt } from './parts.ts';
import { rulesOf, timelessScoreOf, toScore } from './score.ts';
import { pickSpread } from './spread.ts';
import { rulesAt } from './taste.ts';
import { factsOfStarts, type TimeFacts } from './time-facts.ts';

export const MOST_SLOTS = 5;

/** `facts` is computed when called, because only sentences need it. Without slots, `none` has the reason. */
export interface Found {
  slots: Slot[];
  facts: () => TimeFacts[];
  none?: NoTimes | undefined;
}

/** Returns at most five, best first (schema/DECISIONS.md, "Slot ranking"). */
export const findSlots = (search: Search): Found => found(search, (weighed) => offered(search, weighed));

/** Each is on another date of the requester as far as possible (schema/DECISIONS.md, "Proposals"). */
export const findSpreadSlots = (search: Search, most: number): Found =>
  found(search, (weighed) => pickSpread(weighed, search.durationMinutes * MINUTE, most, { onOtherDates: true }));

function found(search: Search, pick: (weighed: Weighed) => number[]): Found {
  const starts = candidateStarts(search);
  if (starts.length === 0) return { slots: [], facts: () => [], none: noTimesIn(search, bestStart) };
  const weighed = weigh(search, starts);
  return foundOf(search, weighed, pick(weighed));
}

/** Returns at most five slots to offer instead of a start that is not free: the best of those near it that nobody minds. */
export function findSlotsAround(search: Search, start: number, all = candidateStarts(search)): Found {
  const unminded = all.filter((one) => rulesAt(search, one).every(({ verdict }) => verdict === 'prefer'));
  const starts = unminded.length > 0 ? unminded : all;
  const weighed = weigh(search, starts, around(search, start));
  return foundOf(search, weighed, offered(search, weighed), start);
}

/** Nearness replaces lead time. Starts with a lower score than `asked`, such as over lunch, come last. */
function around(search: Search, asked: number): Weighing {
  const moment = momentAt(search, asked);
  const { requester: wanted } = moment;
  const score = toScore(timelessScoreOf(moment));
  return {
    productAt: timelessScoreOf,
    tierAt: (_, product) => Math.min(score, toScore(product)),
    without: new Set(['lead_time']),
    more: ({ start, requester: { day, startMinute } }) => {
      const [days, hours] = [Math.abs(day - wanted.day), Math.abs(startMinute - wanted.startMinute) / 60];
      return [{ name: 'nearness', email: null, value: nearnessAt(days, hours, start < asked) }];
    },
  };
}

export const offered = (search: Search, weighed: Weighed): number[] =>
  pickSpread(weighed, search.durationMinutes * MINUTE, MOST_SLOTS);

export function bestStart(search: Search, starts: readonly number[]): number {
  const [first = 0] = starts;
  const soon = starts.filter((start) => start < first + 7 * DAY);
  const duration = search.durationMinutes * MINUTE;
  const days = daysAround({ start: first, end: first + 7 * DAY + duration });
  const [best = 0] = pickSpread(weigh(search, soon, { days }), duration, 1);
  return edgeAt(soon, best);
}

function foundOf(search: Search, weighed: Weighed, picked: readonly number[], asked?: number): Found {
  return {
    slots: picked.map((i) => slotAt(search, weighed, i)),
    facts: () => picked.map(factsOfStarts(search, weighed, asked)),
  };
}

export function slotAt(search: Search, weighed: Weighed, i: number): Slot {
  const { requester, other, durationMinutes } = search;
  const start = edgeAt(weighed.starts, i);
  const end = start + durationMinutes * MINUTE;
  const startTime = formatInZone(requester.timeZone, start);
  const factors = rulesOf(momentAt(search, start)).map(({ name, multiplier }) => ({ name, multiplier }));
  const product = factors.reduce((all, { multiplier }) => all * multiplier, 1);
  const comfort = weighed.comfortAt(i);
  return {
    start,
    end,
    startTime,
    endTime: formatInZone(requester.timeZone, end),
    score: toScore(product),
    product: fourPlaces(product),
    comfort: fourPlaces(comfort),
    merit: fourPlaces(product * comfort),
    timezone: requester.timeZone,
    factors,
    attendees: [
      { email: requester.email, startTime, timezone: requester.timeZone },
      { email: other.email, startTime: formatInZone(other.timeZone, start), timezone: other.timeZone },
    ],
  };
}
