import type { Reading } from '../../engine/wish/reading.ts';
import type { Calendar } from '../calendar.ts';
import { readByRules } from './read.ts';

/** The zone of the person who writes, if it is known, and the instant of writing in epoch ms, which tells its offset. */
interface Zone {
  timeZone?: string | undefined;
  at: number;
}

/** General statements depend on no date. Today is a Monday, and the meeting is on the next day at 10:00. */
export const ANY: Calendar = { today: 4, oldDay: 5, oldMinute: 10 * 60, durationMinutes: 30 };

/**
 * Reads a scheduling context by rules alone. All that it says holds in general. A clock time of another zone, as in
 * "nothing after 2.30 London time", becomes the time that `zone` has then, as the two zones' clocks differ at `zone.at`.
 */
export function readContext(text: string, zone?: Zone): Reading {
  const reading = readByRules(text, { ...ANY, timeZone: zone?.timeZone, zonesAt: zone?.at }, 'context');
  return { ...reading, wanted: [], refused: [], moves: [], soon: undefined };
}
