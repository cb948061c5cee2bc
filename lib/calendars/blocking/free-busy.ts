import { busyWithout } from '../../engine/rules/free-time.ts';
import { inOrder, union } from '../../engine/time/intervals.ts';
import { parseBusy } from '../../engine/time/provider-time.ts';
import type { BusyTimes, Interval } from '../../engine/types.ts';
import { type BusyTime, CalendarError, type FreeBusy, type ListedEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { unlessRefused, withCalendar } from '../calls.ts';
import { type Blocking, follow, mainAlone, openBlocking, PRIMARY, type Reader, saveBlocking } from './choice.ts';

/** Busy times of a person's main calendar, and of all their other blocking calendars together. */
export interface ReadBusy {
  main: BusyTimes;
  others: BusyTimes;
}

/**
 * If a calendar was deleted or does not share its times, lists the calendars again and decides anew which block.
 * `isAnew` lists them beside the first read. Throws `CalendarError` unless the answer covers all that block.
 */
export async function readFreeBusy(
  ctx: Ctx,
  token: string,
  reader: Reader,
  spans: readonly Interval[],
  { isAnew = false } = {},
): Promise<ReadBusy> {
  const named = (id: string) => (id === PRIMARY ? reader.email : id);
  const ask = ({ calendars }: Blocking) => ctx.calendar.freeBusy(token, calendars.map(named), spans);
  const stored = await openBlocking(ctx, reader);
  const known = reader.mayList ? stored : mainAlone(stored);
  const [blocking, early] = await Promise.all([whichBlock(ctx, token, reader, stored, isAnew), ask(known)]);
  const isCovered = blocking.calendars.every((id) => known.calendars.includes(id));
  const answer = isCovered ? early : await ask(blocking);
  const unknown = blocking.calendars.filter((id) => answer.unknown.has(named(id)));
  if (unknown.length === 0) return parse(answer, blocking, named);
  const [first = PRIMARY] = unknown;
  if (unknown.includes(PRIMARY)) throw answer.unknown.get(named(PRIMARY));
  const refused = unknown.filter((id) => answer.unknown.get(named(id))?.kind === 'not_found');
  const followed = await followList(ctx, token, reader, blocking, refused);
  if (followed === undefined) throw answer.unknown.get(named(first));
  const again = followed.calendars.every((id) => answer.busy.has(named(id))) ? answer : await ask(followed);
  const stillUnknown = followed.calendars.find((id) => again.unknown.has(named(id)));
  if (stillUnknown !== undefined) throw again.unknown.get(named(stillUnknown));
  return parse(again, followed, named);
}

/**
 * Returns the calendars that block a person's time. If the person does not let Tandem list their calendars, only the
 * main calendar blocks. Otherwise lists the calendars first if Tandem never listed them before, or if `isAnew` is set.
 */
async function whichBlock(ctx: Ctx, token: string, reader: Reader, stored: Blocking, isAnew: boolean) {
  if (!reader.mayList) {
    if (stored.isListed) await saveBlocking(ctx, reader, stored, mainAlone(stored));
    return mainAlone(stored);
  }
  if (stored.isListed && !isAnew) return stored;
  const followed = await followList(ctx, token, reader, stored).catch((error) => {
    // Without the list, the calendars that blocked so far can still be read.
    if (!stored.isListed || !(error instanceof CalendarError) || error.kind === 'unauthorized') throw error;
    ctx.log('warn', 'the list of calendars was not read', { user_id: reader.id, error });
    return stored;
  });
  return followed ?? stored;
}

/** Lists the calendars anew, and saves which block. Returns undefined if the provider refuses the list. */
async function followList(ctx: Ctx, token: string, reader: Reader, former: Blocking, refused: string[] = []) {
  const list = await listCalendars(ctx, token);
  if (list === undefined) return undefined;
  const followed = follow(former, list, refused);
  // The save fails if the choice changed meanwhile. That change has already marked the stored busy times as stale.
  await saveBlocking(ctx, reader, former, followed);
  return followed;
}

export const listCalendars = (ctx: Ctx, token: string, options?: { timeoutMs?: number | undefined }) =>
  unlessRefused(ctx.calendar.listCalendars(token, options));

function parse({ busy }: FreeBusy, { calendars }: Blocking, named: (id: string) => string): ReadBusy {
  const of = (ids: string[]): BusyTime[] => ids.flatMap((id) => busy.get(named(id)) ?? []);
  const main = of(calendars.filter((id) => id === PRIMARY));
  return { main: parseBusy(main), others: parseBusy(of(calendars.filter((id) => id !== PRIMARY))) };
}

export function together({ main, others }: ReadBusy): BusyTimes {
  if (others.length === 0) return main;
  return new Float64Array(union(inOrder(Float64Array.from([...inOrder(main), ...inOrder(others)]))));
}

export interface MovingEvent extends Interval {
  id: string;
}

/** Leaves out the event `moving`, so that its meeting may overlap its present time. Throws `CalendarError`. */
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
