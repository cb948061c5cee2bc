import { formatInTimeZone, fromZonedTime } from 'date-fns-tz';
import type { BenchInput, BenchSlot } from './search-input.ts';
import { intersectSpans, rankSpans, type Span, toBenchSlot } from './search-rank.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** The search with date-fns-tz asked once per day and zone, and numbers after that. */
export function withDateFnsTz(input: BenchInput): BenchSlot[] {
  const busy = [...input.newYork, ...input.berlin].map(({ start, end }) => ({
    start: Date.parse(start),
    end: Date.parse(end),
  }));
  const newYork = workDays(input, 'America/New_York');
  const days = newYork.filter((day) => day !== undefined);
  const work = intersectSpans(
    days,
    workDays(input, 'Europe/Berlin').filter((day) => day !== undefined),
  );
  let index = 0;
  const localAt = (instant: number) => {
    while ((days[index]?.end ?? 0) < instant) index++;
    const minute = 8 * 60 + (instant - (days[index]?.start ?? 0)) / MINUTE;
    return { minute, weekday: days[index]?.weekday ?? 0 };
  };
  const text = (instant: number) => formatInTimeZone(instant, 'America/New_York', "yyyy-MM-dd'T'HH:mm:ssXXX");
  const duration = input.durationMinutes * MINUTE;
  return rankSpans(work, busy, input.now, duration, localAt).map(({ start, product }) =>
    toBenchSlot(text(start), text(start + duration), product),
  );
}

function workDays(input: BenchInput, zone: string): ((Span & { weekday: number }) | undefined)[] {
  return Array.from({ length: input.days }, (_, i) => {
    const day = new Date(Date.parse(input.first) + i * DAY);
    const date = day.toISOString().slice(0, 10);
    const weekday = day.getUTCDay();
    if (weekday === 0 || weekday === 6) return undefined;
    const start = fromZonedTime(`${date}T08:00:00`, zone).getTime();
    return { start, end: fromZonedTime(`${date}T18:00:00`, zone).getTime(), weekday };
  });
}
