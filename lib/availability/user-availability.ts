import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { freeIntervals } from '../scheduling/free-intervals.ts';
import { type DateRange, searchWindow, windowInterval } from '../scheduling/window.ts';
import { formatInZone } from '../scheduling/zone.ts';
import { connected, personRules, wholePreferences } from '../users/person.ts';
import { endOf, loadPeople, readPerson } from './read-people.ts';

interface Input {
  email: string;
  durationMinutes: number;
  dateRange?: DateRange | undefined;
  isFresh: boolean;
}

/** One person's free intervals from now on, each at least as long as the duration, in the person's own zone. */
export async function userAvailability(ctx: Ctx, platform: Platform, input: Input) {
  const { email, durationMinutes, dateRange, isFresh } = input;
  const now = ctx.clock.now();
  const [people, live, , snapshots] = await loadPeople(ctx, platform, {
    emails: [email],
    rangeEnd: endOf(dateRange),
    isFresh,
  });
  const stored = connected(email, people, 'email');
  const { timeZone } = personRules(stored);
  const windowDays = wholePreferences(stored).availabilityWindowDays;
  const found = searchWindow({ now, timeZone, windowDays, dateRange });
  if (!found.ok)
    throw new AppError('invalid_date_range', found.message, { field: found.field.replace('date_range.', '') });
  const span = windowInterval(found.window, timeZone);
  const { person, calendar } = await readPerson(ctx, stored, span, { live, snapshots });
  const ahead = { start: Math.max(span.start, now), end: span.end };
  return {
    timeZone,
    window: found.window,
    intervals: freeIntervals(person, ahead, durationMinutes).map(({ start, end }) => ({
      startTime: formatInZone(timeZone, start),
      endTime: formatInZone(timeZone, end),
    })),
    calendars: [calendar],
  };
}
