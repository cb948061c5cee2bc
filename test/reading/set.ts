import { readFileSync } from 'node:fs';
import { fromZonedTime } from 'date-fns-tz';
import * as z from 'zod';
import { MEETING_CONTEXTS } from '../../lib/engine/rank/contexts.ts';
import { MINUTE, parseDate, parseMinute, weekdayIndex } from '../../lib/engine/time/dates.ts';
import { emptyWallTime, readWallTime } from '../../lib/engine/time/moment.ts';
import { offsetSpans } from '../../lib/engine/time/zone.ts';
import type { Interval } from '../../lib/engine/types.ts';
import type { Asker } from '../../lib/reader/wish/wish-of.ts';

const windows = z.array(z.string()).default([]);
const Scene = z.object({ meeting: z.string(), now: z.string() });

/** True but for a text that asks for nothing. */
const asks = z.boolean().default(true);

const Sentence = z.object({
  id: z.string(),
  text: z.string(),
  asks,
  ok: windows,
  no: windows,
  setting: Scene.optional(),
  /** The kind of meeting that a context is judged for, if it speaks of one. */
  context: z.enum(MEETING_CONTEXTS).optional(),
  /** Local starts, the only ones that are free when the sentence is judged. Without them every time is. */
  starts: z.array(z.string()).optional(),
});
export type Sentence = z.infer<typeof Sentence>;

const SentenceSet = z.object({
  setting: Scene,
  reasons: z.array(Sentence).default([]),
  contexts: z.array(Sentence).default([]),
});
export type SentenceSet = z.infer<typeof SentenceSet>;

const starts = z.array(z.string()).default([]);

/** A sentence whose judge names some starts that fit it and some that do not. A context names no meeting. */
const Sampled = z.object({
  id: z.string(),
  zone: z.string(),
  now: z.string().default('2026-12-01T09:00'),
  meeting: z.object({ start: z.string(), duration_minutes: z.number() }).optional(),
  text: z.string(),
  asks,
  good: starts,
  bad: starts,
});

/** Reads a set of judged sentences from a JSON file: one with windows of time, or a list with starts as examples. */
export function readSet(file: string): SentenceSet {
  const rows: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(rows)) return SentenceSet.parse(rows);
  const sampled = Sampled.array().parse(rows);
  const sentences = (are: (row: z.infer<typeof Sampled>) => boolean) => sampled.filter(are).map(sentenceOf);
  return {
    setting: { meeting: '2026-12-03T14:00/14:30 Europe/London', now: '2026-12-01T09:00' },
    reasons: sentences(({ meeting }) => meeting !== undefined),
    contexts: sentences(({ meeting }) => meeting === undefined),
  };
}

function sentenceOf({ id, text, asks, zone, now, meeting, good, bad }: z.infer<typeof Sampled>): Sentence {
  const { start, duration_minutes: minutes } = meeting ?? { start: '2026-12-03T14:00', duration_minutes: 30 };
  const end = new Date(Date.parse(`${start}Z`) + minutes * 60_000).toISOString().slice(11, 16);
  const exactly = (times: string[]) => times.map((time) => time.slice(0, 16).replace('T', ' ='));
  return {
    ...{ id, text, asks, ok: exactly(good), no: exactly(bad) },
    setting: { meeting: `${start.slice(0, 16)}/${end} ${zone}`, now },
    starts: [...good, ...bad],
  };
}

/**
 * Returns the person who writes a sentence: their zone, the time of writing and the meeting's time, from a setting such
 * as "2026-12-02T15:00/15:30 Europe/London (Wed)".
 */
export function askerOf({ meeting, now }: z.infer<typeof Scene>): Asker {
  const [, date = '', from = '', to = '', timeZone = ''] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)\/(\d\d:\d\d) (\S+)/.exec(meeting) ?? [];
  const instant = (local: string) => fromZonedTime(local, timeZone).getTime();
  const [at = ''] = now.split(' ');
  return { timeZone, now: instant(at), oldStart: instant(`${date}T${from}`), oldEnd: instant(`${date}T${to}`) };
}

/**
 * Says how one reason was read.
 * - `right`: something was understood, and the meeting lies in a window that the judge accepts.
 * - `tolerable`: something was understood, and the meeting lies where the judge neither accepts nor refuses it.
 * - `wrong`: something was understood, and the meeting lies in a window that the judge refuses. This is the figure that
 *   matters, because the answer then claims "as Ada asked".
 * - `abstained`: nothing was understood of a reason that asks for something.
 * - `left_alone` and `invented`: nothing, or something, was understood of a reason that asks for nothing.
 */
export type Verdict = 'right' | 'tolerable' | 'wrong' | 'abstained' | 'left_alone' | 'invented';

export function verdictOf(sentence: Sentence, isClaimed: boolean, { timeZone }: Asker, place?: Interval): Verdict {
  if (!sentence.asks) return isClaimed ? 'invented' : 'left_alone';
  if (!isClaimed) return 'abstained';
  if (place === undefined) return 'wrong';
  const placed = placedIn(timeZone, place);
  if (liesIn(sentence.ok, placed)) return 'right';
  return touches(sentence.no, placed) ? 'wrong' : 'tolerable';
}

/** Returns true if the meeting lies in a refused window. `place` is undefined if no time was found. */
export const isRefused = ({ no }: Sentence, { timeZone }: Asker, place?: Interval): boolean =>
  place !== undefined && touches(no, placedIn(timeZone, place));

/** Returns true if any of the free starts would have met the judge's windows. */
export function couldBeRight(
  { ok }: Sentence,
  { timeZone, oldStart, oldEnd }: Asker,
  free: readonly number[],
): boolean {
  const duration = Math.ceil((oldEnd - oldStart) / MINUTE) * MINUTE;
  return free.some((start) => liesIn(ok, placedIn(timeZone, { start, end: start + duration })));
}

/** A meeting on the wall of the person whose sentence is judged. Minutes count from the midnight before its start. */
interface Placed {
  day: number;
  from: number;
  to: number;
  /** Start as days and minutes in one number, for comparing with an instant. */
  at: number;
}

const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const AT = /^(<|>|>=|<=)(\d{4}-\d\d-\d\d)T(\d\d:\d\d)$/;
const DATES =
  /^(any|(?:\d{4}-\d\d-\d\d)?(?:\.\.)?(?:\d{4}-\d\d-\d\d)?)(?: ([A-Z][a-z]{2}(?:,[A-Z][a-z]{2})*))?(?: (.+))?$/;
const HOURS = /^(?:=(\d\d:\d\d)|(\d\d:\d\d)-(\d\d:\d\d))$/;

function placedIn(timeZone: string, { start, end }: Interval): Placed {
  const wall = emptyWallTime();
  readWallTime(wall, offsetSpans(timeZone, start, end), start, end);
  const to = wall.endMinute + (wall.endDay - wall.day) * 1440;
  return { day: wall.day, from: wall.startMinute, to, at: wall.day * 1440 + wall.startMinute };
}

/**
 * Returns true if a meeting lies wholly inside one of a judge's windows: "any Thu 12:00-18:30",
 * "2026-12-01..2026-12-04", ">2026-12-02T15:00", "2026-12-02 =16:00".
 */
const liesIn = (windows: readonly string[], meeting: Placed): boolean =>
  windows.some((window) => isMet(window, meeting, ({ from, to }, a, b) => from >= a && to <= b));

/** Returns true if a meeting overlaps one of a judge's windows. */
const touches = (windows: readonly string[], meeting: Placed): boolean =>
  windows.some((window) => isMet(window, meeting, ({ from, to }, a, b) => from < b && to > a));

function isMet(window: string, meeting: Placed, fits: (meeting: Placed, from: number, to: number) => boolean): boolean {
  const [, sign, date, clock] = AT.exec(window) ?? [];
  if (sign !== undefined && date !== undefined && clock !== undefined) {
    const at = dayOf(date) * 1440 + parseMinute(clock);
    if (sign === '<') return meeting.at < at;
    if (sign === '<=') return meeting.at <= at;
    return sign === '>' ? meeting.at > at : meeting.at >= at;
  }
  const [match, dates = '', names, hours] = DATES.exec(window) ?? [];
  if (match === undefined) throw new Error(`This window cannot be read: ${window}`);
  if (dates !== 'any' && dates !== '') {
    const [first, last] = dates.includes('..') ? dates.split('..') : [dates, dates];
    if (first && meeting.day < dayOf(first)) return false;
    if (last && meeting.day > dayOf(last)) return false;
  }
  if (names && !names.split(',').some((name) => DAY_NAMES.indexOf(name) === weekdayIndex(meeting.day))) return false;
  if (hours === undefined) return true;
  const [isHours, exactly, from, to] = HOURS.exec(hours) ?? [];
  if (isHours === undefined) throw new Error(`These hours cannot be read: ${window}`);
  if (exactly !== undefined) return meeting.from === parseMinute(exactly);
  return fits(meeting, parseMinute(from ?? '00:00'), parseMinute(to === '23:59' ? '24:00' : (to ?? '24:00')));
}

function dayOf(date: string): number {
  const day = parseDate(date);
  if (day === undefined) throw new Error(`There is no such date: ${date}`);
  return day;
}
