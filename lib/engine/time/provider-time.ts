import type { BusyTimes } from '../types.ts';
import { MINUTE } from './dates.ts';

const [ZERO, PLUS, MINUS, DOT, Z] = [48, 43, 45, 46, 90];
const NO_DIGITS = 1000;
const DAYS_BEFORE = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const DAYS_BEFORE_1970 = 719_162;

/** Parses RFC 3339 with Z or an offset. Throws for any other form, because unknown time must not count as free. */
export function parseBusy(busy: readonly { start: string; end: string }[]): BusyTimes {
  const edges = new Float64Array(2 * busy.length);
  for (let i = 0; i < busy.length; i++) {
    const item = busy[i];
    if (!item) continue;
    readTime(item.start, edges, 2 * i);
    readTime(item.end, edges, 2 * i + 1);
  }
  if (edges.includes(Number.NaN)) throw new RangeError('The calendar sent a time that cannot be read.');
  return edges;
}

// Writes the time into the array, because a returned double would be allocated as an object of its own.
function readTime(text: string, into: Float64Array, index: number): void {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (year > 9999 || month < 1 || month > 12 || day > 31 || hour > 24 || minute > 59 || second > 60) {
    into[index] = Number.NaN;
    return;
  }
  const minutes = (daysTo(year, month, day) * 24 + hour) * 60 + minute;
  into[index] = minutes * MINUTE + second * 1000 + (text.charCodeAt(19) === Z ? 0 : readTail(text));
}

function daysTo(year: number, month: number, day: number): number {
  const past = year - 1;
  const leapDays = (past >> 2) - ((past / 100) | 0) + ((past / 400) | 0);
  const isLeap = (year & 3) === 0 && (year % 100 !== 0 || year % 400 === 0);
  const before = DAYS_BEFORE[month] ?? 0;
  return past * 365 + leapDays + before + (isLeap && month > 2 ? 1 : 0) + day - 1 - DAYS_BEFORE_1970;
}

function readTail(text: string): number {
  let at = 19;
  let fraction = 0;
  if (text.charCodeAt(at) === DOT) {
    for (let unit = 100; isDigit(text.charCodeAt(++at)); unit /= 10) fraction += (text.charCodeAt(at) - ZERO) * unit;
  }
  const sign = text.charCodeAt(at);
  if (sign === Z) return Math.floor(fraction);
  const [hours, minutes] = [twoDigits(text, at + 1), twoDigits(text, at + 4)];
  if ((sign !== PLUS && sign !== MINUS) || hours > 24 || minutes > 59) return Number.NaN;
  return Math.floor(fraction) + (sign === PLUS ? -1 : 1) * (hours * 60 + minutes) * MINUTE;
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NO_DIGITS;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}
