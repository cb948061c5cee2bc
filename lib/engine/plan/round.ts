/** A half-open span of time in epoch ms. */
export interface Span {
  start: number;
  end: number;
}

export interface OpenTime extends Span {
  product: number;
  comfort: number;
  /** Dates of the meeting's start, each on the clock of one of the pair's two people, in the order of `people`. */
  dates: readonly [string, string];
}

/** Two people who should meet once in a round of meetings, with the times that suit both. */
export interface PlannedPair {
  /** Name by which the caller refers to the pair, unique within the round. */
  reference: string;
  people: readonly [string, string];
  /** Priority of the pair, from 0 to 9. Pairs with a higher priority get their times first. */
  priority: number;
  open: readonly OpenTime[];
}

/** Without any limit, only overlapping meetings of one person exclude each other. */
export interface RoundLimits {
  perPerson?: number | undefined;
  /** Most meetings of one person in the round on one local date. */
  perDay?: number | undefined;
  /** Applies in addition to `perDay`, keyed by person id and then by date. */
  dailyLimits?: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined;
  /** Free time in milliseconds that a person needs between two meetings, keyed by person id. */
  buffers?: ReadonlyMap<string, number> | undefined;
}

/** The lists have equal length and are in order of time. People and dates are indexes in the round's lists. */
export interface RoundPair {
  reference: string;
  people: [number, number];
  priority: number;
  starts: number[];
  ends: number[];
  products: number[];
  comforts: number[];
  dates: [number[], number[]];
}

/** JSON that does not change while the round is planned. Pairs are in the order of their references. */
export interface Round {
  people: string[];
  dates: string[];
  pairs: RoundPair[];
  /** Upper bound of each person's meetings, from the limits and from how many of the open times fit beside each other. */
  most: number[];
  buffers: number[];
  /** Largest number of meetings of each person on each date, null for no limit. */
  dayLimits: (number | null)[][];
}

/** The result does not depend on the order in which pairs or times are given. */
export function roundOf(pairs: readonly PlannedPair[], limits: RoundLimits): Round {
  const people = [...new Set(pairs.flatMap((pair) => pair.people))].sort();
  const dates = [...new Set(pairs.flatMap(({ open }) => open.flatMap((time) => time.dates)))].sort();
  const personAt = new Map(people.map((id, index) => [id, index]));
  const dateAt = new Map(dates.map((date, index) => [date, index]));
  const buffers = people.map((id) => limits.buffers?.get(id) ?? 0);
  const dayLimits = people.map((id) => dates.map((date) => dayLimit(limits, id, date)));
  const roundPairs = pairs
    .map((pair) => roundPair(pair, personAt, dateAt))
    .sort((a, b) => (a.reference < b.reference ? -1 : 1));
  const times = timesByDate(people.length, roundPairs);
  const most = times.map((byDate, person) => {
    const fitting = [...byDate].map(([date, spans]) =>
      Math.min(mostBeside(spans, at(buffers, person)), at(at(dayLimits, person), date) ?? Number.POSITIVE_INFINITY),
    );
    return Math.min(
      fitting.reduce((sum, count) => sum + count, 0),
      limits.perPerson ?? Number.POSITIVE_INFINITY,
    );
  });
  return { people, dates, pairs: roundPairs, most, buffers, dayLimits };
}

export function openTimeAt({ dates }: Round, pair: RoundPair, time: number): OpenTime {
  const dateOf = (person: 0 | 1) => dates[at(pair.dates[person], time)] ?? '';
  return {
    start: at(pair.starts, time),
    end: at(pair.ends, time),
    product: at(pair.products, time),
    comfort: at(pair.comforts, time),
    dates: [dateOf(0), dateOf(1)],
  };
}

export function at<T>(list: ArrayLike<T>, index: number): T {
  const entry = list[index];
  if (entry === undefined) throw new Error(`no entry ${index} in a list of ${list.length}`);
  return entry;
}

function roundPair(
  { reference, people, priority, open }: PlannedPair,
  personAt: ReadonlyMap<string, number>,
  dateAt: ReadonlyMap<string, number>,
): RoundPair {
  const times = open.toSorted(
    (a, b) => a.start - b.start || a.end - b.end || b.product - a.product || b.comfort - a.comfort,
  );
  return {
    reference,
    people: [personAt.get(people[0]) ?? 0, personAt.get(people[1]) ?? 0],
    priority,
    starts: times.map(({ start }) => start),
    ends: times.map(({ end }) => end),
    products: times.map(({ product }) => product),
    comforts: times.map(({ comfort }) => comfort),
    dates: [times.map(({ dates }) => dateAt.get(dates[0]) ?? 0), times.map(({ dates }) => dateAt.get(dates[1]) ?? 0)],
  };
}

function dayLimit({ perDay, dailyLimits }: RoundLimits, id: string, date: string): number | null {
  const own = dailyLimits?.get(id)?.get(date);
  return own === undefined ? (perDay ?? null) : Math.min(own, perDay ?? own);
}

/** Returns each person's open times with anybody, by the index of their date. */
function timesByDate(count: number, pairs: readonly RoundPair[]): Map<number, Span[]>[] {
  const all = Array.from({ length: count }, (): (Span & { date: number })[] => []);
  for (const { people, dates, starts, ends } of pairs)
    for (const side of [0, 1] as const) {
      const own = at(all, people[side]);
      for (const [time, start] of starts.entries())
        own.push({ start, end: at(ends, time), date: at(dates[side], time) });
    }
  return all.map((times) => Map.groupBy(times, ({ date }) => date));
}

/** Returns the most spans of a list that keep a distance from each other: always the one that ends first comes next. */
function mostBeside(spans: Span[], distance: number): number {
  let count = 0;
  let free = Number.NEGATIVE_INFINITY;
  for (const { start, end } of spans.sort((a, b) => a.end - b.end)) {
    if (start < free) continue;
    count++;
    free = end + distance;
  }
  return count;
}
