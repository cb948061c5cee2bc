import type { Slot } from '../../schema/api/slot.ts';
import { type BusyList, comfortOf, drawbacksOf, gentlerOf, personComfort, tradeOf } from './search-comfort.ts';
import { ADA, type BenchInput, BOB, type Contestant } from './search-input.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const NOTICE = 15 * MINUTE;

/** Functions that the plain search needs from a time zone library. */
interface Zones {
  /** Returns the instant at which the zone's clocks show this date and time, in epoch ms. */
  instantAt(date: string, clock: string, timeZone: string): number;
  /** Formats an instant with the zone's offset, in ISO 8601 to the second. */
  textOf(instant: number, timeZone: string): string;
}

interface Span {
  start: number;
  end: number;
}

/** Time that is free for both people, with its place in the requester's day. */
interface Choice {
  start: number;
  day: number;
  product: number;
  comfort: number;
  factors: Slot['factors'];
}

/**
 * Searches as a developer would write it around a time zone library. It asks the library once per day and zone, and for
 * the printed times. In between it computes with numbers.
 */
export function searchWith(zones: Zones): Contestant {
  return (input) => {
    const duration = input.durationMinutes * MINUTE;
    // It is night in New York, so the first hour of the first morning there is at short notice.
    const night = zones.instantAt(input.first, '09:00', ADA.timeZone);
    return spread(choicesOf(zones, input, night), duration, night).map(({ start, product, comfort, factors }) => {
      const [startTime, timezone] = [zones.textOf(start, ADA.timeZone), ADA.timeZone];
      return {
        start_time: startTime,
        end_time: zones.textOf(start + duration, timezone),
        score: fourPlaces(Math.min(1, product)),
        product: fourPlaces(product),
        comfort: Math.round(comfort * 100) / 100,
        timezone,
        reason: reasonOf(factors),
        factors,
        attendees: [
          { email: ADA.email, start_time: startTime, timezone },
          { email: BOB.email, start_time: zones.textOf(start, BOB.timeZone), timezone: BOB.timeZone },
        ],
      };
    });
  };
}

function choicesOf(zones: Zones, input: BenchInput, night: number): Choice[] {
  const { newYork, berlin, first, days, durationMinutes, now } = input;
  const spansOf = (list: BenchInput['newYork']) =>
    merged(list.map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) })));
  const [own, other] = [spansOf(newYork), spansOf(berlin)];
  const busy = merged([...own, ...other]);
  const [ownBusy, otherBusy] = [listed(own), listed(other)];
  const duration = durationMinutes * MINUTE;
  const choices: Choice[] = [];
  let next = 0;
  for (let day = 0; day < days; day++) {
    const date = new Date(Date.parse(first) + day * DAY);
    const weekday = date.getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    const text = date.toISOString().slice(0, 10);
    const [opens, theirs] = [ADA, BOB].map(({ timeZone }) => ({
      start: zones.instantAt(text, '08:00', timeZone),
      end: zones.instantAt(text, '18:00', timeZone),
    })) as [Span, Span];
    let from = Math.max(opens.start, theirs.start, now + NOTICE);
    const end = Math.min(opens.end, theirs.end);
    while (next < busy.length && (busy[next]?.end ?? end) <= from) next++;
    for (let i = next; from < end; i++) {
      const taken = busy[i];
      for (const start of startsIn(from, Math.min(end, taken?.start ?? end), duration)) {
        const minutes = [opens, theirs].map((hours) => 8 * 60 + (start - hours.start) / MINUTE);
        const factors = factorsAt(minutes, weekday, durationMinutes, start - now);
        const product = factors.reduce((sofar, { multiplier }) => sofar * multiplier, 1);
        const [one, two] = [
          { busy: ownBusy, hours: opens },
          { busy: otherBusy, hours: theirs },
        ].map(({ busy: list, hours }) =>
          personComfort(list, { open: hours.start, close: hours.end, weekday }, start, start + duration, text),
        ) as [number, number];
        choices.push({ start, day, product, comfort: comfortOf(one, two, start, now, night), factors });
      }
      from = Math.max(from, taken?.end ?? end);
    }
  }
  return choices;
}

/**
 * Returns every quarter hour that fits in a free stretch. If there is none, returns the first five-minute mark, else
 * the first minute.
 */
function startsIn(from: number, to: number, duration: number): number[] {
  for (const grain of [15 * MINUTE, 5 * MINUTE, MINUTE]) {
    const starts: number[] = [];
    for (let start = Math.ceil(from / grain) * grain; start + duration <= to; start += 15 * MINUTE) starts.push(start);
    if (starts.length > 0) return starts;
  }
  return [];
}

/** The factors that can hold within both people's 08:00-18:00. */
function factorsAt(minutes: number[], weekday: number, durationMinutes: number, ahead: number): Slot['factors'] {
  const factors: Slot['factors'] = [];
  const [minute = 0] = minutes;
  const isLunch = (at: number) => at < 780 && at + durationMinutes > 720;
  if (minute >= 600 && minute < 660) factors.push({ name: 'mid_morning', multiplier: 1.2 });
  if (weekday === 5 && minutes.some((at) => at >= 840)) factors.push({ name: 'friday_afternoon', multiplier: 0.7 });
  if (minutes.some(isLunch)) factors.push({ name: 'lunch_hour', multiplier: 0.8 });
  if (ahead <= 3 * DAY) factors.push({ name: 'recency', multiplier: 1.1 });
  return factors;
}

const WORDS: Record<string, string> = {
  mid_morning: 'mid-morning',
  friday_afternoon: 'on a Friday afternoon',
  lunch_hour: 'over the lunch hour',
  recency: 'within the next three days',
};

function reasonOf(factors: Slot['factors']): string {
  const wordsOf = (isGood: boolean) =>
    factors.filter(({ multiplier }) => multiplier > 1 === isGood).map(({ name }) => WORDS[name]);
  const [pros, cons] = [wordsOf(true).join(' '), wordsOf(false).join(' and ')];
  const when = pros === '' ? 'A time' : `${pros.charAt(0).toUpperCase()}${pros.slice(1)},`;
  return `${when} when both are free${cons === '' ? '' : `, but ${cons}`}.`;
}

const fourPlaces = (value: number) => Math.round(value * 10_000) / 10_000;

/**
 * At most five: the best that overlap none taken; of equals the one with the least drawbacks, then the most comfortable.
 * The last two give up a tenth of the product for a day of their own, and any gives up a quarter that is near another or
 * at short notice. An uncomfortable one gives way to a gentler one.
 */
function spread(choices: Choice[], duration: number, night: number): Choice[] {
  const taken: Choice[] = [];
  const drawbacks = ({ start, day }: Pick<Choice, 'start' | 'day'>) => drawbacksOf(start, day, taken, night);
  const bestOf = (open: Choice[]) => {
    const best = open.reduce((most, { product }) => Math.max(most, product), 0);
    return open.filter(({ product }) => product > best - 1e-9);
  };
  while (taken.length < 5) {
    const open = choices.filter(({ start }) => taken.every((slot) => Math.abs(slot.start - start) >= duration));
    let equals = bestOf(open);
    const [any] = equals;
    if (any === undefined) break;
    const { share, allowed } = tradeOf(Math.min(...equals.map(drawbacks)), taken.length);
    const least = share * any.product - 1e-9;
    const enough = open.filter(({ product }) => product >= least);
    for (const some of allowed) {
      const elsewhere = bestOf(enough.filter((choice) => (drawbacks(choice) | some) === some));
      if (elsewhere.length === 0) continue;
      equals = elsewhere;
      break;
    }
    const isBetter = (one: Choice, two: Choice) =>
      drawbacks(one) === drawbacks(two) ? one.comfort > two.comfort + 1e-9 : drawbacks(one) < drawbacks(two);
    const pick = equals.reduce((best, choice) => (isBetter(choice, best) ? choice : best));
    taken.push(gentlerOf(pick, () => open, least, drawbacks));
  }
  return taken.sort((a, b) =>
    Math.abs(a.product - b.product) > 1e-9 ? b.product - a.product : b.comfort - a.comfort || a.start - b.start,
  );
}

const listed = (spans: Span[]): BusyList => ({
  starts: spans.map(({ start }) => start),
  ends: spans.map(({ end }) => end),
  count: spans.length,
  past: 0,
});

function merged(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}
