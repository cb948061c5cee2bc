import { at, type Round, type RoundPair, type Span } from './round.ts';

/** Stands for a pair to which the plan gives no time yet. */
export const UNPLACED = -1;

/** Says quickly which of a pair's times are open. Each slice of work builds it anew from the chosen times alone. */
export class Board {
  readonly round: Round;
  /** For each pair, the index of its chosen time in the pair's list of times, or `UNPLACED`. */
  readonly placed: number[];
  /** For each person, the indexes of the pairs that the person is in, with or without a chosen time. */
  readonly pairsOf: readonly (readonly number[])[];
  /** The placed pairs of each person, sorted, so that the order in which they were placed leaves no trace. */
  private readonly placedOf: number[][];
  /** Start and end of each placed pair's meeting, for speed. */
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  private readonly onDate: Int32Array;
  /** True if somebody takes no meeting on some date, even before anything is placed. */
  private readonly hasClosedDates: boolean;
  private readonly orders = new Map<number, number[]>();
  /** The meetings of a person in order of time, built when they are needed. */
  private readonly calendars: (Span[] | undefined)[];

  constructor(round: Round, placed: readonly number[]) {
    this.round = round;
    this.placed = round.pairs.map(() => UNPLACED);
    this.from = new Float64Array(round.pairs.length);
    this.to = new Float64Array(round.pairs.length);
    this.hasClosedDates = round.dayLimits.some((limits) => limits.some((limit) => limit !== null && limit <= 0));
    const pairsOf: number[][] = round.people.map(() => []);
    round.pairs.forEach((pair, index) => {
      for (const person of new Set(pair.people)) at(pairsOf, person).push(index);
    });
    this.pairsOf = pairsOf;
    this.placedOf = round.people.map(() => []);
    this.calendars = round.people.map(() => undefined);
    this.onDate = new Int32Array(round.people.length * round.dates.length);
    placed.forEach((time, pair) => {
      if (time !== UNPLACED) this.put(pair, time);
    });
  }

  pair(index: number): RoundPair {
    return at(this.round.pairs, index);
  }

  /** The caller has made sure that the time is open for both people. */
  put(pair: number, time: number): void {
    const { people, dates, starts, ends } = this.pair(pair);
    this.placed[pair] = time;
    this.from[pair] = at(starts, time);
    this.to[pair] = at(ends, time);
    for (const side of [0, 1] as const) {
      insert(at(this.placedOf, people[side]), pair);
      this.calendars[people[side]] = undefined;
      this.count(people[side], at(dates[side], time), 1);
    }
  }

  /** Takes a pair's chosen time away, so that it is open again, and returns the time. */
  take(pair: number): number {
    const time = at(this.placed, pair);
    const { people, dates } = this.pair(pair);
    this.placed[pair] = UNPLACED;
    for (const side of [0, 1] as const) {
      const own = at(this.placedOf, people[side]);
      own.splice(own.indexOf(pair), 1);
      this.calendars[people[side]] = undefined;
      this.count(people[side], at(dates[side], time), -1);
    }
    return time;
  }

  /** Returns true if a person can have no further meeting, wherever the others are placed. */
  isFull(person: number): boolean {
    return at(this.placedOf, person).length >= at(this.round.most, person);
  }

  /** Returns the open times of an unplaced pair, in order of time. */
  openTimes(pair: number): readonly number[] {
    const { people, dates, starts, ends } = this.pair(pair);
    const times = this.timesOf(pair);
    if (people.some((person) => this.isFull(person))) return [];
    const areFree = people.every((person) => at(this.placedOf, person).length === 0);
    if (areFree && !this.hasClosedDates) return times;
    const open: number[] = [];
    for (const time of times) {
      const [start, end] = [at(starts, time), at(ends, time)];
      if (this.isDateFull(people[0], at(dates[0], time)) || this.isDateFull(people[1], at(dates[1], time))) continue;
      if (!this.isBusy(people[0], start, end) && !this.isBusy(people[1], start, end)) open.push(time);
    }
    return open;
  }

  openBeside(placed: number, pair: number, times: readonly number[]): readonly number[] {
    const { people } = this.pair(pair);
    if (this.isFull(people[0]) || this.isFull(people[1])) return [];
    return this.openOf(placed, pair, 1, this.openOf(placed, pair, 0, times));
  }

  /** At least one of these pairs must go first. Empty if nothing that goes could help, undefined if it is open. */
  obstacle(pair: number, time: number): readonly number[] | undefined {
    const { people, dates, starts, ends } = this.pair(pair);
    const [start, end] = [at(starts, time), at(ends, time)];
    if (people.some((person) => this.isFull(person))) return [];
    for (const person of people) {
      const other = this.inTheWay(person, start, end);
      if (other !== undefined) return [other];
    }
    for (const side of [0, 1] as const) {
      const [person, date] = [people[side], at(dates[side], time)];
      if (this.isDateFull(person, date)) return this.meetingsOn(person, date);
    }
    return undefined;
  }

  /** Returns all times of a pair, open or not: best product first, then best comfort, then the earlier start. */
  bestFirst(pair: number): readonly number[] {
    const known = this.orders.get(pair);
    if (known !== undefined) return known;
    const { products, comforts } = this.pair(pair);
    const order = this.timesOf(pair);
    order.sort((a, b) => at(products, b) - at(products, a) || at(comforts, b) - at(comforts, a) || a - b);
    this.orders.set(pair, order);
    return order;
  }

  restore(placed: readonly number[]): void {
    const moved = placed.flatMap((time, pair) => (time === at(this.placed, pair) ? [] : [{ pair, time }]));
    for (const { pair } of moved) if (at(this.placed, pair) !== UNPLACED) this.take(pair);
    for (const { pair, time } of moved) if (time !== UNPLACED) this.put(pair, time);
  }

  /** Returns a placed pair whose meeting a person cannot have beside another: they overlap, or the buffer is too short. */
  private inTheWay(person: number, start: number, end: number): number | undefined {
    const own = at(this.placedOf, person);
    const buffer = at(this.round.buffers, person);
    for (let i = 0; i < own.length; i++) {
      const other = at(own, i);
      if (start < at(this.to, other) + buffer && at(this.from, other) < end + buffer) return other;
    }
    return undefined;
  }

  private isBusy(person: number, start: number, end: number): boolean {
    const calendar = this.calendarOf(person);
    const buffer = at(this.round.buffers, person);
    // Meetings of one person never overlap, so those that end before the start come first.
    let [low, high] = [0, calendar.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(calendar, middle).end + buffer > start) high = middle;
      else low = middle + 1;
    }
    const next = calendar[low];
    return next !== undefined && next.start < end + buffer;
  }

  private calendarOf(person: number): Span[] {
    const known = this.calendars[person];
    if (known !== undefined) return known;
    const calendar = at(this.placedOf, person).map((pair) => ({ start: at(this.from, pair), end: at(this.to, pair) }));
    calendar.sort((a, b) => a.start - b.start);
    this.calendars[person] = calendar;
    return calendar;
  }

  /** Returns those of a pair's times that one of its people can still take beside another pair's meeting. */
  private openOf(placed: number, pair: number, side: 0 | 1, times: readonly number[]): readonly number[] {
    const { people, dates, starts, ends } = this.pair(pair);
    const person = people[side];
    const busy = this.pair(placed);
    if (busy.people[0] !== person && busy.people[1] !== person) return times;
    const buffer = at(this.round.buffers, person);
    const [from, to] = [at(this.from, placed) - buffer, at(this.to, placed) + buffer];
    const date = at(busy.dates[busy.people[0] === person ? 0 : 1], at(this.placed, placed));
    const isFull = this.isDateFull(person, date);
    return times.filter(
      (time) => !(isFull && at(dates[side], time) === date) && !(at(starts, time) < to && from < at(ends, time)),
    );
  }

  private timesOf(pair: number): number[] {
    return this.pair(pair).starts.map((_, time) => time);
  }

  private isDateFull(person: number, date: number): boolean {
    const limit = at(at(this.round.dayLimits, person), date);
    return limit !== null && at(this.onDate, person * this.round.dates.length + date) >= limit;
  }

  private meetingsOn(person: number, date: number): number[] {
    return at(this.placedOf, person).filter((other) => {
      const { people, dates } = this.pair(other);
      return at(dates[people[0] === person ? 0 : 1], at(this.placed, other)) === date;
    });
  }

  private count(person: number, date: number, change: 1 | -1): void {
    const cell = person * this.round.dates.length + date;
    this.onDate[cell] = at(this.onDate, cell) + change;
  }
}

function insert(sorted: number[], value: number): void {
  let index = sorted.length;
  while (index > 0 && at(sorted, index - 1) > value) index--;
  sorted.splice(index, 0, value);
}
