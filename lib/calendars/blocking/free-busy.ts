import type { Ctx } from '../../context.ts';
import { type BusyTime, CalendarError, type FreeBusy } from '../../ports.ts';
import { inOrder, union } from '../../scheduling/intervals.ts';
import { parseBusy } from '../../scheduling/provider-time.ts';
import type { BusyTimes, Interval } from '../../scheduling/types.ts';
import { type Blocking, follow, mainAlone, PRIMARY } from './choice.ts';
import { openBlocking, type Reader, saveBlocking } from './stored.ts';

/** Busy times of the main calendar, and of all others that block together. */
export interface ReadBusy {
  main: BusyTimes;
  others: BusyTimes;
}

/**
 * The busy times of all calendars that block a person's time, or `CalendarError`: an answer that says nothing of one of
 * them is none. Where it does so because that calendar is gone, or not one whose times are told, the list is read anew and
 * what blocks follows it (`follow`). `isAnew` reads the list first.
 */
export async function readFreeBusy(
  ctx: Ctx,
  token: string,
  reader: Reader,
  { start, end }: Interval,
  { isAnew = false } = {},
): Promise<ReadBusy> {
  const named = (id: string) => (id === PRIMARY ? reader.email : id);
  const ask = ({ calendars }: Blocking) => ctx.calendar.freeBusy(token, calendars.map(named), start, end);
  const blocking = await whichBlock(ctx, token, reader, isAnew);
  const answer = await ask(blocking);
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

/** Which block, by the list where that may be read and was not yet, or is to be read anew. */
async function whichBlock(ctx: Ctx, token: string, reader: Reader, isAnew: boolean): Promise<Blocking> {
  const stored = await openBlocking(ctx, reader);
  if (!reader.mayList) {
    if (stored.isListed) await saveBlocking(ctx, reader, stored, mainAlone(stored));
    return mainAlone(stored);
  }
  if (stored.isListed && !isAnew) return stored;
  const followed = await followList(ctx, token, reader, stored).catch((error) => {
    // What blocked yesterday is told today, list or none.
    if (!stored.isListed || !(error instanceof CalendarError) || error.kind === 'unauthorized') throw error;
    ctx.log('warn', 'the list of calendars was not read', { user_id: reader.id, error });
    return stored;
  });
  return followed ?? stored;
}

/** What blocks by the list as it is now, kept; undefined where the list is refused. */
async function followList(ctx: Ctx, token: string, reader: Reader, former: Blocking, refused: string[] = []) {
  const list = await listCalendars(ctx, token);
  if (list === undefined) return undefined;
  const followed = follow(former, list, refused);
  // Somebody who changed it meanwhile has marked what is read now as out of date.
  await saveBlocking(ctx, reader, former, followed);
  return followed;
}

/** A person's calendars; undefined where the provider refuses to list them. */
export async function listCalendars(ctx: Ctx, token: string, options?: { timeoutMs?: number | undefined }) {
  try {
    return await ctx.calendar.listCalendars(token, options);
  } catch (error) {
    if (error instanceof CalendarError && ['forbidden', 'not_found'].includes(error.kind)) return undefined;
    throw error;
  }
}

function parse({ busy }: FreeBusy, { calendars }: Blocking, named: (id: string) => string): ReadBusy {
  const of = (ids: string[]): BusyTime[] => ids.flatMap((id) => busy.get(named(id)) ?? []);
  const main = of(calendars.filter((id) => id === PRIMARY));
  return { main: parseBusy(main), others: parseBusy(of(calendars.filter((id) => id !== PRIMARY))) };
}

/** The busy times of both, merged. */
export function together({ main, others }: ReadBusy): BusyTimes {
  if (others.length === 0) return main;
  return new Float64Array(union(inOrder(Float64Array.from([...packed(main), ...packed(others)]))));
}

const packed = (times: BusyTimes): Float64Array =>
  times instanceof Float64Array ? times : Float64Array.from(times.flatMap(({ start, end }) => [start, end]));
