import { loadSearch } from '../availability/search.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import type { MeetingContext } from '../scheduling/contexts.ts';
import { type AutoSlot, rankAuto } from '../scheduling/rank-auto.ts';
import type { Interval } from '../scheduling/types.ts';
import { preferencesOf } from '../users/person.ts';
import { MeetingChanged, SlotTaken } from './operation.ts';

const SEARCHES = 3;
/** No further time is tried later than this. */
const BUDGET_MS = 20_000;

interface Wish {
  attendees: [string, string];
  durationMinutes: number;
  context?: MeetingContext | undefined;
  /** A meeting that is to be moved: it does not count, and its start is not picked again. */
  moving?: { id: string; start: number; within?: Interval | undefined };
}

/**
 * The times that suit both, best first, from both calendars and weights as they are now. Throws `no_availability` when
 * there are none.
 */
export async function rankTimes(ctx: Ctx, platform: Platform, wish: Wish): Promise<AutoSlot[]> {
  const { attendees, durationMinutes, context, moving } = wish;
  const within = moving?.within;
  const { search, people } = await loadSearch(ctx, platform, {
    attendees,
    durationMinutes,
    within,
    without: moving?.id,
  });
  const { ranked, message } = rankAuto({
    ...search,
    context,
    within,
    notAt: moving && [moving.start],
    requesterPreferences: preferencesOf(people[0]),
    otherPreferences: preferencesOf(people[1]),
  });
  if (ranked.length === 0) throw new AppError('no_availability', message ?? 'The two have no common time.');
  return ranked;
}

interface Attempt<C, T> {
  search: () => Promise<C[]>;
  take: (candidate: C) => Promise<T>;
  tooLate: () => Error;
}

/**
 * Takes the first candidate whose time is still free, searching afresh when all are lost to other meetings, or when the
 * meeting is not what was searched for. Throws what `tooLate` makes 20 s into it, and `no_availability`.
 */
export async function takeBest<C, T>(ctx: Ctx, { search, take, tooLate }: Attempt<C, T>): Promise<T> {
  const lastStart = ctx.clock.now() + BUDGET_MS;
  for (let searches = 0; searches < SEARCHES; searches++) {
    for (const candidate of await search()) {
      if (ctx.clock.now() > lastStart) throw tooLate();
      try {
        return await take(candidate);
      } catch (error) {
        if (error instanceof MeetingChanged) break;
        if (!(error instanceof SlotTaken)) throw error;
      }
    }
  }
  throw new AppError('no_availability', 'Every common time was taken by another meeting before it could be booked.');
}
