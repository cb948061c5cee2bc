import { useContext } from 'hono/jsx';
import type { Band, BandKind, ClockChange, LocalDay } from '../../../lib/engine/explain/week-bands.ts';
import { placeOnDays } from '../../../lib/engine/explain/week-bands.ts';
import { DAY, MINUTE, sayDate, twoDigits, WEEKDAYS, weekdayIndex } from '../../../lib/engine/time/dates.ts';
import { formatInZone, localDate } from '../../../lib/engine/time/zone.ts';
import type { Interval } from '../../../lib/engine/types.ts';
import { cityOf, clockIn } from '../../../lib/words/people.ts';
import { asRead, TwelveHours } from '../clock.tsx';

export interface WeekLane {
  name: string;
  timeZone: string;
  bands: readonly (readonly Band[])[];
  /** Its clock's hours are shown there. Undefined if it shows none. */
  ruler?: 'above' | 'below';
}

/** The text beside the drawing explains its digit or letter. */
export interface WeekMark {
  day: number;
  /** Start of the marked time, in minutes from the start of the day. */
  from: number;
  to: number;
  /** The search picked it, the person asked about it or is asked, or something in one person's lane rules it out. */
  kind: 'pick' | 'asked' | 'offered' | 'against';
  lane?: number;
  sign: string;
  title: string;
}

export const marksOn = (
  days: readonly LocalDay[],
  span: Interval,
  what: Omit<WeekMark, 'day' | 'from' | 'to'>,
): WeekMark[] =>
  placeOnDays(span, days).flatMap((place, day) => (place === undefined ? [] : [{ day, ...place, ...what }]));

/** Kinds of bands in the order in which they are said. A band of a higher layer is drawn over those of the lower. */
export const KINDS: Record<BandKind, { name: string; layer: number }> = {
  work: { name: 'Work hours', layer: 0 },
  day: { name: 'Daytime', layer: 0 },
  holiday: { name: 'Public holiday', layer: 1 },
  focus: { name: 'Focus time', layer: 5 },
  never: { name: 'Ruled out', layer: 4 },
  rather_not: { name: 'Rather not', layer: 3 },
  prefer: { name: 'Preferred', layer: 2 },
  busy: { name: 'Busy', layer: 8 },
  hold: { name: 'Tandem meeting', layer: 10 },
  held: { name: 'Held by a proposal', layer: 9 },
  buffer: { name: 'Buffer', layer: 7 },
  full: { name: 'Day is full', layer: 6 },
  free: { name: 'Free for both', layer: 12 },
  too_short: { name: 'Free for both, but too short', layer: 13 },
  not_searched: { name: 'Not searched', layer: 11 },
  over: { name: 'Past', layer: 14 },
};

/** Returns what the bands of a kind are called: the holidays, or the words of the person's own rules. */
export const namesIn = (bands: readonly Band[], wanted: BandKind): string[] => [
  ...new Set(bands.flatMap(({ kind, name }) => (kind === wanted ? (name ?? []) : []))),
];

export const BAND_KINDS = Object.keys(KINDS) as BandKind[];

/** Returns the weekday of a date YYYY-MM-DD: "Mon". */
export const shortWeekday = (date: string): string => {
  const name = WEEKDAYS[weekdayIndex(Math.floor(Date.parse(date) / DAY))] ?? '';
  return name.charAt(0).toUpperCase() + name.slice(1, 3);
};

/** Writes an hour as briefly as on a ruler: "09", or "9a" on a page whose reader counts twelve. */
export const sayHour = (hour: number): string =>
  useContext(TwelveHours) ? `${hour % 12 || 12}${hour < 12 ? 'a' : 'p'}` : twoDigits(hour);

/** Adds the weekday on another date than `date`, and the UTC offset if the clock changes that day. */
function sayClock(timeZone: string, instant: number, { date, isChanging }: { date: string; isChanging: boolean }) {
  const local = formatInZone(timeZone, instant);
  const ownDate = local.slice(0, 10);
  const clock = asRead(clockIn(instant, timeZone));
  const day = ownDate === date ? '' : `${shortWeekday(ownDate)} `;
  return `${day}${clock}${isChanging ? ` (${local.slice(19)})` : ''}`;
}

/** Formats a time span on a zone's clock: "9:00–17:30". An end at midnight is 24:00 of the day before. */
export function sayStretch(timeZone: string, { start, end }: { start: number; end: number }, date: string): string {
  const [first, last] = [formatInZone(timeZone, start), formatInZone(timeZone, end - 1)];
  const isChanging = first.slice(19) !== formatInZone(timeZone, end).slice(19);
  const from = sayClock(timeZone, start, { date, isChanging });
  const endsAtMidnight = clockIn(end, timeZone) === '0:00' && !isChanging;
  const until = endsAtMidnight ? asRead('24:00') : sayClock(timeZone, end, { date: last.slice(0, 10), isChanging });
  const overMidnight = first.slice(0, 10) !== last.slice(0, 10) ? `${shortWeekday(last.slice(0, 10))} ` : '';
  return `${from}–${overMidnight}${until}`;
}

/** Screen readers say: "Work hours 9:00–17:00. Busy 10:00–11:00, 13:00–14:00." */
export function sayLane({ bands, timeZone, ruler }: WeekLane, index: number, day: LocalDay): string {
  return (
    sayBands(bands[index] ?? [], day, timeZone) || (ruler === undefined ? 'Never free for both.' : 'No work hours.')
  );
}

export function sayBands(bands: readonly Band[], day: LocalDay, timeZone: string): string {
  return BAND_KINDS.flatMap((kind) => {
    const own = bands.filter((band) => band.kind === kind);
    if (own.length === 0) return [];
    return [`${KINDS[kind].name} ${own.map((band) => sayBand(band, day, timeZone)).join(', ')}.`];
  }).join(' ');
}

export const sayBand = ({ from, to }: Band, day: LocalDay, timeZone: string): string =>
  sayStretch(timeZone, { start: day.start + from * MINUTE, end: day.start + to * MINUTE }, day.date);

/** Describes a change of the clocks: "In New York the clocks go forward: after 1:59 comes 3:00." */
export function sayClockChange(change: ClockChange, day: LocalDay, timeZone: string): string {
  const instant = day.start + change.at * MINUTE;
  const [before, at] = [instant - MINUTE, instant].map((at) => asRead(clockIn(at, timeZone)));
  const way = change.minutes > 0 ? 'forward' : 'back';
  const ownDate = localDate(timeZone, instant - MINUTE);
  const when = ownDate === day.date ? '' : ` on ${sayDate(ownDate)}`;
  return `In ${cityOf(timeZone)} the clocks go ${way}${when}: after ${before} comes ${at}.`;
}
