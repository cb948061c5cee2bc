import { explainTime } from '../engine/explain/explain-time.ts';
import { commonBands, localWeek, personBands, withoutPast } from '../engine/explain/week-bands.ts';
import { findSlots } from '../engine/rank/find-slots.ts';
import { DAY, mondayOf } from '../engine/time/dates.ts';
import { type DateRange, windowInterval } from '../engine/time/window.ts';
import { instantsAt, localDay } from '../engine/time/zone.ts';
import type { Interval } from '../engine/types.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { explanationWithWords } from '../words/explanation.ts';
import { withWords } from '../words/found.ts';
import { loadSearch } from './search.ts';

/**
 * A wall-clock time on one attendee's clock: a day number, a minute of the day and the attendee. When clocks are put
 * back, some times occur twice, and `isLater` selects the second.
 */
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
  /** Day number that selects the week to show. Defaults to the week of the time to explain. */
  weekOf?: number | undefined;
  isFresh: boolean;
}

/**
 * Explains how a search judges one time, as `explainAvailability` does. Also returns the search's slots and both
 * people's week as bands of free and busy time. The week runs from Monday to Sunday on the requester's calendar,
 * without its past part. A past time, or a time that no clock shows, gets no explanation. Throws the same errors as
 * `findAvailability`.
 */
export async function explainWeek(ctx: Ctx, platform: PlatformRef, input: Input) {
  const { asked, weekOf, dateRange: range, ...about } = input;
  const now = ctx.clock.now();
  const week = shownAround(weekOf ?? asked.day, now);
  const loaded = await loadSearch(ctx, platform, { ...about, where: { kind: 'dates_beside_week', range, week } });
  const { search, live, calendars } = loaded;
  const { requester, other, window } = search;
  const starts = instantsAt(search[asked.whose].timeZone, asked.day, asked.minute);
  const start = asked.isLater ? starts.at(-1) : starts[0];
  const isOver = start !== undefined && start < now;
  const explanation =
    start === undefined || isOver ? undefined : explanationWithWords(explainTime({ ...search, start }));
  const shownDay = weekOf ?? (start === undefined ? asked.day : localDay(requester.timeZone, start));
  const days = localWeek(requester.timeZone, mondayOf(shownDay));
  const ownHolds = (email: string) => live.filter((meeting) => meeting.isOwn && meeting.email === email);
  const bandsOf = (person: typeof requester) => personBands(person, days, ownHolds(person.email));
  return {
    people: [requester, other].map(({ email, timeZone }) => ({ email, timeZone })),
    /**
     * Every instant at which the chosen attendee's clock shows the given time. There are none or two around a change to
     * or from summer time.
     */
    starts,
    start,
    isOver,
    explanation,
    ...withWords(findSlots(search)),
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

/**
 * Returns a span that covers the week around a day, without the past. Includes the week after it if clocks in another
 * time zone may already show that week.
 */
function shownAround(day: number, now: number): Interval {
  const end = (mondayOf(day + 1) + 8) * DAY;
  return { start: Math.max(now, (mondayOf(day - 1) - 1) * DAY), end: Math.max(now, end) };
}
