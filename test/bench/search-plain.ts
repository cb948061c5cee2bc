import { formatInTimeZone, fromZonedTime } from 'date-fns-tz';
import { DateTime } from 'luxon';
import { Temporal } from 'temporal-polyfill';
import type { Slot } from '../../schema/api/slot.ts';
import { ADA, type BenchInput, BOB, type Contestant } from './search-input.ts';
import { type BusyList, comfortOf, hoursOf, personComfort, quietOf, spread } from './search-merit.ts';

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
  minute: number;
  product: number;
  score: number;
  comfort: number;
  merit: number;
  factors: Slot['factors'];
}

/**
 * Searches as a developer would write it around a time zone library. It asks the library once per day and zone, and for
 * the printed times. In between it computes with numbers.
 */
function searchWith(zones: Zones): Contestant {
  return (input) => {
    const duration = input.durationMinutes * MINUTE;
    // It is night in New York, so the first two hours of the first morning there are at short notice.
    const night = zones.instantAt(input.first, '10:00', ADA.timeZone);
    return spread(choicesOf(zones, input, night), duration).map(
      ({ start, product, score, comfort, merit, factors }) => {
        const [startTime, timezone] = [zones.textOf(start, ADA.timeZone), ADA.timeZone];
        return {
          start_time: startTime,
          end_time: zones.textOf(start + duration, timezone),
          score,
          product: fourPlaces(product),
          comfort: fourPlaces(comfort),
          merit: fourPlaces(merit),
          timezone,
          reason: reasonOf(factors),
          factors,
          attendees: [
            { email: ADA.email, start_time: startTime, timezone },
            { email: BOB.email, start_time: zones.textOf(start, BOB.timeZone), timezone: BOB.timeZone },
          ],
        };
      },
    );
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
  let ahead = -1;
  for (let day = 0; day < days; day++) {
    const date = new Date(Date.parse(first) + day * DAY);
    const weekday = date.getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    ahead++;
    const text = date.toISOString().slice(0, 10);
    const [opens, theirs] = [ADA, BOB].map(({ timeZone }) => ({
      start: zones.instantAt(text, '08:00', timeZone),
      end: zones.instantAt(text, '18:00', timeZone),
    })) as [Span, Span];
    let from = Math.max(opens.start, theirs.start, now + NOTICE);
    const end = Math.min(opens.end, theirs.end);
    const [ownHours, otherHours] = [hoursOf(ownBusy, opens.start), hoursOf(otherBusy, theirs.start)];
    while (next < busy.length && (busy[next]?.end ?? end) <= from) next++;
    for (let i = next; from < end; i++) {
      const taken = busy[i];
      for (const start of startsIn(from, Math.min(end, taken?.start ?? end), duration)) {
        const minutes = [opens, theirs].map((hours) => 8 * 60 + (start - hours.start) / MINUTE);
        const factors = factorsAt(minutes, weekday, durationMinutes, start - now);
        const product = factors.reduce((sofar, { multiplier }) => sofar * multiplier, 1);
        const one = personComfort(ownBusy, ownHours, start, start + duration);
        const two = personComfort(otherBusy, otherHours, start, start + duration);
        const quiet = minutes.reduce((all, at) => all * quietOf(text, at < 720), 1);
        const comfort = quiet * comfortOf(one, two, start, now, night, ahead);
        choices.push({
          ...{ start, day, minute: minutes[0] ?? 0, product, comfort, factors },
          ...{ score: fourPlaces(Math.min(1, product)), merit: product * comfort },
        });
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

// Contestants of the search bench that use a time zone library as its documentation shows. The rest of the search is
// the same plain code for all three.

export const withDateFnsTz = searchWith({
  instantAt: (date, clock, timeZone) => fromZonedTime(`${date}T${clock}`, timeZone).getTime(),
  textOf: (instant, timeZone) => formatInTimeZone(instant, timeZone, "yyyy-MM-dd'T'HH:mm:ssXXX"),
});

export const withTemporal = searchWith({
  instantAt: (date, clock, timeZone) =>
    Temporal.PlainDateTime.from(`${date}T${clock}`).toZonedDateTime(timeZone).epochMilliseconds,
  textOf: (instant, timeZone) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toString({ timeZone, smallestUnit: 'second' }),
});

/** Contestant with luxon, with the zone in the options as its manual shows. */
export const withLuxon = searchWith({
  instantAt: (date, clock, zone) => DateTime.fromISO(`${date}T${clock}`, { zone }).toMillis(),
  textOf: (instant, zone) => DateTime.fromMillis(instant, { zone }).toISO({ suppressMilliseconds: true }) ?? '',
});
