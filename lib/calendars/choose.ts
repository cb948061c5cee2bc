import { findReader } from '../../schema/access/calendar-accounts.ts';
import { CalendarError, type ListedCalendar } from '../kit/calendar-ports.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, hasCode } from '../kit/errors.ts';
import { choose, follow, markOf, openBlocking, PRIMARY, type Reader, saveBlocking } from './blocking/choice.ts';
import { listCalendars } from './blocking/free-busy.ts';
import { isFresh, withCalendar } from './calls.ts';
import { readSnapshot } from './snapshot/read.ts';

/** Longest time in milliseconds that a person's page waits for the calendar provider. */
const PAGE_WAITS_MS = 1_500;

/**
 * Answers within the time that a page can wait. Returns undefined if the provider says that the grant has ended, and
 * `main_alone` if Tandem may not list them. `gone` counts blocking calendars that are no longer in the list.
 */
export async function myCalendars(ctx: Ctx, reader: Reader) {
  if (reader.status !== 'connected') return undefined;
  const list = await listSoon(ctx, reader);
  if (list === 'ended') return undefined;
  if (typeof list === 'string') return { kind: list };
  const stored = await openBlocking(ctx, reader);
  const blocking = follow(stored, list, stored.missing);
  if (!(await saveBlocking(ctx, reader, stored, blocking))) return { kind: 'unavailable' as const };
  const calendars = await Promise.all(
    list.map(async ({ id, name, isOwned }) => ({
      mark: await markOf(reader.id, id),
      name,
      isMain: id === PRIMARY,
      isOwned,
      isTicked: [...blocking.calendars, ...blocking.missing].includes(id),
      /** It is ticked, but the provider does not share its times. */
      isMissing: blocking.missing.includes(id),
    })),
  );
  const gone = blocking.missing.filter((id) => !list.some((one) => one.id === id)).length;
  return { kind: 'listed' as const, calendars, gone };
}

export type MyCalendars = NonNullable<Awaited<ReturnType<typeof myCalendars>>>;
export type ShownCalendar = Extract<MyCalendars, { kind: 'listed' }>['calendars'][number];

/** A concurrent save makes one attempt fail, and more than three rarely coincide. */
const TRIES = 3;

/** Takes marks (`markOf`). Stored busy times become stale. If no ticked calendar exists any more, changes nothing. */
export async function chooseCalendars(
  ctx: Ctx,
  userId: string,
  { shown, ticked }: { shown: string[]; ticked: string[] },
): Promise<'saved' | 'nothing_ticked' | 'main_alone' | 'unavailable'> {
  for (let left = TRIES; left > 0; left--) {
    const reader = await findReader(ctx.db, userId);
    if (reader?.status !== 'connected') return 'unavailable';
    const list = await listNow(ctx, reader);
    if (list === 'ended') return 'unavailable';
    if (typeof list === 'string') return list;
    const idOf = new Map(await Promise.all(list.map(async ({ id }) => [await markOf(userId, id), id] as const)));
    const idsOf = (marks: string[]) => marks.flatMap((mark) => idOf.get(mark) ?? []);
    const stored = await openBlocking(ctx, reader);
    const next = choose(stored, list, { shown: idsOf(shown), ticked: idsOf(ticked) });
    if (next === undefined) return 'nothing_ticked';
    if (!(await saveBlocking(ctx, reader, stored, next))) continue;
    ctx.later(readSnapshot(ctx, userId));
    return 'saved';
  }
  return 'unavailable';
}

type Unlisted = 'main_alone' | 'unavailable' | 'ended';

async function listNow(ctx: Ctx, reader: Reader, timeoutMs?: number): Promise<ListedCalendar[] | Unlisted> {
  if (!reader.mayList) return 'main_alone';
  try {
    return (await withCalendar(ctx, reader, (token) => listCalendars(ctx, token, { timeoutMs }))) ?? 'main_alone';
  } catch (error) {
    if (hasCode(error, 'calendar_reconnect_required')) return 'ended';
    if (!(error instanceof CalendarError || error instanceof AppError)) throw error;
    ctx.log('warn', 'the list of calendars was not read', { user_id: reader.id, error });
    return 'unavailable';
  }
}

async function listSoon(ctx: Ctx, reader: Reader): Promise<ListedCalendar[] | Unlisted> {
  const listing = listNow(ctx, reader, PAGE_WAITS_MS);
  if (!reader.mayList || isFresh(ctx, reader)) return listing;
  // The listing runs on after the page stops waiting: it may refresh the access token and must save the new one.
  ctx.later(listing);
  return Promise.race([listing, ctx.sleep(PAGE_WAITS_MS).then(() => 'unavailable' as const)]);
}
