import { Temporal } from 'temporal-polyfill';
import type { BenchInput, BenchSlot } from './search-input.ts';
import { intersectSpans, rankSpans, type Span, toBenchSlot } from './search-rank.ts';

const MINUTE = 60_000;

/** The search with temporal-polyfill asked once per day and zone, and numbers after that. */
export function withTemporal(input: BenchInput): BenchSlot[] {
  const busy = [...input.newYork, ...input.berlin].map(({ start, end }) => ({
    start: Temporal.Instant.from(start).epochMilliseconds,
    end: Temporal.Instant.from(end).epochMilliseconds,
  }));
  const days = workDays(input, 'America/New_York');
  const work = intersectSpans(days, workDays(input, 'Europe/Berlin'));
  let index = 0;
  const localAt = (instant: number) => {
    while ((days[index]?.end ?? 0) < instant) index++;
    const minute = 8 * 60 + (instant - (days[index]?.start ?? 0)) / MINUTE;
    return { minute, weekday: days[index]?.weekday ?? 0 };
  };
  const text = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant)
      .toZonedDateTimeISO('America/New_York')
      .toString({ timeZoneName: 'never' });
  const duration = input.durationMinutes * MINUTE;
  return rankSpans(work, busy, input.now, duration, localAt).map(({ start, product }) =>
    toBenchSlot(text(start), text(start + duration), product),
  );
}

function workDays(input: BenchInput, timeZone: string): (Span & { weekday: number })[] {
  const days: (Span & { weekday: number })[] = [];
  let date = Temporal.PlainDate.from(input.first);
  for (let i = 0; i < input.days; i++, date = date.add({ days: 1 })) {
    if (date.dayOfWeek > 5) continue;
    const start = date.toZonedDateTime({ timeZone, plainTime: '08:00' }).epochMilliseconds;
    const end = date.toZonedDateTime({ timeZone, plainTime: '18:00' }).epochMilliseconds;
    days.push({ start, end, weekday: date.dayOfWeek });
  }
  return days;
}
