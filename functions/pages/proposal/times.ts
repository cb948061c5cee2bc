import { formatInZone, localDate, offsetAt } from '../../../lib/engine/time/zone.ts';
import type { Interval } from '../../../lib/engine/types.ts';
import { clockIn, dateIn, haveOneClock, weekdayIn, withPlace } from '../../../lib/words/people.ts';
import { asRead } from '../clock.tsx';

const readIn = (at: number, timeZone: string) => asRead(clockIn(at, timeZone));

/** If the clocks change meanwhile, the end could read earlier than the start, so both get their UTC offset. */
export function onClock({ start, end }: Interval, timeZone: string): { date: string; hours: string } {
  const isChanging = offsetAt(timeZone, start) !== offsetAt(timeZone, end);
  const clock = (at: number) =>
    `${readIn(at, timeZone)}${isChanging ? ` (${formatInZone(timeZone, at).slice(19)})` : ''}`;
  const date = dateIn(start, timeZone);
  const lastDate = dateIn(end, timeZone);
  const until = lastDate === date ? clock(end) : `${clock(end)} on ${lastDate}`;
  return { date, hours: `${clock(start)} to ${until}` };
}

/** Formats a time on one clock: "Thursday, 26 November, 15:00 to 15:30". */
export function whenOn(time: Interval, timeZone: string): string {
  const { date, hours } = onClock(time, timeZone);
  return `${date}, ${hours}`;
}

/** Adds the weekday if it differs from the viewer's. Undefined if both clocks show the same. */
export function beside(start: number, requesterZone: string | undefined, viewerZone: string): string | undefined {
  const partyIn = (timeZone: string) => ({ email: '', timeZone });
  const theirs = requesterZone ?? viewerZone;
  if (haveOneClock(start, [partyIn(theirs), partyIn(viewerZone)])) return undefined;
  const clock = withPlace(readIn(start, theirs), theirs);
  return localDate(theirs, start) === localDate(viewerZone, start) ? clock : `${weekdayIn(start, theirs)}, ${clock}`;
}

export function partOfDay(at: number, timeZone: string): string {
  const hour = Number(formatInZone(timeZone, at).slice(11, 13));
  const [, part = 'night'] = Object.entries(PARTS).find(([until]) => hour < Number(until)) ?? [];
  return withPlace(part, timeZone);
}

/** The parts of a day, by the hour until which each lasts. The rest is night. */
const PARTS = { 5: 'night', 12: 'morning', 18: 'afternoon', 22: 'evening' };

/** Formats the day and hour until which something lasts: "Thursday, 26 November, 15:00". */
export const momentOn = (at: number, timeZone: string) => `${dateIn(at, timeZone)}, ${readIn(at, timeZone)}`;

/** A time is kept until the deadline or until it begins, whichever is first. `more` says so of several. */
export function keptUntil(times: readonly Interval[], deadline: number) {
  const first = Math.min(...times.map(({ start }) => start));
  if (times.length === 1 || first >= deadline) return { at: Math.min(first, deadline), more: '' };
  return { at: deadline, more: ', each at most until it begins' };
}

/** Returns the name of a time zone as it stands after "in": "London", "UTC". */
export const zoneTitle = (timeZone: string) => withPlace('', timeZone).replace(/^ (?:in )?/, '');
