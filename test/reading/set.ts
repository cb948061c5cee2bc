import { readFileSync } from 'node:fs';
import { fromZonedTime } from 'date-fns-tz';
import * as z from 'zod';
import { MEETING_CONTEXTS } from '../../lib/engine/rank/contexts.ts';
import { MINUTE } from '../../lib/engine/time/dates.ts';
import type { Interval } from '../../lib/engine/types.ts';
import type { Asker } from '../../lib/reader/wish/wish-of.ts';
import { liesIn, placedIn, touches } from './windows.ts';

const windows = z.array(z.string()).default([]);
const Scene = z.object({ meeting: z.string(), now: z.string() });

/** True but for a text that asks for nothing. */
const asks = z.boolean().default(true);

/** One sentence with its judge's windows. */
const Sentence = z.object({
  id: z.string(),
  text: z.string(),
  asks,
  ok: windows,
  no: windows,
  meaning: z.string().default(''),
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
  right: z.string().default(''),
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

function sentenceOf({ id, text, asks, zone, now, meeting, right, good, bad }: z.infer<typeof Sampled>): Sentence {
  const { start, duration_minutes: minutes } = meeting ?? { start: '2026-12-03T14:00', duration_minutes: 30 };
  const end = new Date(Date.parse(`${start}Z`) + minutes * 60_000).toISOString().slice(11, 16);
  const exactly = (times: string[]) => times.map((time) => time.slice(0, 16).replace('T', ' ='));
  return {
    ...{ id, text, asks, meaning: right, ok: exactly(good), no: exactly(bad) },
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
