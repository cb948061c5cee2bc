import { DateTime, Interval } from 'luxon';
import type { BenchInput, BenchSlot } from './search-input.ts';
import { productAt, toBenchSlot } from './search-rank.ts';

/** The search with luxon's DateTime and Interval throughout. */
export function withLuxon(input: BenchInput): BenchSlot[] {
  const busy = Interval.merge(
    [...input.newYork, ...input.berlin].map(({ start, end }) =>
      Interval.fromDateTimes(DateTime.fromISO(start), DateTime.fromISO(end)),
    ),
  );
  const newYork = workDays(input, 'America/New_York');
  const berlin = workDays(input, 'Europe/Berlin');
  const duration = { minutes: input.durationMinutes };
  const earliest = DateTime.fromMillis(input.now).plus({ minutes: 15 });
  const ranked: { from: DateTime; product: number }[] = [];
  let next = 0;
  for (const [i, day] of newYork.entries()) {
    const work = berlin[i] && day?.intersection(berlin[i]);
    if (!work?.start || !work.end) continue;
    const taken: Interval[] = [];
    for (; next < busy.length && (busy[next]?.start ?? work.end) < work.end; next++)
      if (busy[next]?.overlaps(work)) taken.push(busy[next] as Interval);
    if (taken.length > 0) next--;
    for (const free of work.difference(...taken)) {
      let from = quarterFrom(DateTime.max(free.start ?? work.start, earliest).setZone('America/New_York'));
      for (; free.end && from.plus(duration) <= free.end; from = from.plus({ minutes: 15 })) {
        const local = { minute: from.hour * 60 + from.minute, weekday: from.weekday };
        const product = productAt(local, input.durationMinutes * 60_000, from.toMillis() - input.now);
        ranked.push({ from, product });
      }
    }
  }
  ranked.sort((a, b) => b.product - a.product || a.from.toMillis() - b.from.toMillis());
  const picked: typeof ranked = [];
  for (const candidate of ranked) {
    const span = Interval.after(candidate.from, duration);
    if (picked.every(({ from }) => !Interval.after(from, duration).overlaps(span))) picked.push(candidate);
    if (picked.length === 5) break;
  }
  return picked.map(({ from, product }) => toBenchSlot(text(from), text(from.plus(duration)), product));
}

function workDays(input: BenchInput, zone: string): (Interval | undefined)[] {
  const first = DateTime.fromISO(input.first, { zone });
  return Array.from({ length: input.days }, (_, i) => {
    const day = first.plus({ days: i });
    return day.weekday > 5 ? undefined : Interval.fromDateTimes(day.set({ hour: 8 }), day.set({ hour: 18 }));
  });
}

function quarterFrom(time: DateTime): DateTime {
  const quarter = 15 * 60_000;
  return DateTime.fromMillis(Math.ceil(time.toMillis() / quarter) * quarter, { zone: time.zone });
}

function text(time: DateTime): string {
  return time.toISO({ suppressMilliseconds: true }) ?? '';
}
