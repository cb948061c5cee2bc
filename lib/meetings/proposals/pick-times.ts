import type { Limits } from '../../../schema/meetings/holds.ts';
import type { ReadWhen, TimesReader } from '../../availability/asked-times.ts';
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
  /** They leave out what the person who asks set aside for this time. Absent if nobody did. */
  limits?: [Limits, Limits];
}

/** A proposal does not offer the starts that the meeting has or had again. */
export interface MovedFrom {
  event: MovingEvent;
  notAt: number[];
}

/** Times that Tandem picked, and what it understood of the text that asks for them, if there is one. */
export interface PickedTimes {
  times: OfferedTime[];
  read?: ReadWhen | undefined;
}

/**
 * Each is on another date where possible, and at a time that `read` says is asked for. Sentences have dates, because people read them days later. The present time
 * of a meeting to move counts as free. Throws `no_availability` and `calendar_*`.
 */
export async function pickTimes(
  ctx: Ctx,
  loaded: Awaited<ReturnType<typeof loadBoth>>,
  { durationMinutes, count, read }: { durationMinutes: number; count: number; read: TimesReader },
  moved?: MovedFrom,
): Promise<PickedTimes> {
  const asked = await read(loaded.people[0], durationMinutes);
  const { search } = await readBoth(ctx, loaded, {
    where: { kind: 'dates' },
    durationMinutes,
    asked,
    ...(moved && { moved: { event: moved.event, isNear: false } }),
  });
  const { slots, facts, none } = findSpreadSlots({ ...search, notAt: moved?.notAt }, count);
  if (none !== undefined)
    throw new AppError(
      'no_availability',
      `${sayNoTimes(none)} No proposal was made. Search a longer range, or offer times of your choice in \`times\`.`,
      { suggestions: saySuggestions(none) },
    );
  const times = withReasons(slots, facts()).map(({ start, end, reason }) => ({ start, end, reason }));
  return { times, read: asked?.read };
}
