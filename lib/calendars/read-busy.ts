import { busyWithout } from '../engine/rules/free-time.ts';
import type { Interval } from '../engine/types.ts';
import type { ListedEvent } from '../kit/calendar-ports.ts';
import type { Ctx } from '../kit/context.ts';
import type { Reader } from './blocking/choice.ts';
import { readFreeBusy, together } from './blocking/free-busy.ts';
import { withCalendar } from './calls.ts';

/** Searches ignore this event, so that its meeting can move to a time that overlaps the present one. */
export interface MovingEvent extends Interval {
  id: string;
}

/**
 * The event `moving` does not count as busy, so its meeting may move to a time that overlaps its present one. Other
 * events at that time still count. Throws `CalendarError`.
 */
export async function readBusy(ctx: Ctx, person: Reader, span: Interval | readonly Interval[], moving?: MovingEvent) {
  const spans = [span].flat();
  const isNear = moving !== undefined && spans.some(({ start, end }) => moving.start < end && start < moving.end);
  return withCalendar(ctx, person, async (token) => {
    const busy = await readFreeBusy(ctx, token, person, spans, { isAnew: true });
    if (!isNear) return together(busy);
    // The list is read after the busy times, so it contains the events that those busy times come from.
    const listed = await ctx.calendar.listEvents(token, moving.start, moving.end);
    // The moved event is on the main calendar, so its time is removed from that calendar's busy times only.
    return together({ ...busy, main: busyWithout(busy.main, ownTimeIn(listed, moving), othersIn(listed, moving)) });
  });
}

/** Returns undefined if the calendar does not show the event there, or shows it as an all-day event. */
function ownTimeIn(listed: readonly ListedEvent[], { id, start, end }: MovingEvent): Interval | undefined {
  const own = listed.find((event) => event.id === id);
  if (own?.start === undefined || own.end === undefined) return undefined;
  return { start: Math.max(start, own.start), end: Math.min(end, own.end) };
}

/** An all-day event has no clock times, so it counts as blocking the moved event's whole time. */
const othersIn = (listed: readonly ListedEvent[], { id, ...all }: MovingEvent): Interval[] =>
  listed
    .filter((event) => event.id !== id && event.takesTime)
    .map(({ start, end }) => (start === undefined || end === undefined ? all : { start, end }));
