import { loadSearch } from '../availability/search.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import type { CONTEXTS } from '../scheduling/contexts.ts';
import { type AutoSlot, rankAuto } from '../scheduling/rank-auto.ts';
import { preferencesOf } from '../users/person.ts';
import type { JobRequest } from './accept-job.ts';

/** The times that suit both, best first, from both calendars as they are now; throws `no_availability` when there are none. */
export async function pickSlots(ctx: Ctx, platform: Platform, request: JobRequest): Promise<AutoSlot[]> {
  const { attendees, durationMinutes, context } = request;
  const { search, people } = await loadSearch(ctx, platform, { attendees, durationMinutes });
  const [requesterTaste, otherTaste] = [preferencesOf(people[0]), preferencesOf(people[1])];
  const { ranked, message } = rankAuto({ ...search, context, requesterTaste, otherTaste });
  if (ranked.length === 0) throw new AppError('no_availability', message ?? 'The two have no common time.');
  return ranked;
}

/** Why this slot, written from the factors that ranked it. */
export function reasoningOf(slot: AutoSlot, context: keyof typeof CONTEXTS | undefined): string {
  const times = slot.attendees.map(({ email, startTime, timezone }) => `${startTime} for ${email} (${timezone})`);
  const kind = context === undefined ? 'a meeting' : `${context.replaceAll('_', ' ')}`;
  return `Picked ${times.join(' and ')} as the best open time for ${kind}. ${slot.reason} The match is ${slot.matchQuality}.`;
}
