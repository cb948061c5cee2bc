import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { parseDate, parseMinute } from '../../lib/engine/time/dates.ts';
import type { Box, ClockSpan, DateSpan } from '../../lib/engine/wish/reading.ts';
import { readByRules } from '../../lib/reader/grammar/read.ts';

// Sets that others made to test how words of time are read. They say which time the words name, and not where a meeting
// should lie. They are read from where they were fetched, and no part of them is kept here.

/** One text with the times that its words name. Each time has one or more readings, any of which is right. */
interface Named {
  text: string;
  today: number;
  times: Time[][];
}

/** A time that a set names: days, hours or both. */
interface Time {
  dates?: DateSpan | undefined;
  clock?: ClockSpan | undefined;
}

export interface Compared {
  right: string[];
  wrong: string[];
  abstained: string[];
}

const POINT = 30;
const DAY_END = 24 * 60;

/** Says of each text if its times are read as the set names them. A time before the day of writing is left out. */
export function compare(file: string): Compared {
  const compared: Compared = { right: [], wrong: [], abstained: [] };
  const rows: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  const named = Recognized.array().safeParse(rows);
  for (const row of named.success ? named.data.flatMap(recognized) : Parsed.array().parse(rows).flatMap(parsed)) {
    const times = row.times.map((readings) => readings.filter(({ dates }) => (dates?.first ?? row.today) >= row.today));
    if (times.length === 0 || times.some((readings) => readings.length === 0)) continue;
    // Nobody's meeting stands behind these texts. One at ten on the day of writing pulls no weekday into another week.
    const calendar = { today: row.today, oldDay: row.today, oldMinute: 600, durationMinutes: POINT };
    const { wanted, refused } = readByRules(row.text, calendar);
    const boxes = [...wanted, ...refused];
    const fits = (box: Box) => times.some((readings) => readings.some((time) => isSame(box, time, row.today)));
    if (boxes.length === 0) compared.abstained.push(row.text);
    else compared[boxes.every(fits) ? 'right' : 'wrong'].push(row.text);
  }
  return compared;
}

/** Compares on work days only from today on, and in work hours: "morning" begins at midnight here and at eight there. */
function isSame({ dates, weekdays, clock }: Box, time: Time, today: number): boolean {
  if (weekdays !== undefined) return false;
  const daysOf = ({ first = today, last = first }: DateSpan) => `${Math.max(first, today)}..${last}`;
  const isSameDay =
    time.dates === undefined
      ? dates === undefined || dates.every((span) => daysOf(span) === `${today}..${today}`)
      : dates?.some((span) => daysOf(span) === daysOf(time.dates ?? {}));
  if (!isSameDay) return false;
  if (time.clock === undefined || clock === undefined) return time.clock === clock;
  const inWork = ({ from, to }: ClockSpan) => `${Math.max(from, 8 * 60)}-${Math.min(to, 18 * 60)}`;
  const isAround = clock.from <= time.clock.from && time.clock.from < clock.to && clock.to - clock.from <= 4 * POINT;
  return isAround || inWork(clock) === inWork(time.clock);
}

const Value = z.looseObject({
  type: z.string(),
  value: z.string().optional(),
  start: z.string().optional(),
  end: z.string().optional(),
});

/** A row of microsoft/Recognizers-Text, `Specs/DateTime/English`. */
const Recognized = z.looseObject({
  Input: z.string(),
  Context: z.looseObject({ ReferenceDateTime: z.string() }),
  Results: z.array(z.looseObject({ Resolution: z.looseObject({ values: z.array(Value).optional() }).nullish() })),
});

function recognized({ Input, Context, Results }: z.infer<typeof Recognized>): Named[] {
  const today = parseDate(Context.ReferenceDateTime.slice(0, 10));
  const times = Results.map(({ Resolution }) => (Resolution?.values ?? []).flatMap((value) => timeOf(value) ?? []));
  return today === undefined || times.length === 0 ? [] : [{ text: Input, today, times }];
}

function timeOf({ type, value, start, end }: z.infer<typeof Value>): Time | undefined {
  const [a, b] = value === undefined ? [start, end] : [value, undefined];
  const from = momentOf(a);
  const to = momentOf(b);
  if (from === undefined || /duration|set|timezone/.test(type)) return undefined;
  if (value !== undefined)
    return {
      dates: from.day === undefined ? undefined : { first: from.day, last: from.day },
      clock: from.minute === undefined ? undefined : { from: from.minute, to: from.minute + POINT },
    };
  if (to === undefined) return undefined;
  const isHours = from.minute !== undefined && to.minute !== undefined;
  const last = to.day === undefined ? undefined : isHours ? to.day : to.day - 1;
  return {
    dates: from.day === undefined ? undefined : { first: from.day, last },
    clock: isHours ? { from: from.minute ?? 0, to: to.minute || DAY_END } : undefined,
  };
}

function momentOf(text = ''): { day?: number | undefined; minute?: number | undefined } | undefined {
  const [, date, clock] = /^(\d{4}-\d\d-\d\d)? ?(\d\d:\d\d)?(?::\d\d)?$/.exec(text) ?? [];
  if (date === undefined && clock === undefined) return undefined;
  return { day: date && parseDate(date), minute: clock && parseMinute(clock) } as ReturnType<typeof momentOf>;
}

/** A row of comtravo/ctparse, `datasets/timeparse_corpus.json`. */
const Parsed = z.looseObject({ text: z.string(), ref_time: z.string(), gold_parse: z.string(), language: z.string() });

const PARTS: Record<string, ClockSpan> = {
  morning: { from: 0, to: 12 * 60 },
  forenoon: { from: 0, to: 12 * 60 },
  noon: { from: 12 * 60, to: 12 * 60 + POINT },
  afternoon: { from: 12 * 60, to: 17 * 60 },
  evening: { from: 17 * 60, to: DAY_END },
};
const GOLD = /^(Time|Interval)\[\]\{(.+?)(?: - (.+))?\}$/;
const GOLD_TIME = /^(?:(\d{4}-\d\d-\d\d)|X-X-X) (?:(\d\d:\d\d)|X:X) \(X\/(\w+)\)$/;

function parsed({ text, ref_time, gold_parse, language }: z.infer<typeof Parsed>): Named[] {
  const today = parseDate(ref_time.slice(0, 10));
  const [, kind, first = '', second] = GOLD.exec(gold_parse) ?? [];
  const from = goldTime(first);
  const to = goldTime(second);
  if (language !== 'en' || today === undefined || from === undefined) return [];
  if (kind === 'Time') return [{ text, today, times: [[from]] }];
  if (to === undefined) return [];
  const clock = from.clock && to.clock && { from: from.clock.from, to: to.clock.from };
  const dates = from.dates && { first: from.dates.first, last: to.dates?.last };
  return [{ text, today, times: [[{ dates, clock }]] }];
}

function goldTime(text = ''): Time | undefined {
  const [match, date, clock, part = 'X'] = GOLD_TIME.exec(text) ?? [];
  const hours = clock === undefined ? PARTS[part] : { from: parseMinute(clock), to: parseMinute(clock) + POINT };
  if (match === undefined || (part !== 'X' && hours === undefined)) return undefined;
  const day = date === undefined ? undefined : parseDate(date);
  return { dates: day === undefined ? undefined : { first: day, last: day }, clock: hours };
}
