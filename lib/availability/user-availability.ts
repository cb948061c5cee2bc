import { freeIntervals } from '../engine/rules/free-time.ts';
import { type DateRange, horizonOf, searchWindow, windowInterval } from '../engine/time/window.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { inKnownZone, type Person, requireConnected } from '../person/person.ts';
import { loadOwnPerson, loadPeople, readPerson } from './read-people.ts';
import { datesRefused } from './search-window.ts';

interface Search {
  durationMinutes: number;
  dateRange?: DateRange | undefined;
}

/** The intervals begin now, are in the person's time zone, and last at least the requested duration. */
export async function userAvailability(
  ctx: Ctx,
  platform: PlatformRef,
  { email, isFresh, ...search }: Search & { email: string; isFresh: boolean },
) {
  const { people, ...known } = await loadPeople(ctx, platform, { emails: [email], isFresh });
  return intervalsOf(ctx, requireConnected(email, people, 'email'), { ...known, sharedBy: platform.id }, search);
}

export async function ownAvailability(ctx: Ctx, user: { userId: string; email: string }, search: Search) {
  const { people, ...known } = await loadOwnPerson(ctx, user);
  return intervalsOf(ctx, requireConnected(user.email, people), known, search);
}

async function intervalsOf(
  ctx: Ctx,
  found: Person,
  known: Parameters<typeof readPerson>[3],
  { durationMinutes, dateRange }: Search,
) {
  const now = ctx.clock.now();
  const located = inKnownZone(found);
  const { timeZone, availabilityWindowDays: windowDays } = located;
  const searched = searchWindow({ now, timeZone, windowDays, dateRange });
  if (!searched.ok) throw datesRefused(searched);
  const span = windowInterval(searched.window, timeZone);
  const { person, calendar } = await readPerson(ctx, located, span, known);
  const ahead = { start: Math.max(span.start, now), end: Math.min(span.end, horizonOf(now)) };
  return {
    timeZone,
    window: searched.window,
    intervals: freeIntervals(person, ahead, durationMinutes),
    calendars: [calendar],
  };
}
