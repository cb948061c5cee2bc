import type { Interval, Person, Search, Weekday } from '../../../lib/scheduling/types.ts';

// The rules of decisions.md, Availability, written the slow and obvious way: every minute is asked on its own what the
// clocks show. Nothing but the types is shared with the engine.

const MINUTE = 60_000;
const LARGEST_OFFSET = 16 * 60 * MINUTE;
const DAY = 24 * 60 * MINUTE;

export interface Wall {
  date: string;
  weekday: Weekday;
  minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const walls = new Map<string, Map<number, Wall>>();

/** Drops what is remembered of a zone, when many are asked one after another. */
export function forgetZone(zone: string): void {
  walls.delete(zone);
}

/** What the zone's clocks show at an instant, to the minute. */
export function wallAt(zone: string, instant: number): Wall {
  const minute = Math.floor(instant / MINUTE);
  let known = walls.get(zone);
  if (!known || known.size > 200_000) {
    known = new Map();
    walls.set(zone, known);
  }
  let wall = known.get(minute);
  if (!wall) {
    learnHour(zone, Math.floor(minute / 60) * 60, known);
    wall = known.get(minute) ?? askWall(zone, minute * MINUTE);
    known.set(minute, wall);
  }
  return wall;
}

/** In an hour whose first and last minute are on the same date, 59 minutes apart, all others lie in between. */
function learnHour(zone: string, first: number, known: Map<number, Wall>): void {
  const from = askWall(zone, first * MINUTE);
  const to = askWall(zone, (first + 59) * MINUTE);
  if (to.date !== from.date || to.minute !== from.minute + 59) return;
  for (let i = 0; i < 60; i++) known.set(first + i, { ...from, minute: from.minute + i });
}

function askWall(zone: string, minute: number): Wall {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(zone, format);
  }
  const match = /^(\w+), (\d\d)\/(\d\d)\/(\d{4}), (\d\d):(\d\d)$/.exec(format.format(minute));
  if (!match) throw new Error(`Unexpected wall clock: ${format.format(minute)}`);
  const [, weekday = '', day, month, year, hour = '', min = ''] = match;
  return {
    date: `${year}-${month}-${day}`,
    weekday: weekday.toLowerCase() as Weekday,
    minute: Number(hour) * 60 + Number(min),
  };
}

function isoAt(zone: string, instant: number): string {
  const { date, minute } = wallAt(zone, instant);
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `${date}T${two(Math.floor(minute / 60))}:${two(minute % 60)}:00`;
  const offset = (Date.parse(`${time}Z`) - instant) / MINUTE;
  return `${time}${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function intervalsOf(busy: Person['busy']): readonly Interval[] {
  if (!(busy instanceof Float64Array)) return busy;
  const intervals: Interval[] = [];
  for (let i = 0; i < busy.length; i += 2) intervals.push({ start: busy[i] ?? 0, end: busy[i + 1] ?? 0 });
  return intervals;
}

/** Which of the person's rules stand against being in a meeting during one minute. */
export function rulesAgainst(person: Person, minute: number): string[] {
  const wall = wallAt(person.timeZone, minute);
  const against: string[] = [];
  const hours = person.workHours[wall.weekday];
  if (!hours.enabled || wall.minute < minuteOf(hours.start) || wall.minute >= minuteOf(hours.end))
    against.push('work_hours');
  for (const block of person.focusBlocks)
    if (block.day === wall.weekday && wall.minute >= minuteOf(block.start) && wall.minute < minuteOf(block.end))
      against.push('focus_block');
  if (person.meetings.length >= person.maxMeetingsPerDay) {
    const thatDay = person.meetings.filter(({ start }) => wallAt(person.timeZone, start).date === wall.date);
    if (thatDay.length >= person.maxMeetingsPerDay) against.push('day_limit');
  }
  const buffer = person.bufferMinutes * MINUTE;
  for (const list of [intervalsOf(person.busy), person.meetings]) {
    for (const { start, end } of list) {
      if (start >= end) continue;
      if (start < minute + MINUTE && end > minute) against.push('busy');
      else if (start - buffer < minute + MINUTE && end + buffer > minute) against.push('buffer');
    }
  }
  return against;
}

/** Which rules of the search, and of each person, stand against a start; `allowed` are the starts they allow. */
export function objectionsTo(search: Search, allowed: readonly number[], start: number): string[] {
  const { requester, other, window } = search;
  const against = new Set<string>();
  if (!isOnMark(search, start, 15) && !allowed.includes(start)) against.add('null quarter_hour');
  if (start < search.now + 15 * MINUTE) against.add('null notice');
  for (let minute = start; minute < start + search.durationMinutes * MINUTE; minute += MINUTE) {
    const { date } = wallAt(requester.timeZone, minute);
    if (date < window.start || date > window.end) against.add('null window');
    for (const person of [requester, other])
      for (const rule of rulesAgainst(person, minute)) against.add(`${person.email} ${rule}`);
  }
  for (const { email } of [requester, other]) if (against.has(`${email} busy`)) against.delete(`${email} buffer`);
  return [...against].sort();
}

/** Whether the requester's clock shows a whole number of marks of so many minutes. */
function isOnMark({ requester }: Search, start: number, minutes: number): boolean {
  return start % MINUTE === 0 && wallAt(requester.timeZone, start).minute % minutes === 0;
}

/** Every start the rules allow, in order of time: each run of minutes in which both are free is asked for its own. */
export function allowedStarts(search: Search, counts = (_email: string, _rule: string) => true): number[] {
  const { requester, other, window, durationMinutes, now } = search;
  const first = Date.parse(`${window.start}T00:00:00Z`) - LARGEST_OFFSET;
  const last = Date.parse(`${window.end}T00:00:00Z`) + DAY + LARGEST_OFFSET;
  const isFree: boolean[] = [];
  for (let minute = first; minute < last; minute += MINUTE) {
    const { date } = wallAt(requester.timeZone, minute);
    const isInWindow = date >= window.start && date <= window.end;
    const isSoon = minute < now + 15 * MINUTE;
    const isOpen = isInWindow && !isSoon;
    isFree.push(isOpen && isFreeFor(requester, minute, counts) && isFreeFor(other, minute, counts));
  }
  const starts: number[] = [];
  let run: number[] = [];
  for (let i = 0; i <= isFree.length; i++) {
    if (isFree[i]) {
      run.push(first + i * MINUTE);
      continue;
    }
    starts.push(...startsOfRun(search, run.slice(0, Math.max(0, run.length - durationMinutes + 1))));
    run = [];
  }
  return starts;
}

/** The work hours always count; a buffer only where the busy times do. */
function isFreeFor(person: Person, minute: number, counts: (email: string, rule: string) => boolean): boolean {
  return rulesAgainst(person, minute).every((rule) => {
    if (rule === 'work_hours') return false;
    return !counts(person.email, rule) || (rule === 'buffer' && !counts(person.email, 'busy'));
  });
}

/** Of the minutes that leave room for the meeting: all quarter hours, else the first fifth minute, else the first. */
function startsOfRun(search: Search, fitting: number[]): number[] {
  const quarters = fitting.filter((start) => isOnMark(search, start, 15));
  if (quarters.length > 0) return quarters;
  const fifth = fitting.find((start) => isOnMark(search, start, 5)) ?? fitting[0];
  return fifth === undefined ? [] : [fifth];
}

/** The factors of a start, as the interface's ranking table lists them. */
export function factorsOf(search: Search, start: number): [string, number][] {
  const { requester, other, durationMinutes, now } = search;
  const end = start + durationMinutes * MINUTE;
  const wall = wallAt(requester.timeZone, start);
  let isOutside = false;
  for (const { timeZone } of [requester, other]) {
    const from = wallAt(timeZone, start);
    const to = wallAt(timeZone, end);
    if (from.minute < 8 * 60 || to.date !== from.date || to.minute > 18 * 60) isOutside = true;
  }
  let isOverLunch = false;
  for (let minute = start; minute < end; minute += MINUTE)
    if (Math.floor(wallAt(requester.timeZone, minute).minute / 60) === 12) isOverLunch = true;
  const factors: [string, number][] = [];
  if (isOutside) factors.push(['timezone_fairness', 0.5]);
  if (wall.minute >= 10 * 60 && wall.minute < 11 * 60) factors.push(['mid_morning', 1.2]);
  if (wall.weekday === 'friday' && wall.minute >= 14 * 60) factors.push(['friday_afternoon', 0.7]);
  if (isOverLunch) factors.push(['lunch_hour', 0.8]);
  if (start - now <= 72 * 60 * MINUTE) factors.push(['recency', 1.1]);
  return factors;
}

export interface OracleSlot {
  start: number;
  startTime: string;
  endTime: string;
  otherStartTime: string;
  score: number;
  product: number;
  reason: string;
  factors: [string, number][];
}

/** The starts ranked: by the unclamped product, earlier first among equals. */
export function rankedStarts(search: Search, starts: readonly number[]): number[] {
  const products = new Map(starts.map((start) => [start, productOf(factorsOf(search, start))]));
  return [...starts].sort((a, b) => (products.get(b) ?? 0) - (products.get(a) ?? 0) || a - b);
}

/** The at most five slots a search must answer, of these ranked starts. */
export function expectedSlots(search: Search, ranked: readonly number[]): OracleSlot[] {
  const duration = search.durationMinutes * MINUTE;
  const choices = ranked.map((start) => {
    const { date, minute } = wallAt(search.requester.timeZone, start);
    const part = minute < 12 * 60 ? 'morning' : minute < 17 * 60 ? 'afternoon' : 'evening';
    return { start, date, part, product: productOf(factorsOf(search, start)) };
  });
  const taken: typeof choices = [];
  while (taken.length < 5) {
    const open = choices.filter(({ start }) =>
      taken.every((t) => start >= t.start + duration || t.start >= start + duration),
    );
    const best = Math.max(...open.map(({ product }) => product));
    const equal = open.filter(({ product }) => product > best - 1e-9);
    const onDate = (date: string) => taken.filter((t) => t.date === date).length;
    const inPart = (part: string) => taken.filter((t) => t.part === part).length;
    equal.sort((a, b) => onDate(a.date) - onDate(b.date) || inPart(a.part) - inPart(b.part) || a.start - b.start);
    if (!equal[0]) break;
    taken.push(equal[0]);
  }
  return taken.map(({ start }) => {
    const factors = factorsOf(search, start);
    return {
      start,
      startTime: isoAt(search.requester.timeZone, start),
      endTime: isoAt(search.requester.timeZone, start + duration),
      otherStartTime: isoAt(search.other.timeZone, start),
      score: Number(Math.min(1, productOf(factors)).toFixed(4)),
      product: Number(productOf(factors).toFixed(4)),
      reason: reasonFor(search, start, factors),
      factors,
    };
  });
}

function reasonFor({ requester, other, durationMinutes }: Search, start: number, factors: [string, number][]): string {
  const has = (name: string) => factors.some(([factor]) => factor === name);
  let when = 'A time';
  if (has('mid_morning')) when = has('recency') ? 'Mid-morning within the next three days,' : 'Mid-morning,';
  else if (has('recency')) when = 'Within the next three days,';
  const costs: string[] = [];
  if (has('timezone_fairness')) {
    const sides = [requester, other].map(({ email, timeZone }) => {
      if (wallAt(timeZone, start).minute < 8 * 60) return { email, side: 'before 8am' };
      const end = wallAt(timeZone, start + durationMinutes * MINUTE);
      const isLate = end.minute > 18 * 60 || end.date !== wallAt(timeZone, start).date;
      return { email, side: isLate ? 'past 6pm' : '' };
    });
    if (sides[0]?.side === sides[1]?.side) costs.push(`${sides[0]?.side} for both`);
    else for (const { email, side } of sides) if (side) costs.push(`${side} for ${email}`);
  }
  if (has('friday_afternoon')) costs.push('on a Friday afternoon');
  if (has('lunch_hour')) costs.push('over the lunch hour');
  return `${when} when both are free${costs.length > 0 ? `, but ${costs.join(' and ')}` : ''}.`;
}

function productOf(factors: [string, number][]): number {
  let product = 1;
  for (const [, multiplier] of factors) product *= multiplier;
  return product;
}
