import type { Slot } from '../../schema/api/slot.ts';
import { ADA, type BenchInput, BOB, type Contestant } from './search-input.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const NOTICE = 15 * MINUTE;

/** What a library of zones is asked. */
interface Zones {
  /** The instant at which the zone's clocks show this, epoch ms. */
  instantAt(date: string, clock: string, timeZone: string): number;
  /** The instant with the zone's offset, ISO 8601 to the second. */
  textOf(instant: number, timeZone: string): string;
}

interface Span {
  start: number;
  end: number;
}

/** A time both have, with what its place in the requester's day says of it. */
interface Choice {
  start: number;
  day: number;
  part: number;
  product: number;
  factors: Slot['factors'];
}

/** The search as one would write it around a library: asked once a day and zone and for what is printed, numbers in between. */
export function searchWith(zones: Zones): Contestant {
  return (input) => {
    const duration = input.durationMinutes * MINUTE;
    return spread(choicesOf(zones, input), duration).map(({ start, product, factors }) => {
      const [startTime, timezone] = [zones.textOf(start, ADA.timeZone), ADA.timeZone];
      return {
        start_time: startTime,
        end_time: zones.textOf(start + duration, timezone),
        score: fourPlaces(Math.min(1, product)),
        product: fourPlaces(product),
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

function choicesOf(zones: Zones, { newYork, berlin, first, days, durationMinutes, now }: BenchInput): Choice[] {
  const busy = merged(
    [...newYork, ...berlin].map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) })),
  );
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
        const minute = 8 * 60 + (start - opens.start) / MINUTE;
        const factors = factorsAt(minute, weekday, durationMinutes, start - now);
        const product = factors.reduce((sofar, { multiplier }) => sofar * multiplier, 1);
        choices.push({ start, day, part: minute < 12 * 60 ? 0 : minute < 17 * 60 ? 1 : 2, product, factors });
      }
      from = Math.max(from, taken?.end ?? end);
    }
  }
  return choices;
}

/** Every quarter hour that fits, else the first fifth minute, else the first minute. */
function startsIn(from: number, to: number, duration: number): number[] {
  for (const grain of [15 * MINUTE, 5 * MINUTE, MINUTE]) {
    const starts: number[] = [];
    for (let start = Math.ceil(from / grain) * grain; start + duration <= to; start += 15 * MINUTE) starts.push(start);
    if (starts.length > 0) return starts;
  }
  return [];
}

/** The factors that can hold within both people's 08:00-18:00. */
function factorsAt(minute: number, weekday: number, durationMinutes: number, ahead: number): Slot['factors'] {
  const factors: Slot['factors'] = [];
  if (minute >= 600 && minute < 660) factors.push({ name: 'mid_morning', multiplier: 1.2 });
  if (weekday === 5 && minute >= 840) factors.push({ name: 'friday_afternoon', multiplier: 0.7 });
  if (minute < 780 && minute + durationMinutes > 720) factors.push({ name: 'lunch_hour', multiplier: 0.8 });
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

/** At most five: the best that overlap none taken, of equals those on the emptiest day, then in the emptiest part of it. */
function spread(choices: Choice[], duration: number): Choice[] {
  const taken: Choice[] = [];
  while (taken.length < 5) {
    const open = choices.filter(({ start }) => taken.every((slot) => Math.abs(slot.start - start) >= duration));
    const best = open.reduce((most, { product }) => Math.max(most, product), 0);
    const costOf = ({ day, part }: Choice) =>
      taken.reduce((cost, slot) => cost + (slot.day === day ? 1000 : 0) + (slot.part === part ? 1 : 0), 0);
    const [first, ...equals] = open.filter(({ product }) => product > best - 1e-9);
    if (first === undefined) break;
    taken.push(equals.reduce((least, choice) => (costOf(choice) < costOf(least) ? choice : least), first));
  }
  return taken;
}

function merged(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}
