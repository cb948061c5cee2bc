import type { Ctx, Platform } from '../context.ts';
import { explainTime } from '../scheduling/explain-time.ts';
import { loadSearch, type SearchInput } from './load-search.ts';

/** Whether the search would offer this start and how it ranks, or which rules of whom stand against it. */
export async function explainAvailability(ctx: Ctx, platform: Platform, input: SearchInput & { start: number }) {
  const { search, calendars } = await loadSearch(ctx, platform, input);
  return { explanation: explainTime({ ...search, start: input.start }), window: search.window, calendars };
}
