import type { AutoSearch, Preferences } from '../../../../lib/engine/rank/auto-factors.ts';
import { CONTEXTS } from '../../../../lib/engine/rank/contexts.ts';
import type { Interval, SearchedPerson } from '../../../../lib/engine/types.ts';
import { MINUTE, type Wall, WEEKDAYS, wallAt } from './clock.ts';
import { comfortAt, showsLunch } from './merit.ts';
import { allowedStarts, intervalsOf } from './rules.ts';
import { factorsOf } from './slots.ts';

// Computes what automatic scheduling picks by schema/DECISIONS.md, "Automatic scheduling", in the slow and obvious way.
// It takes only two columns of the table of contexts from the engine, because no other place has them.

const HOUR = 60;
const DAY_OF_NOTICE = [
  'warm_intro',
  'cold_outreach',
  'investor_call',
  'client_demo',
  'interview',
  'sales_call',
  'strategy_session',
];
const ENERGY = {
  flexible: [1, 1, 1],
  morning_person: [1.2, 0.9, 0.7],
  afternoon_person: [0.9, 1.2, 0.9],
  evening_person: [0.7, 0.9, 1.2],
} as const;

const partOf = (minute: number) => (minute < 12 * HOUR ? 'morning' : minute < 17 * HOUR ? 'afternoon' : 'evening');
const fitOf = ({ context }: AutoSearch, minute: number) =>
  context === undefined ? 1 : CONTEXTS[context].prefers[partOf(minute)];

function tasteOf({ energyPattern, weights }: Preferences, { minute, weekday }: Omit<Wall, 'date'>): number {
  const part = partOf(minute);
  const energy = ENERGY[energyPattern][['morning', 'afternoon', 'evening'].indexOf(part)] ?? 1;
  return energy * weights.timeOfDay[part] * weights.dayOfWeek[weekday];
}

/** Returns true for a meeting less than a quarter of an hour from another event. */
function isBackToBack({ busy, meetings }: SearchedPerson, start: number, end: number): boolean {
  const near = 15 * MINUTE;
  return [...intervalsOf(busy), ...meetings].some(
    (other) => other.start < other.end && other.start - near < end && start < other.end + near,
  );
}

/** Returns the product without the factors for how soon the time is. */
export function timelessProduct(search: AutoSearch, start: number): number {
  const { requester, other, requesterPreferences, otherPreferences, durationMinutes } = search;
  const end = start + durationMinutes * MINUTE;
  let product = 1;
  for (const [name, multiplier] of factorsOf(search, start))
    if (name !== 'recency' && name !== 'mid_morning') product *= multiplier;
  // Mid-morning and the context count half for each of the two.
  const isEve = [requester, other].some(({ timeZone }) => /12-(?:24|31)$/.test(wallAt(timeZone, start).date));
  if (isEve) product /= 2;
  for (const { timeZone } of [requester, other]) {
    const { minute } = wallAt(timeZone, start);
    product *= Math.sqrt(fitOf(search, minute) * (Math.floor(minute / HOUR) === 10 ? 1.2 : 1));
  }
  for (const [person, taste] of [
    [requester, requesterPreferences],
    [other, otherPreferences],
  ] as const) {
    product *= tasteOf(taste, wallAt(person.timeZone, start));
    const { bufferImportance } = taste.weights;
    if (bufferImportance > 1 && isBackToBack(person, start, end)) product /= bufferImportance;
  }
  return product;
}

const noticeOf = ({ context }: AutoSearch) =>
  (context === 'urgent' ? 15 : DAY_OF_NOTICE.includes(context ?? '') ? 24 * HOUR : 2 * HOUR) * MINUTE;

function productOf(search: AutoSearch, start: number): number {
  const noticed = search.now + noticeOf(search);
  const ahead = Math.max(0, start - noticed) / (24 * HOUR * MINUTE);
  const soon = search.context === undefined ? 'any' : CONTEXTS[search.context].soon;
  const isRecent = start >= noticed && start - search.now <= 72 * HOUR * MINUTE;
  const wait = soon === 'any' ? 1 : 1 / (1 + (soon === 'first' ? ahead : ahead / 60));
  return timelessProduct(search, start) * (isRecent ? 1.1 : 1) * wait;
}

/**
 * Returns the best possible product, by trying each quarter hour of a week between 08:00 and 18:00 for either person
 * alone.
 */
function bestProduct(search: AutoSearch): number {
  const { requesterPreferences, otherPreferences } = search;
  const bestOf = (taste: Preferences) => {
    const best = { free: 0, fridayAfternoon: 0 };
    for (const weekday of WEEKDAYS)
      for (let minute = 8 * HOUR; minute < 18 * HOUR; minute += 15) {
        const bonus = Math.floor(minute / HOUR) === 10 ? 1.2 : 1;
        const product = tasteOf(taste, { minute, weekday }) * Math.sqrt(fitOf(search, minute) * bonus);
        const kind = weekday === 'friday' && minute >= 14 * HOUR ? 'fridayAfternoon' : 'free';
        if (Math.floor(minute / HOUR) !== 12) best[kind] = Math.max(best[kind], product);
      }
    return best;
  };
  const [one, two] = [bestOf(requesterPreferences), bestOf(otherPreferences)];
  const onFriday = Math.max(
    one.fridayAfternoon * two.free,
    one.free * two.fridayAfternoon,
    one.fridayAfternoon * two.fridayAfternoon,
  );
  return 1.1 * Math.max(one.free * two.free, 0.7 * onFriday);
}

/** Returns the minutes of a meeting outside 08:00-18:00 on a zone's clocks. */
function outside(timeZone: string, { start, end }: Interval): number {
  let minutes = 0;
  for (let at = start; at < end; at += MINUTE) {
    const { minute } = wallAt(timeZone, at);
    if (minute < 8 * HOUR || minute >= 18 * HOUR) minutes++;
  }
  return minutes;
}

/** Returns the minutes outside 08:00-18:00 that each of the two has had in their meetings with each other. */
export function carriedBefore({ requester, other, pairMeetings = [] }: AutoSearch): [number, number] {
  const sum = ({ timeZone }: SearchedPerson) =>
    pairMeetings.reduce((total, meeting) => total + outside(timeZone, meeting), 0);
  return [sum(requester), sum(other)];
}

/** Returns the parts that count only where Tandem chooses: over lunch, and outside the day of whoever has had more of that. */
export const chosenAt = (search: AutoSearch, start: number): number =>
  (isOverLunch(search, start) ? 0.5 : 1) * turnAt(search, start);

const isOverLunch = ({ requester, other, durationMinutes }: AutoSearch, start: number): boolean =>
  [requester, other].some((person) => {
    const minutes = Array.from(
      { length: durationMinutes },
      (_, i) => wallAt(person.timeZone, start + i * MINUTE).minute,
    );
    return minutes.some((minute) => Math.floor(minute / 60) === 12) && !showsLunch(person, start);
  });

function turnAt(search: AutoSearch, start: number): number {
  const [one, two] = carriedBefore(search);
  if (one === two) return 1;
  const { timeZone } = one > two ? search.requester : search.other;
  const [from, to] = [start, start + search.durationMinutes * MINUTE].map((instant) => wallAt(timeZone, instant));
  const isInside =
    from !== undefined && to !== undefined && from.minute >= 480 && to.date === from.date && to.minute <= 1080;
  return isInside ? 1 : 0.5;
}

/** Returns the first twenty times that automatic scheduling tries, in that order. */
export function expectedPicks(search: AutoSearch): { start: number; score: number }[] {
  const all = allowedStarts(search);
  const noticed = all.filter((start) => start >= search.now + noticeOf(search));
  const tierOf = (start: number) => {
    if (noticed.length === 0) return -Math.floor((Math.max(...all) - start) / (30 * MINUTE));
    return search.context === 'urgent' ? -start : 0;
  };
  const choices = (noticed.length === 0 ? all : noticed).map((start) => ({
    start,
    tier: tierOf(start),
    merit: productOf(search, start) * comfortAt(search, start) * chosenAt(search, start),
  }));
  choices.sort((a, b) => {
    if (a.tier !== b.tier) return b.tier - a.tier;
    return Math.abs(a.merit - b.merit) > 1e-9 ? b.merit - a.merit : a.start - b.start;
  });
  const duration = search.durationMinutes * MINUTE;
  const taken: typeof choices = [];
  for (const choice of choices)
    if (taken.length < 20 && taken.every((slot) => Math.abs(slot.start - choice.start) >= duration)) taken.push(choice);
  const best = bestProduct(search);
  return taken.map(({ start }) => ({ start, score: productOf(search, start) / best }));
}
