import { loadSearch } from '../availability/search.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { type AutoSlot, rankAuto } from '../scheduling/rank-auto.ts';
import type { Interval } from '../scheduling/types.ts';
import { preferencesOf } from '../users/person.ts';

interface Moved {
  id: string;
  attendees: [string, string];
  start: number;
  end: number;
  within?: Interval | undefined;
}

/**
 * Other times for a meeting that is to be moved, best first, from both calendars and weights as they are now. The
 * meeting itself does not count for the most meetings a day. Throws `no_availability` when there are none.
 */
export async function successorSlots(ctx: Ctx, platform: Platform, meeting: Moved): Promise<AutoSlot[]> {
  const { id, attendees, start, end, within } = meeting;
  const durationMinutes = Math.ceil((end - start) / 60_000);
  const { search, people } = await loadSearch(ctx, platform, { attendees, durationMinutes, within, without: id });
  const [requesterTaste, otherTaste] = [preferencesOf(people[0]), preferencesOf(people[1])];
  const { ranked, message } = rankAuto({ ...search, requesterTaste, otherTaste, within, notAt: start });
  if (ranked.length === 0) throw new AppError('no_availability', message ?? 'The two have no other common time.');
  return ranked;
}
