import { findReader } from '../../../schema/calendar-accounts/blocking-queries.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { CalendarError, type ListedCalendar } from '../../ports.ts';
import { withCalendar } from '../calls.ts';
import { isFresh } from '../grants/access-token.ts';
import { readSnapshot } from '../snapshot/read.ts';
import { choose, follow, PRIMARY } from './choice.ts';
import { listCalendars } from './free-busy.ts';
import { markOf, openBlocking, type Reader, saveBlocking } from './stored.ts';

/** One of a person's calendars, as their page shows it. */
export interface ShownCalendar {
  mark: string;
  name: string;
  isMain: boolean;
  isOwned: boolean;
  isTicked: boolean;
  /** Ticked, and the provider does not tell its times. */
  isMissing: boolean;
}

/** What a person's page says of their calendars; `main_alone`: the list may not be seen; `gone`: how many are not in it any more. */
export type MyCalendars =
  | { kind: 'listed'; calendars: ShownCalendar[]; gone: number }
  | { kind: 'main_alone' | 'unavailable' };

/** For a page the provider is waited for no longer. */
const PAGE_WAITS_MS = 1_500;

/**
 * A person's calendars as they are now, and which block their time, soon enough for a page; undefined where the grant turns
 * out to have ended.
 */
export async function myCalendars(ctx: Ctx, reader: Reader): Promise<MyCalendars | undefined> {
  if (reader.status !== 'connected') return undefined;
  const list = await listSoon(ctx, reader);
  if (list === 'ended') return undefined;
  if (typeof list === 'string') return { kind: list };
  const stored = await openBlocking(ctx, reader);
  const blocking = follow(stored, list, stored.missing);
  if (!(await saveBlocking(ctx, reader, stored, blocking))) return { kind: 'unavailable' };
  const calendars = await Promise.all(
    list.map(async ({ id, name, isOwned }) => ({
      mark: await markOf(reader.id, id),
      name,
      isMain: id === PRIMARY,
      isOwned,
      isTicked: [...blocking.calendars, ...blocking.missing].includes(id),
      isMissing: blocking.missing.includes(id),
    })),
  );
  const gone = blocking.missing.filter((id) => !list.some((one) => one.id === id)).length;
  return { kind: 'listed', calendars, gone };
}

/** Whoever saves at the same time goes first; more than these do not meet. */
const TRIES = 3;

/**
 * The person ticked these of the calendars they were shown, by their marks: they block from now on, and what was read before
 * counts no more. `nothing_ticked`: none of them is there, so that nothing was changed.
 */
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
    if (error instanceof AppError && error.code === 'calendar_reconnect_required') return 'ended';
    if (!(error instanceof CalendarError || error instanceof AppError)) throw error;
    ctx.log('warn', 'the list of calendars was not read', { user_id: reader.id, error });
    return 'unavailable';
  }
}

async function listSoon(ctx: Ctx, reader: Reader): Promise<ListedCalendar[] | Unlisted> {
  const listing = listNow(ctx, reader, PAGE_WAITS_MS);
  if (!reader.mayList || isFresh(ctx, reader)) return listing;
  // A refresh takes as long as it takes: cut off, it would leave a token that nobody knows of.
  ctx.later(listing);
  return Promise.race([listing, ctx.sleep(PAGE_WAITS_MS).then(() => 'unavailable' as const)]);
}
