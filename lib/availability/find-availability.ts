import type { Ctx, Platform } from '../context.ts';
import { findSlots } from '../scheduling/find-slots.ts';
import { suggestTitle } from '../scheduling/title.ts';
import { loadSearch, type SearchInput } from './load-search.ts';

interface Input extends SearchInput {
  context?: string | undefined;
}

/** Mutual free slots of two people, best first (`interface.md`, POST /v1/availability). */
export async function findAvailability(ctx: Ctx, platform: Platform, input: Input) {
  const { search, calendars } = await loadSearch(ctx, platform, input);
  const { slots, message } = findSlots(search);
  return {
    slots,
    window: search.window,
    message,
    suggestedTitle: input.context === undefined ? undefined : suggestTitle(input.context, input.attendees),
    calendars,
  };
}
