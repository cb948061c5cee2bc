import type { Ctx } from '../context.ts';
import type { ListedEvent } from '../ports.ts';
import { busyWithout } from '../scheduling/busy-without.ts';
import type { BusyTimes, Interval } from '../scheduling/types.ts';
import { readFreeBusy, together } from './blocking/free-busy.ts';
import type { Reader } from './blocking/stored.ts';
import { withCalendar } from './calls.ts';

/** An event of ours that is to be moved, and the time it has. */
export interface MovingEvent extends Interval {
  id: string;
}

/**
 * A person's busy times in the span, on all calendars that block their time. The event `moving` does not count, so that it may be moved to a time that overlaps its
 * own; whatever else they have in that time does. Throws `CalendarError`.
 */
export async function readBusy(ctx: Ctx, person: Reader, span: Interval, moving?: MovingEvent): Promise<BusyTimes> {
  const isNear = moving !== undefined && moving.start < span.end && span.start < moving.end;
  return withCalendar(ctx, person, async (token) => {
    const busy = await readFreeBusy(ctx, token, person, span);
    if (!isNear) return together(busy);
    // Read after the busy times, so that whatever is in those is in the list as well.
    const listed = await ctx.calendar.listEvents(token, moving.start, moving.end);
    // The event stands on the main calendar, and takes nothing from another's times.
    return together({ ...busy, main: busyWithout(busy.main, ownTimeIn(listed, moving), othersIn(listed, moving)) });
  });
}

/** Where the calendar itself shows the event within the time that was listed; undefined when it is not there. */
function ownTimeIn(listed: readonly ListedEvent[], { id, start, end }: MovingEvent): Interval | undefined {
  const own = listed.find((event) => event.id === id);
  if (own?.start === undefined || own.end === undefined) return undefined;
  return { start: Math.max(start, own.start), end: Math.min(end, own.end) };
}

/** What else takes time; an event of whole days takes all of it. */
const othersIn = (listed: readonly ListedEvent[], { id, ...all }: MovingEvent): Interval[] =>
  listed
    .filter((event) => event.id !== id && event.takesTime)
    .map(({ start, end }) => (start === undefined || end === undefined ? all : { start, end }));
