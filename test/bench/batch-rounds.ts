import { readFileSync } from 'node:fs';
import type { OpenTime, PlannedPair } from '../../lib/engine/plan/round.ts';
import { DAY, HOUR } from '../../lib/engine/time/dates.ts';
import { randomFrom, shuffled } from '../support/fuzz/seeded.ts';

const DAYS = 5;

/** One event of the literature, as `b2b.json` has it. `about` in that file explains the fields. */
export interface Event {
  name: string;
  slots: number;
  first_half_slots: number;
  meetings: [person: number, person: number, session: number][];
  blocked: Record<string, number[]>;
  most_placed: number;
}

export const readEvents = (path: string): Event[] => JSON.parse(readFileSync(path, 'utf8')).instances;

/** Returns an event's meetings as pairs in the given order. All times are equally good and an hour long. */
export function pairsOfEvent({ meetings, slots, first_half_slots, blocked }: Event): PlannedPair[] {
  const all = Array.from({ length: slots }, (_, index) => index + 1);
  return meetings.map(([one, other, session], index) => ({
    reference: numbered('m', index),
    people: [numbered('p', one), numbered('p', other)],
    priority: 0,
    open: all
      .filter((slot) => session === 3 || (session === 1) === slot <= first_half_slots)
      .filter((slot) => ![one, other].some((person) => blocked[person]?.includes(slot)))
      .map((slot) => ({ ...spanAt(slot * HOUR, HOUR), product: 1, comfort: 0 })),
  }));
}

interface Person {
  id: string;
  free: Map<number, { product: number; comfort: number }>;
}

interface Hours {
  /** First and last hour of the day. */
  from: number;
  to: number;
  /** Share of the times that the calendar takes. */
  busy: number;
}

const OFFICE: Hours = { from: 9, to: 17, busy: 0.5 };

/** Population that is generated from a seed. `order` is the order in which its pairs are asked for one by one. */
export interface Week {
  kind: string;
  generate: (seed: number) => PlannedPair[];
}

export const WEEKS: Week[] = [
  { kind: 'stars: 4 mentors with 24 people each', generate: (seed) => stars(randomFrom(seed), 4, 24) },
  { kind: 'everybody in one pair', generate: (seed) => couples(randomFrom(seed), 100) },
  { kind: 'rings of 60 people', generate: (seed) => ring(randomFrom(seed), 60) },
  { kind: 'half have two hours a day', generate: (seed) => twoHours(randomFrom(seed), 24, 84) },
];

/**
 * Returns the round of a night, at quarter hours: 60 mentors with 20 people each, and among everybody as many further
 * pairs as are missing. Everybody is in a pair at least.
 */
export function largeRound(seed: number, people: number, pairs: number): PlannedPair[] {
  const random = randomFrom(seed);
  const everybody = Array.from({ length: people }, (_, i) => personAt(random, numbered('p', i), OFFICE, HOUR / 4));
  const chosen = Array.from({ length: pairs }, (_, i) => {
    if (i < 1_200) return [i % 60, 60 + i] as const;
    const one = 1_260 + (i % (people - 1_260));
    return [one, (one + 1 + Math.floor(random() * (people - 1))) % people] as const;
  });
  return chosen.map(([one, other], i) => pairUp(i, everybody[one], everybody[other], HOUR / 2));
}

export function hubRound(seed: number, pairs: number): PlannedPair[] {
  const random = randomFrom(seed);
  const hub = personAt(random, 'hub', { ...OFFICE, busy: 0.1 }, HOUR / 4);
  return Array.from({ length: pairs }, (_, i) => {
    return pairUp(i, hub, personAt(random, numbered('p', i), { ...OFFICE, busy: 0.6 }, HOUR / 4));
  });
}

function stars(random: () => number, mentors: number, each: number): PlannedPair[] {
  const pairs = Array.from({ length: mentors }, (_, m) => {
    const mentor = personAt(random, `mentor ${m}`, { ...OFFICE, busy: 0.7 });
    return Array.from({ length: each }, (_, i) => [mentor, personAt(random, `${m} ${i}`, { ...OFFICE, busy: 0.8 })]);
  });
  return shuffled(random, pairs.flat()).map(([one, other], i) => pairUp(i, one, other));
}

function couples(random: () => number, count: number): PlannedPair[] {
  const hours = { ...OFFICE, busy: 0.8 };
  return Array.from({ length: count }, (_, i) =>
    pairUp(i, personAt(random, `one ${i}`, hours), personAt(random, `other ${i}`, hours)),
  );
}

function ring(random: () => number, size: number): PlannedPair[] {
  const people = Array.from({ length: size }, (_, i) => personAt(random, numbered('p', i), { ...OFFICE, busy: 0.8 }));
  const pairs = people.map((person, i) => [person, people[(i + 1) % size]] as const);
  return shuffled(random, pairs).map(([one, other], i) => pairUp(i, one, other));
}

function twoHours(random: () => number, size: number, count: number): PlannedPair[] {
  const people = Array.from({ length: size }, (_, i) => {
    const from = 9 + Math.floor(random() * 7);
    return personAt(random, numbered('p', i), i % 2 === 0 ? { from, to: from + 2, busy: 0.3 } : OFFICE);
  });
  const all = people.flatMap((one, i) => people.slice(i + 1).map((other) => [one, other] as const));
  return shuffled(random, all)
    .slice(0, count)
    .map(([one, other], i) => pairUp(i, one, other));
}

function personAt(random: () => number, id: string, { from, to, busy }: Hours, step = HOUR / 2): Person {
  const free: Person['free'] = new Map();
  const liked = from + random() * (to - from);
  for (let day = 0; day < DAYS; day++)
    for (let start = from * HOUR; start < to * HOUR; start += step) {
      if (random() < busy) continue;
      const near = 1 - Math.abs(start / HOUR - liked) / (to - from);
      free.set(day * DAY + start, { product: near > 0.75 ? 1.2 : near > 0.4 ? 1 : 0.8, comfort: random() });
    }
  return { id, free };
}

function pairUp(index: number, one?: Person, other?: Person, duration = HOUR / 2): PlannedPair {
  if (one === undefined || other === undefined) throw new Error('a pair needs two people');
  const open = [...one.free].flatMap(([start, mine]): OpenTime[] => {
    const theirs = other.free.get(start);
    if (theirs === undefined) return [];
    const product = mine.product * theirs.product;
    return [{ ...spanAt(start, duration), product, comfort: Math.min(mine.comfort, theirs.comfort) }];
  });
  return { reference: numbered('m', index), people: [one.id, other.id], priority: 0, open };
}

function spanAt(start: number, duration: number): Pick<OpenTime, 'start' | 'end' | 'dates'> {
  const date = `day ${Math.floor(start / DAY)}`;
  return { start, end: start + duration, dates: [date, date] };
}

const numbered = (letter: string, index: number) => `${letter}${String(index).padStart(4, '0')}`;

/**
 * Returns the most pairs of a round that can meet, where all meetings start on one grid and no limits apply. Rounds in
 * which every pair has a person of its own fall apart into matchings, which are solved exactly. For other rounds it
 * returns an upper bound, which is the optimum if a plan places as many.
 */
export function mostPlaced(pairs: readonly PlannedPair[]): number {
  const degree = degrees(pairs);
  const isStars = pairs.every(({ people }) => people.some((person) => degree.get(person) === 1));
  return isStars ? byMatching(pairs, degree) : upperBound(pairs);
}

/** Returns how many pairs of a person can meet at different times, if only this person counts. */
function matched(pairs: readonly PlannedPair[]): number {
  const holder = new Map<number, PlannedPair>();
  const assign = (pair: PlannedPair, seen: Set<number>): boolean =>
    pair.open.some(({ start }) => {
      if (seen.has(start)) return false;
      seen.add(start);
      const before = holder.get(start);
      if (before !== undefined && !assign(before, seen)) return false;
      holder.set(start, pair);
      return true;
    });
  return pairs.filter((pair) => assign(pair, new Set())).length;
}

function byMatching(pairs: readonly PlannedPair[], degree: ReadonlyMap<string, number>): number {
  const groups = Map.groupBy(pairs, ({ people: [one, other] }) => ((degree.get(one) ?? 0) > 1 ? one : other));
  return [...groups.values()].reduce((sum, group) => sum + matched(group), 0);
}

/** Returns a number of pairs that no plan can exceed: every person alone leaves out as many as a matching shows. */
function upperBound(pairs: readonly PlannedPair[]): number {
  const feasible = pairs.filter(({ open }) => open.length > 0);
  const lacks = [...degrees(feasible).keys()]
    .map((person) => {
      const own = feasible.filter(({ people }) => people.includes(person));
      return { own, lack: own.length - matched(own) };
    })
    .filter(({ lack }) => lack > 0)
    .sort((a, b) => b.lack - a.lack);
  const counted = new Set<PlannedPair>();
  let left = feasible.length;
  for (const { own, lack } of lacks) {
    // A pair of two people who both lack times may be left out for both, so it counts once.
    const shared = own.filter((pair) => counted.has(pair)).length;
    left -= Math.max(0, lack - shared);
    for (const pair of own) counted.add(pair);
  }
  return left;
}

function degrees(pairs: readonly PlannedPair[]): Map<string, number> {
  const count = new Map<string, number>();
  for (const person of pairs.flatMap(({ people }) => people)) count.set(person, (count.get(person) ?? 0) + 1);
  return count;
}
