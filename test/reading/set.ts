import { readFileSync } from 'node:fs';
import { fromZonedTime } from 'date-fns-tz';
import * as z from 'zod';
import type { Asker } from '../../lib/reader/wish/asker.ts';

const windows = z.array(z.string()).default([]);
const Scene = z.object({ meeting: z.string(), now: z.string() });

/** One sentence with its judge's windows. `asks` is false for a text that asks for nothing. */
const Sentence = z.object({
  id: z.string(),
  text: z.string(),
  asks: z.boolean(),
  ok: windows,
  no: windows,
  cls: z.string().default(''),
  meaning: z.string().default(''),
  setting: Scene.optional(),
  other: z.record(z.string(), z.unknown()).default({}),
});
export type Sentence = z.infer<typeof Sentence>;

const SentenceSet = z.object({
  setting: Scene,
  reasons: z.array(Sentence).default([]),
  contexts: z.array(Sentence).default([]),
});
export type SentenceSet = z.infer<typeof SentenceSet>;

/** Reads a set of judged sentences from a JSON file. */
export const readSet = (file: string): SentenceSet => SentenceSet.parse(JSON.parse(readFileSync(file, 'utf8')));

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
