import { DAY, MINUTE, sayDate, WEEKDAYS, weekdayIndex } from '../../../lib/scheduling/dates.ts';
import type { Band, BandKind, ClockChange, LocalDay } from '../../../lib/scheduling/week-bands.ts';
import { formatInZone, localDate } from '../../../lib/scheduling/zone.ts';
import type { WeekLane } from './lanes.ts';

/** What each kind of band is called, in the order of the legend. */
export const BAND_NAMES: Record<BandKind, string> = {
  work: 'Work hours',
  focus: 'Focus time',
  busy: 'Busy',
  hold: 'Tandem meeting',
  buffer: 'Buffer',
  full: 'Day is full',
  free: 'Free for both',
  too_short: 'Free for both, but too short',
  not_searched: 'Not searched',
  over: 'Past',
};

/** The order in which a day's bands are told. */
export const BAND_KINDS = Object.keys(BAND_NAMES) as BandKind[];

/** "Mon" for a date YYYY-MM-DD. */
export const shortWeekday = (date: string): string => {
  const name = WEEKDAYS[weekdayIndex(Math.floor(Date.parse(date) / DAY))] ?? '';
  return name.charAt(0).toUpperCase() + name.slice(1, 3);
};

/** The clock time at an instant, with its weekday where it is not that of the day told, and its offset where a clock changes. */
export function sayClock(
  timeZone: string,
  instant: number,
  { date, isChanging }: { date: string; isChanging: boolean },
) {
  const local = formatInZone(timeZone, instant);
  const ownDate = local.slice(0, 10);
  const clock = local.slice(11, 16);
  const day = ownDate === date ? '' : `${shortWeekday(ownDate)} `;
  return `${day}${clock}${isChanging ? ` (${local.slice(19)})` : ''}`;
}

/** "09:00–17:30" on a zone's clock; an end at midnight is told as 24:00 of the day before. */
export function sayStretch(timeZone: string, { start, end }: { start: number; end: number }, date: string): string {
  const [first, last] = [formatInZone(timeZone, start), formatInZone(timeZone, end - 1)];
  const isChanging = first.slice(19) !== formatInZone(timeZone, end).slice(19);
  const from = sayClock(timeZone, start, { date, isChanging });
  const endsAtMidnight = formatInZone(timeZone, end).slice(11, 16) === '00:00' && !isChanging;
  const until = endsAtMidnight ? '24:00' : sayClock(timeZone, end, { date: last.slice(0, 10), isChanging });
  const overMidnight = first.slice(0, 10) !== last.slice(0, 10) ? `${shortWeekday(last.slice(0, 10))} ` : '';
  return `${from}–${overMidnight}${until}`;
}

/** A day of a lane in words on its clock: "Work hours 09:00–17:00. Busy 10:00–11:00, 13:00–14:00." */
export function sayLane({ bands, timeZone, ruler }: WeekLane, index: number, day: LocalDay): string {
  return (
    sayBands(bands[index] ?? [], day, timeZone) || (ruler === undefined ? 'Never free for both.' : 'No work hours.')
  );
}

/** Bands in words on a zone's clock; empty without any. */
export function sayBands(bands: readonly Band[], day: LocalDay, timeZone: string): string {
  return BAND_KINDS.flatMap((kind) => {
    const own = bands.filter((band) => band.kind === kind);
    if (own.length === 0) return [];
    return [`${BAND_NAMES[kind]} ${own.map((band) => sayBand(band, day, timeZone)).join(', ')}.`];
  }).join(' ');
}

/** One band's times on a zone's clock. */
export const sayBand = ({ from, to }: Band, day: LocalDay, timeZone: string): string =>
  sayStretch(timeZone, { start: day.start + from * MINUTE, end: day.start + to * MINUTE }, day.date);

/** "The clocks of New York go forward an hour on this day, at 02:00." */
export function sayClockChange(change: ClockChange, day: LocalDay, timeZone: string): string {
  const instant = day.start + change.at * MINUTE;
  const before = formatInZone(timeZone, instant - MINUTE);
  const at = formatInZone(timeZone, instant).slice(11, 16);
  const way = change.minutes > 0 ? 'forward' : 'back';
  const ownDate = localDate(timeZone, instant - MINUTE);
  const when = ownDate === day.date ? '' : ` on ${sayDate(ownDate)}`;
  return `In ${placeOf(timeZone)} the clocks go ${way}${when}: after ${before.slice(11, 16)} comes ${at}.`;
}

/** The place a zone is named for: "New York". */
export const placeOf = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
