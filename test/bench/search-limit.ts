import type { BenchInput, BenchSlot } from './search-input.ts';

// The limit: one loop over sorted integers. It knows these two zones' transitions by heart, that both people work
// Monday to Friday 08:00-18:00, and nothing else: no buffers, focus blocks, limits, other zones or explanations.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const QUARTER = 15 * MINUTE;
const NEW_YORK = [Date.UTC(2026, 2, 8, 7), Date.UTC(2026, 10, 1, 6)] as const;
const BERLIN = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)] as const;

const startsA = new Float64Array(4096);
const endsA = new Float64Array(4096);
const startsB = new Float64Array(4096);
const endsB = new Float64Array(4096);
const candidates = new Float64Array(16_384);
const products = new Float64Array(16_384);

/** The same answer for the bench's two people, as fast as it can be had. */
export function limit(input: BenchInput): BenchSlot[] {
  const countA = fill(input.newYork, startsA, endsA);
  const countB = fill(input.berlin, startsB, endsB);
  const duration = input.durationMinutes * MINUTE;
  const earliest = input.now + QUARTER;
  const firstDay = parse(`${input.first}T00:00:00Z`) / DAY;
  let a = 0;
  let b = 0;
  let count = 0;
  for (let day = firstDay; day < firstDay + input.days; day++) {
    const weekday = (day + 3) % 7;
    if (weekday > 4) continue;
    const noon = day * DAY + 12 * HOUR;
    const offsetA = noon >= NEW_YORK[0] && noon < NEW_YORK[1] ? -4 * HOUR : -5 * HOUR;
    const offsetB = noon >= BERLIN[0] && noon < BERLIN[1] ? 2 * HOUR : HOUR;
    const open = Math.max(day * DAY + 8 * HOUR - offsetA, day * DAY + 8 * HOUR - offsetB, earliest);
    const close = day * DAY + 18 * HOUR - Math.max(offsetA, offsetB);
    let start = Math.ceil(open / QUARTER) * QUARTER;
    while (start + duration <= close) {
      while (a < countA && at(endsA, a) <= start) a++;
      while (b < countB && at(endsB, b) <= start) b++;
      if (a < countA && at(startsA, a) < start + duration) start = Math.ceil(at(endsA, a) / QUARTER) * QUARTER;
      else if (b < countB && at(startsB, b) < start + duration) start = Math.ceil(at(endsB, b) / QUARTER) * QUARTER;
      else {
        const minute = (start + offsetA - day * DAY) / MINUTE;
        let product = 1;
        if (minute >= 600 && minute < 660) product *= 1.2;
        if (weekday === 4 && minute >= 840) product *= 0.7;
        if (minute < 780 && minute + input.durationMinutes > 720) product *= 0.8;
        if (start - input.now <= 3 * DAY) product *= 1.1;
        candidates[count] = start;
        products[count++] = product;
        start += QUARTER;
      }
    }
  }
  return best(count, duration).map((start) => {
    const offset = start >= NEW_YORK[0] && start < NEW_YORK[1] ? -4 : -5;
    return slot(start, offset, duration, at(products, candidates.indexOf(start)));
  });
}

function best(count: number, duration: number): number[] {
  const taken: number[] = [];
  while (taken.length < 5) {
    let index = -1;
    for (let i = 0; i < count; i++) {
      if (index >= 0 && at(products, i) <= at(products, index)) continue;
      if (taken.every((other) => Math.abs(other - at(candidates, i)) >= duration)) index = i;
    }
    if (index < 0) break;
    taken.push(at(candidates, index));
  }
  return taken;
}

function slot(start: number, offsetHours: number, duration: number, product: number): BenchSlot {
  const local = (instant: number) =>
    `${new Date(instant + offsetHours * HOUR).toISOString().slice(0, 19)}-0${-offsetHours}:00`;
  return {
    start_time: local(start),
    end_time: local(start + duration),
    score: Math.round(Math.min(1, product) * 10_000) / 10_000,
    timezone: 'America/New_York',
    reason: 'Free for both.',
  };
}

function fill(busy: { start: string; end: string }[], starts: Float64Array, ends: Float64Array): number {
  let count = 0;
  for (const { start, end } of busy) {
    const from = parse(start);
    const to = parse(end);
    if (count > 0 && from <= at(ends, count - 1)) {
      if (to > at(ends, count - 1)) ends[count - 1] = to;
    } else {
      starts[count] = from;
      ends[count++] = to;
    }
  }
  return count;
}

function parse(text: string): number {
  const year = two(text, 0) * 100 + two(text, 2);
  const month = two(text, 5);
  const shifted = month > 2 ? year : year - 1;
  const dayOfYear = ((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0;
  const days =
    365 * shifted + (shifted >> 2) - ((shifted / 100) | 0) + ((shifted / 400) | 0) + dayOfYear + two(text, 8);
  return (days - 719_469) * DAY + (two(text, 11) * 60 + two(text, 14)) * MINUTE + two(text, 17) * 1000;
}

function two(text: string, index: number): number {
  return text.charCodeAt(index) * 10 + text.charCodeAt(index + 1) - 528;
}

function at(values: Float64Array, index: number): number {
  return values[index] as number;
}
