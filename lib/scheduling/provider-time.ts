import { DAY, daysFromCivil, MINUTE } from './dates.ts';
import type { Interval } from './types.ts';

const [ZERO, PLUS, MINUS, DOT, Z] = [48, 43, 45, 46, 90];

/** The provider's RFC 3339 time (2026-03-29T10:00:00Z or +02:00, fractions allowed) as epoch ms; NaN for another form. */
export function parseProviderTime(text: string): number {
  const date =
    daysFromCivil(twoDigits(text, 0) * 100 + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8)) * DAY;
  const local = date + (twoDigits(text, 11) * 60 + twoDigits(text, 14)) * MINUTE + twoDigits(text, 17) * 1000;
  let at = 19;
  let fraction = 0;
  if (text.charCodeAt(at) === DOT) {
    for (let unit = 100; isDigit(text.charCodeAt(++at)); unit /= 10) fraction += (text.charCodeAt(at) - ZERO) * unit;
  }
  const sign = text.charCodeAt(at);
  if (sign === Z) return local + Math.floor(fraction);
  if (sign !== PLUS && sign !== MINUS) return Number.NaN;
  const offset = (twoDigits(text, at + 1) * 60 + twoDigits(text, at + 4)) * MINUTE;
  return local + Math.floor(fraction) + (sign === PLUS ? -offset : offset);
}

/** The provider's busy list as intervals; throws when a time in it cannot be read, as unknown is not free. */
export function parseBusy(busy: readonly { start: string; end: string }[]): Interval[] {
  return busy.map((item) => {
    const start = parseProviderTime(item.start);
    const end = parseProviderTime(item.end);
    if (Number.isNaN(start) || Number.isNaN(end)) throw new RangeError('The calendar sent a time that cannot be read.');
    return { start, end };
  });
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}
