import { explainTime } from '../engine/explain/explain-time.ts';
import { commonBands, localWeek, personBands, withoutPast } from '../engine/explain/week-bands.ts';
import { findSlots } from '../engine/rank/find-slots.ts';
import { DAY, mondayOf } from '../engine/time/dates.ts';
import { type DateRange, windowInterval } from '../engine/time/window.ts';
import { instantsAt, localDay } from '../engine/time/zone.ts';
import type { Interval } from '../engine/types.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { explanationWithWords } from '../words/explanation.ts';
import { withWords } from '../words/slots.ts';
import { loadSearch, type SearchInput } from './search.ts';

/** `day` is a day number. When clocks are put back, some times occur twice, and `isLater` selects the second. */
export interface ClockTime {
  day: number;
  minute: number;
  whose: 'requester' | 'other';
  isLater: boolean;
}

/** Days added to a Saturday or a Sunday to come to the next week. Any other day stays in its week. */
const WEEKEND_DAYS = 2;

interface Input extends Pick<SearchInput, 'attendees' | 'durationMinutes' | 'isFresh'> {
  asked?: ClockTime | undefined;
  dateRange?: DateRange | undefined;
  /** Day number in the week to show. By default it is that of `asked`, or this week, or on a weekend the next. */
  weekOf?: number | undefined;
}

/**
 * Says for one start, if one is given, its rank or the rules that exclude it. Also returns the slots offered, and the
 * week on the requester's calendar as bands, from now on. A start that is past, or that the attendee's clock skips, is
 * not explained. Throws the errors of `findAvailability`.
 */
export async function explainWeek(ctx: Ctx, platform: PlatformRef, input: Input) {
  const { asked, weekOf, dateRange: range, ...about } = input;
  const now = ctx.clock.now();
  const week = shownAround(weekOf ?? asked?.day ?? Math.floor(now / DAY) + WEEKEND_DAYS, now);
  const loaded = await loadSearch(ctx, platform, { ...about, where: { kind: 'dates_beside_week', range, week } });
  const { search, live, calendars } = loaded;
  const { requester, other, window } = search;
  const starts = asked === undefined ? [] : instantsAt(search[asked.whose].timeZone, asked.day, asked.minute);
  const start = asked?.isLater ? starts.at(-1) : starts[0];
  const isOver = start !== undefined && start < now;
  const explanation =
    start === undefined || isOver ? undefined : explanationWithWords(explainTime({ ...search, start }));
  const soon = localDay(requester.timeZone, now) + WEEKEND_DAYS;
  const shownDay = weekOf ?? (start === undefined ? (asked?.day ?? soon) : localDay(requester.timeZone, start));
  const days = localWeek(requester.timeZone, mondayOf(shownDay));
  const bandsOf = (person: typeof requester) => {
    const own = live.filter(({ isOwn, email }) => isOwn && email === person.email);
    return personBands(person, days, own);
  };
  return {
    people: [requester, other].map(({ email, timeZone }) => ({ email, timeZone })),
    /** There are none or two around a change to or from summer time. */
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

/** The span is long enough for a clock in any time zone. Past time is left out. */
function shownAround(day: number, now: number): Interval {
  const end = (mondayOf(day + 1) + 8) * DAY;
  return { start: Math.max(now, (mondayOf(day - 1) - 1) * DAY), end: Math.max(now, end) };
}
