import { type loadBoth, readBoth } from '../../availability/search.ts';
import type { MovingEvent } from '../../calendars/read-busy.ts';
import { findSpreadSlots } from '../../engine/rank/find-slots.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { sayNoTimes, saySuggestions } from '../../words/no-times.ts';
import { withReasons } from '../../words/slots.ts';

export interface OfferedTime {
  start: number;
  end: number;
  reason: string;
}

/** A proposal does not offer the starts that the meeting has or had again. */
export interface MovedFrom {
  event: MovingEvent;
  notAt: number[];
}

/**
 * Each is on another date where possible. Sentences have dates, because people read them days later. The present time
 * of a meeting to move counts as free. Throws `no_availability` and `calendar_*`.
 */
export async function pickTimes(
  ctx: Ctx,
  loaded: Awaited<ReturnType<typeof loadBoth>>,
  { durationMinutes, count }: { durationMinutes: number; count: number },
  moved?: MovedFrom,
): Promise<OfferedTime[]> {
  const { search } = await readBoth(ctx, loaded, {
    where: { kind: 'dates' },
    durationMinutes,
    ...(moved && { moved: { eventId: moved.event.id, event: undefined } }),
  });
  const { slots, facts, none } = findSpreadSlots({ ...search, notAt: moved?.notAt }, count);
  if (none !== undefined)
    throw new AppError(
      'no_availability',
      `${sayNoTimes(none)} No proposal was made. Search a longer range, or offer times of your choice in \`times\`.`,
      {
        suggestions: saySuggestions(none),
      },
    );
  return withReasons(slots, facts()).map(({ start, end, reason }) => ({ start, end, reason }));
}
