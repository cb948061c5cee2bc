import type { Ctx, Platform } from '../context.ts';
import { DAY, weekdayIndex } from '../scheduling/dates.ts';
import { type Explanation, explainTime } from '../scheduling/explain-time.ts';
import { findSlots } from '../scheduling/find-slots.ts';
import type { Interval } from '../scheduling/types.ts';
import { commonBands, localWeek, personBands, withoutPast } from '../scheduling/week-bands.ts';
import { type DateRange, windowInterval } from '../scheduling/window.ts';
import { instantsAt, localDay } from '../scheduling/zone.ts';
import { loadSearch } from './search.ts';

/** A time as a clock shows it: a day number, a minute, and whose clock; of two such the later one when asked for. */
export interface ClockTime {
  day: number;
  minute: number;
  whose: 'requester' | 'other';
  isLater: boolean;
}

interface Input {
  attendees: [string, string];
  asked: ClockTime;
  durationMinutes: number;
  dateRange?: DateRange | undefined;
  /** A day number of the week to show; when absent it is the week of the time. */
  weekOf?: number | undefined;
  isFresh: boolean;
}

/**
 * What a search makes of one time, as `explainAvailability` says it, with the slots it offers and the week of both people
 * from now on as bands, Monday to Sunday on the requester's calendar. A time that is over, or that no clock shows, is not
 * explained. Throws as a search does.
 */
export async function explainWeek(ctx: Ctx, platform: Platform, input: Input) {
  const { asked, weekOf, ...about } = input;
  const now = ctx.clock.now();
  const loaded = await loadSearch(ctx, platform, { ...about, shown: shownAround(weekOf ?? asked.day, now) });
  const { search, live, calendars } = loaded;
  const { requester, other, window } = search;
  const starts = instantsAt(search[asked.whose].timeZone, asked.day, asked.minute);
  const start = asked.isLater ? starts.at(-1) : starts[0];
  const isOver = start !== undefined && start < now;
  const explanation: Explanation | undefined =
    start === undefined || isOver ? undefined : explainTime({ ...search, start });
  const shownDay = weekOf ?? (start === undefined ? asked.day : localDay(requester.timeZone, start));
  const days = localWeek(requester.timeZone, mondayOf(shownDay));
  const ownHolds = (email: string) => live.filter((meeting) => meeting.isOwn && meeting.email === email);
  const bandsOf = (person: typeof requester) => personBands(person, days, ownHolds(person.email));
  return {
    people: [requester, other].map(({ email, timeZone }) => ({ email, timeZone })),
    /** Every instant at which that clock shows the time: none or two where it is put forward or back. */
    starts,
    start,
    isOver,
    explanation,
    ...findSlots(search),
    window,
    days,
    bands: {
      requester: withoutPast(bandsOf(requester), days, now),
      common: withoutPast(commonBands(search, days, windowInterval(window, requester.timeZone)), days, now),
      other: withoutPast(bandsOf(other), days, now),
    },
    calendars,
    now,
  };
}

/** The day number of the Monday of a day's week. */
export const mondayOf = (day: number): number => day - weekdayIndex(day);

/** The instants of the week around a day, and of the one next to it where another zone's clocks may show that; none that are over. */
function shownAround(day: number, now: number): Interval {
  const end = (mondayOf(day + 1) + 8) * DAY;
  return { start: Math.max(now, (mondayOf(day - 1) - 1) * DAY), end: Math.max(now, end) };
}
