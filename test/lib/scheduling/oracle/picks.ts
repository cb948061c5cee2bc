import type { AutoSearch } from '../../../../lib/scheduling/auto-factors.ts';
import { CONTEXTS } from '../../../../lib/scheduling/contexts.ts';
import type { Preferences } from '../../../../lib/scheduling/preferences.ts';
import type { Interval, Person, Weekday } from '../../../../lib/scheduling/types.ts';
import { type Wall, wallAt } from './clock.ts';
import { allowedStarts, intervalsOf } from './rules.ts';
import { factorsOf } from './slots.ts';

// What auto picks by decisions.md, Scheduling, the slow way. Of the engine it takes two columns of the table of contexts, which
// no other page has.

const MINUTE = 60_000;
const HOUR = 60;
const WEEKDAYS: Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
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

export interface OraclePick {
  start: number;
  /** Not rounded. */
  score: number;
}

const partOf = (minute: number) => (minute < 12 * HOUR ? 'morning' : minute < 17 * HOUR ? 'afternoon' : 'evening');
const fitOf = ({ context }: AutoSearch, minute: number) =>
  context === undefined ? 1 : CONTEXTS[context].prefers[partOf(minute)];

function tasteOf({ energyPattern, weights }: Preferences, { minute, weekday }: Omit<Wall, 'date'>): number {
  const part = partOf(minute);
  const energy = ENERGY[energyPattern][['morning', 'afternoon', 'evening'].indexOf(part)] ?? 1;
  return energy * weights.timeOfDay[part] * weights.dayOfWeek[weekday];
}

/** A quarter of an hour is the least that back to back meetings are apart. */
function isBackToBack({ busy, meetings }: Person, start: number, end: number): boolean {
  const near = 15 * MINUTE;
  return [...intervalsOf(busy), ...meetings].some(
    (other) => other.start < other.end && other.start - near < end && start < other.end + near,
  );
}

/** The product without what soon and recency add to it. */
export function timelessProduct(search: AutoSearch, start: number): number {
  const { requester, other, requesterPreferences, otherPreferences, durationMinutes } = search;
  const end = start + durationMinutes * MINUTE;
  let product = 1;
  for (const [name, multiplier] of factorsOf(search, start)) if (name !== 'recency') product *= multiplier;
  const minutes = Array.from({ length: durationMinutes }, (_, i) => wallAt(other.timeZone, start + i * MINUTE).minute);
  if (minutes.some((minute) => Math.floor(minute / HOUR) === 12)) product *= 0.8;
  product *= fitOf(search, wallAt(requester.timeZone, start).minute);
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

/** The best there could be: each quarter hour of a week between 08:00 and 18:00 is tried for either person alone. */
function bestProduct(search: AutoSearch): number {
  const { requesterPreferences, otherPreferences } = search;
  let [requesterBest, otherBest] = [0, 0];
  for (const weekday of WEEKDAYS)
    for (let minute = 8 * HOUR; minute < 18 * HOUR; minute += 15) {
      let product = tasteOf(requesterPreferences, { minute, weekday }) * fitOf(search, minute);
      if (Math.floor(minute / HOUR) === 10) product *= 1.2;
      if (Math.floor(minute / HOUR) === 12) product *= 0.8;
      if (weekday === 'friday' && minute >= 14 * HOUR) product *= 0.7;
      requesterBest = Math.max(requesterBest, product);
      otherBest = Math.max(otherBest, tasteOf(otherPreferences, { minute, weekday }));
    }
  return 1.1 * requesterBest * otherBest;
}

/** Minutes of a meeting outside 08:00-18:00 on a zone's clocks. */
function outside(timeZone: string, { start, end }: Interval): number {
  let minutes = 0;
  for (let at = start; at < end; at += MINUTE) {
    const { minute } = wallAt(timeZone, at);
    if (minute < 8 * HOUR || minute >= 18 * HOUR) minutes++;
  }
  return minutes;
}

/** Minutes that the two have carried in their meetings with each other. */
export function carriedBefore({ requester, other, pairMeetings = [] }: AutoSearch): [number, number] {
  const sum = ({ timeZone }: Person) => pairMeetings.reduce((total, meeting) => total + outside(timeZone, meeting), 0);
  return [sum(requester), sum(other)];
}

/** What decides among equals, first things first: how many bear it, the heavier load, both loads, how far from their days. */
export function burdenOf(search: AutoSearch): (start: number) => number[] {
  const { requester, other, durationMinutes } = search;
  const before = carriedBefore(search);
  const day = 24 * HOUR;
  const reach = ({ timeZone }: Person, start: number) => {
    const { minute } = wallAt(timeZone, start);
    if (minute >= 8 * HOUR && minute + durationMinutes <= 18 * HOUR) return 0;
    const toMorning = (8 * HOUR - minute + day) % day || day;
    const sinceEvening = (minute + durationMinutes - 18 * HOUR + 2 * day) % day || day;
    return Math.min(toMorning, sinceEvening);
  };
  return (start) => {
    const own = [requester, other].map(({ timeZone }) =>
      outside(timeZone, { start, end: start + durationMinutes * MINUTE }),
    );
    const loads = own.map((minutes, i) => minutes + (before[i] ?? 0));
    const sum = (list: number[]) => list.reduce((total, value) => total + value, 0);
    const far = [requester, other].map((person) => reach(person, start));
    return [own.filter((minutes) => minutes > 0).length, Math.max(...loads), sum(loads), sum(far)];
  };
}

/** Compares lists of numbers, the first that differs decides. */
export function compareLists(a: number[], b: number[]): number {
  const place = a.findIndex((value, i) => value !== b[i]);
  return place < 0 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}

/** The at most twenty times that auto tries, in that order. */
export function expectedPicks(search: AutoSearch): OraclePick[] {
  const all = allowedStarts(search);
  const noticed = all.filter((start) => start >= search.now + noticeOf(search));
  const worthOf = (start: number) => {
    if (noticed.length === 0) return start;
    return search.context === 'urgent' ? -start : productOf(search, start);
  };
  const burden = burdenOf(search);
  const choices = (noticed.length === 0 ? all : noticed).map((start) => {
    const { date, minute } = wallAt(search.requester.timeZone, start);
    return { start, date, part: partOf(minute), worth: worthOf(start) };
  });
  const duration = search.durationMinutes * MINUTE;
  const taken: typeof choices = [];
  while (taken.length < 20) {
    const open = choices.filter(({ start }) => taken.every((slot) => Math.abs(slot.start - start) >= duration));
    const most = Math.max(...open.map(({ worth }) => worth));
    const ranked = open
      .filter(({ worth }) => worth >= most - 1e-9)
      .map((choice) => {
        const onDate = taken.filter(({ date }) => date === choice.date).length;
        const inPart = taken.filter(({ part }) => part === choice.part).length;
        return { choice, order: [...burden(choice.start), onDate, inPart, choice.start] };
      })
      .sort((a, b) => compareLists(a.order, b.order));
    if (!ranked[0]) break;
    taken.push(ranked[0].choice);
  }
  const best = bestProduct(search);
  return taken.map(({ start }) => ({ start, score: productOf(search, start) / best }));
}
