import { type loadBoth, readBoth } from '../../availability/search.ts';
import type { MovingEvent } from '../../calendars/read-busy.ts';
import { findSpreadSlots } from '../../engine/rank/find-slots.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { sayNoTimes, saySuggestions } from '../../words/no-times.ts';
import { withReasons } from '../../words/slots.ts';

/** Time that a proposal offers, with a sentence about it on both people's clocks. */
export interface OfferedTime {
  start: number;
  end: number;
  reason: string;
}

/**
 * Meeting that is to be moved: its calendar event, and the starts that it has or had, which a proposal does not offer
 * again.
 */
export interface MovedFrom {
  event: MovingEvent;
  notAt: number[];
}

/**
 * Picks the best times for a proposal to two loaded people, at most `count`, each on another date where possible. The
 * sentences about them have dates, because people read them days later. If the proposal moves a meeting, that meeting's
 * present time counts as free. Throws `no_availability` if no time is free, and `calendar_*`.
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
