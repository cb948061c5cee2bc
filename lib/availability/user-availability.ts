import type { ConnectedPerson } from '../../schema/people/queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { freeIntervals } from '../scheduling/free-intervals.ts';
import { type DateRange, searchWindow, windowInterval } from '../scheduling/window.ts';
import { connected, personRules, wholePreferences } from '../users/person.ts';
import { endOf, loadOwnPerson, loadPeople, readPerson } from './read-people.ts';

interface Search {
  durationMinutes: number;
  dateRange?: DateRange | undefined;
}

/** One person's free intervals from now on, each at least as long as the duration, in the person's own zone. */
export async function userAvailability(
  ctx: Ctx,
  platform: Platform,
  { email, isFresh, ...search }: Search & { email: string; isFresh: boolean },
) {
  const [people, live, , snapshots] = await loadPeople(ctx, platform, {
    emails: [email],
    rangeEnd: endOf(search.dateRange),
    isFresh,
  });
  return intervalsOf(ctx, connected(email, people, 'email'), { live, snapshots }, search);
}

/** The same for the person themselves, whatever platforms they are connected to. */
export async function ownAvailability(ctx: Ctx, user: { userId: string; email: string }, search: Search) {
  const [people, live, snapshots] = await loadOwnPerson(ctx, user, endOf(search.dateRange));
  return intervalsOf(ctx, connected(user.email, people), { live, snapshots }, search);
}

async function intervalsOf(
  ctx: Ctx,
  stored: ConnectedPerson,
  known: Parameters<typeof readPerson>[3],
  { durationMinutes, dateRange }: Search,
) {
  const now = ctx.clock.now();
  const { timeZone } = personRules(stored);
  const windowDays = wholePreferences(stored).availabilityWindowDays;
  const found = searchWindow({ now, timeZone, windowDays, dateRange });
  if (!found.ok)
    throw new AppError('invalid_date_range', found.message, { field: found.field.replace('date_range.', '') });
  const span = windowInterval(found.window, timeZone);
  const { person, calendar } = await readPerson(ctx, stored, span, known);
  const ahead = { start: Math.max(span.start, now), end: span.end };
  return {
    timeZone,
    window: found.window,
    intervals: freeIntervals(person, ahead, durationMinutes),
    calendars: [calendar],
  };
}
