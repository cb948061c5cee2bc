import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fromZonedTime } from 'date-fns-tz';
import { type Weighed, weigh } from '../../lib/engine/rank/merit.ts';
import { COMMON_PARTS, PERSON_PARTS } from '../../lib/engine/rank/parts.ts';
import { DEFAULT_WORK_HOURS } from '../../lib/engine/rules/defaults.ts';
import { candidateStarts } from '../../lib/engine/rules/free-time.ts';
import { holidayPlaceOf, holidaysIn } from '../../lib/engine/rules/holiday-table.ts';
import { DAY, formatDate } from '../../lib/engine/time/dates.ts';
import { localDay } from '../../lib/engine/time/zone.ts';
import type { Search, SearchedPerson, WorkHours } from '../../lib/engine/types.ts';

/**
 * A calendar of two people and two free times, with what two strangers said they would offer: the one who wrote the case,
 * then one who had seen only the case. 1 and 2 are the times, negative if the stranger was unsure. Only cases in which
 * both would offer the same time, and which are clear, are kept.
 */
interface Case {
  /** The time of the question on the first person's clock, as all times of a person are on their own. */
  now: string;
  minutes: number;
  people: { zone: string; hours: string; busy: string }[];
  times: [string, string];
  said: [number, number];
}

/** A case as the engine weighs it, and the time that both strangers would offer. */
interface Choice {
  weighed: Weighed;
  chosen: 0 | 1;
}

const CASES = JSON.parse(readFileSync(new URL('choices.json', import.meta.url), 'utf8')) as Case[];

/** Returns the clear choices: both times are free by the search's rules, and they have the same score. */
function clearChoices(): Choice[] {
  return CASES.flatMap((one) => {
    const search = searchOf(one);
    const zone = search.requester.timeZone;
    const [first, second] = one.times.map((time) => fromZonedTime(time, zone).getTime()) as [number, number];
    const isInOrder = first < second;
    if (![first, second].every((start) => candidateStarts(search).includes(start))) return [];
    const weighed = weigh(search, isInOrder ? [first, second] : [second, first]);
    const chosen = (Math.abs(one.said[0]) === 1) === isInOrder ? 0 : 1;
    return weighed.tiers[0] === weighed.tiers[1] ? [{ weighed, chosen }] : [];
  });
}

function searchOf({ now, minutes, people, times }: Case): Search {
  const [requester, other] = people.map(personOf) as [SearchedPerson, SearchedPerson];
  const at = fromZonedTime(now, requester.timeZone).getTime();
  const first = localDay(requester.timeZone, at);
  const last = Math.max(...times.map((time) => Math.floor(Date.parse(`${time.slice(0, 10)}T00:00Z`) / DAY)));
  const window = { start: formatDate(first), end: formatDate(last), days: last - first + 1 };
  return { requester, other, durationMinutes: minutes, window, now: at };
}

function personOf({ zone, hours, busy }: Case['people'][number], i: number): SearchedPerson {
  const [start = '', end = ''] = hours.split('-');
  const instant = (time: string) => fromZonedTime(time, zone).getTime();
  const spans = busy.split(' ').filter(Boolean);
  return {
    email: i === 0 ? 'ada@example.com' : 'bob@example.com',
    timeZone: zone,
    workHours: Object.fromEntries(
      Object.entries(DEFAULT_WORK_HOURS).map(([day, own]) => [day, { ...own, start, end }]),
    ) as WorkHours,
    focusBlocks: [],
    bufferMinutes: 0,
    maxMeetingsPerDay: 10,
    holidays: holidaysIn(holidayPlaceOf(zone)),
    busy: spans.map((span) => {
      const [from = '', to = ''] = span.split('/');
      return { start: instant(from), end: instant(to.length === 5 ? `${from.slice(0, 11)}${to}` : to) };
    }),
    meetings: [],
  };
}

/** Returns true if the engine would offer the time that both strangers would. */
function isAgreed({ weighed: { meritAt }, chosen }: Choice): boolean {
  return meritAt(chosen) > meritAt(1 - chosen);
}

/** The choices on which the numbers are fitted, and those that only judge them. */
const halves = (all: readonly Choice[]) => ({
  fitted: all.filter((_, i) => i % 2 === 0),
  unseen: all.filter((_, i) => i % 2 === 1),
});

// What `npm test -- stories --choices` prints: how often the engine would offer the time that two strangers would. With
// `--fit` it also prints the numbers that a logistic fit on the one half would give the parts.

const { fit } = parseArgs({ options: { choices: { type: 'boolean' }, fit: { type: 'boolean' } } }).values;
const { fitted, unseen } = halves(clearChoices());
const saidOf = (all: readonly Choice[]) => {
  const agreed = all.filter(isAgreed).length;
  return `${agreed} of ${all.length} (${((100 * agreed) / all.length).toFixed(1)} %)`;
};
console.log(`clear choices that the engine shares, of the half that fitted its numbers: ${saidOf(fitted)}`);
console.log(`of the unseen half: ${saidOf(unseen)}`);
if (fit) for (const [name, number] of fittedNumbers(fitted)) console.log(`${name}: ${number.toFixed(2)}`);
process.exit(unseen.filter(isAgreed).length / unseen.length >= 0.9 ? 0 : 1);

/**
 * Fits the logarithms of the numbers by gradient descent: a choice is the more likely, the higher the merit of the time
 * chosen. The numbers of today pull weakly, so that a part that few cases show keeps its own.
 */
function fittedNumbers(choices: readonly Choice[]): Map<string, number> {
  const [RATE, ROUNDS, PULL, SHARPNESS] = [0.002, 20_000, 1, 6];
  const numbers: [string, number][] = [...PERSON_PARTS.map(({ name, number }): [string, number] => [name, number])];
  for (const name of ['short_notice', 'after_the_night'] as const) numbers.push([name, COMMON_PARTS[name].number]);
  const today = new Map(numbers.map(([name, number]) => [name, Math.log(number)]));
  const logs = new Map(today);
  const gaps = choices.map(({ weighed: { partsAt, products }, chosen }) => {
    const counts = new Map<string, number>();
    let product = 0;
    for (const [i, sign] of [
      [chosen, 1],
      [1 - chosen, -1],
    ] as const) {
      product += sign * Math.log(products[i] ?? 1);
      for (const { name, value } of partsAt(i)) {
        // How much sooner is worth has to leave mid-morning first on two empty calendars, so it is not fitted.
        if (name === 'lead_time') product += sign * Math.log(value);
        else counts.set(name, (counts.get(name) ?? 0) + sign);
      }
    }
    return { counts, product };
  });
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = new Map<string, number>();
    for (const { counts, product } of gaps) {
      let gap = product;
      for (const [name, times] of counts) gap += times * (logs.get(name) ?? 0);
      const miss = SHARPNESS / (1 + Math.exp(SHARPNESS * gap));
      for (const [name, times] of counts) slopes.set(name, (slopes.get(name) ?? 0) + miss * times);
    }
    for (const [name, log] of logs) {
      const slope = (slopes.get(name) ?? 0) - PULL * SHARPNESS * (log - (today.get(name) ?? 0));
      logs.set(name, Math.min(0, log + RATE * slope));
    }
  }
  return new Map([...logs].map(([name, log]) => [name, Math.exp(log)]));
}
