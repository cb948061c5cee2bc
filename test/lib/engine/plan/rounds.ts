import fc from 'fast-check';
import type { Planned } from '../../../../lib/engine/plan/plan.ts';
import type { OpenTime, PlannedPair, RoundLimits } from '../../../../lib/engine/plan/round.ts';

const QUARTER = 900_000;
const DAY = 86_400_000;

/** Returns a time on the first of two days: `start` and `length` in quarter hours, both people in one zone. */
export function quarterAt(start: number, length = 2, product = 1, comfort = 0): OpenTime {
  const date = `2029-01-0${1 + Math.floor((start * QUARTER) / DAY)}`;
  return { start: start * QUARTER, end: (start + length) * QUARTER, product, comfort, dates: [date, date] };
}

/** Returns a pair of priority 0 that can meet at the given quarter hours. */
export const pairOf = (reference: string, people: [string, string], ...starts: number[]): PlannedPair => ({
  reference,
  people,
  priority: 0,
  open: starts.map((start) => quarterAt(start)),
});

/** A round as a caller passes it. */
export interface RandomRound {
  pairs: PlannedPair[];
  limits: RoundLimits;
}

const randomTime = fc
  .record({
    start: fc.nat(14),
    day: fc.nat(1),
    length: fc.integer({ min: 1, max: 4 }),
    product: fc.constantFrom(0.5, 1, 1.2),
    comfort: fc.constantFrom(0, 0.3, 0.9),
    laterThere: fc.boolean(),
  })
  .map(({ start, day, length, product, comfort, laterThere }): OpenTime => {
    const time = quarterAt(start + day * 96, length, product, comfort);
    return { ...time, dates: [time.dates[0], laterThere ? `2029-01-0${day + 2}` : time.dates[0]] };
  });

/** Rounds of few people, so that most meetings are in each other's way. */
export const randomRound: fc.Arbitrary<RandomRound> = fc.record({
  pairs: fc
    .array(
      fc.record({
        people: fc.uniqueArray(fc.constantFrom('ada', 'bob', 'cyd', 'dan', 'eve'), { minLength: 2, maxLength: 2 }),
        priority: fc.constantFrom(0, 0, 0, 5, 9),
        open: fc.uniqueArray(randomTime, { maxLength: 5, selector: ({ start, end }) => `${start} ${end}` }),
      }),
      { minLength: 1, maxLength: 10 },
    )
    .map((pairs) =>
      pairs.map(({ people: [one = '', other = ''], ...pair }, index): PlannedPair => {
        return { ...pair, reference: `r${index}`, people: [one, other] };
      }),
    ),
  limits: fc
    .record({
      perPerson: fc.constantFrom(undefined, undefined, 1, 2, 3),
      perDay: fc.constantFrom(undefined, undefined, 1, 2),
      atOnce: fc.constantFrom(undefined, undefined, 1, 2),
      adaOnTheFirst: fc.constantFrom(undefined, 0, 1),
      bobsBuffer: fc.constantFrom(0, QUARTER),
    })
    .map(
      ({ adaOnTheFirst, bobsBuffer, ...limits }): RoundLimits => ({
        ...limits,
        buffers: new Map([['bob', bobsBuffer]]),
        ...(adaOnTheFirst === undefined
          ? {}
          : { dailyLimits: new Map([['ada', new Map([['2029-01-01', adaOnTheFirst]])]]) }),
      }),
    ),
});

/** Returns a sentence for each rule that a plan breaks. It shares no code with the planner. */
export function breaches({ pairs, limits }: RandomRound, placed: ReadonlyMap<string, OpenTime>): string[] {
  const found: string[] = [];
  const meetings = [...placed].map(([reference, time]) => {
    const pair = pairs.find((one) => one.reference === reference);
    if (pair === undefined) throw new Error(`${reference} is not in the round`);
    if (!pair.open.some((open) => JSON.stringify(open) === JSON.stringify(time)))
      found.push(`${reference} is placed at a time that is not open`);
    return { reference, time, pair };
  });
  for (const person of new Set(pairs.flatMap((pair) => pair.people))) {
    const own = meetings.filter(({ pair }) => pair.people.includes(person));
    const buffer = limits.buffers?.get(person) ?? 0;
    own.forEach((one, index) => {
      for (const other of own.slice(index + 1))
        if (one.time.start < other.time.end + buffer && other.time.start < one.time.end + buffer)
          found.push(`${one.reference} and ${other.reference} are too close for ${person}`);
    });
    if (own.length > (limits.perPerson ?? own.length)) found.push(`${person} has too many meetings`);
    const dates = own.map(({ pair, time }) => time.dates[pair.people[0] === person ? 0 : 1]);
    for (const date of new Set(dates)) {
      const count = dates.filter((one) => one === date).length;
      const own = limits.dailyLimits?.get(person)?.get(date);
      if (count > (limits.perDay ?? count) || count > (own ?? count)) found.push(`${person} has too many on ${date}`);
    }
  }
  for (const { time } of meetings) {
    const there = meetings.filter((other) => other.time.start <= time.start && time.start < other.time.end);
    if (there.length > (limits.atOnce ?? there.length)) found.push('too many meetings at once');
  }
  return found;
}

/** Returns the most pairs that any plan can place, by trying all plans. */
export function mostPlaced(round: RandomRound): number {
  const search = (index: number, placed: ReadonlyMap<string, OpenTime>): number => {
    const pair = round.pairs[index];
    if (pair === undefined) return placed.size;
    const counts = pair.open.flatMap((time) => {
      const next = new Map(placed).set(pair.reference, time);
      return breaches(round, next).length === 0 ? [search(index + 1, next)] : [];
    });
    return Math.max(search(index + 1, placed), ...counts);
  };
  return search(0, new Map());
}

/** Returns where the pairs of a plan start, in quarter hours. */
export const startsOf = ({ placed }: Planned): Record<string, number> =>
  Object.fromEntries([...placed].map(([reference, { start }]) => [reference, start / QUARTER]));
