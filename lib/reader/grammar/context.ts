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

/** All that it says holds in general. Clock times of other zones become those of `zone`. */
export function readContext(text: string, zone?: Zone): Reading {
  const reading = readByRules(text, { ...ANY, timeZone: zone?.timeZone, zonesAt: zone?.at }, 'context');
  return { ...reading, wanted: [], refused: [], moves: [], soon: undefined };
}
