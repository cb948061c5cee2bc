import { DAY } from '../engine/time/dates.ts';
import { HORIZON_DAYS, horizonOf, LONGEST_DAYS } from '../engine/time/window.ts';
import { localDay } from '../engine/time/zone.ts';
import type { Interval } from '../engine/types.ts';
import type { AskedTimes } from '../engine/wish/narrowing.ts';
import { nothingRead, type Reading } from '../engine/wish/reading.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, reasonUnclear } from '../kit/errors.ts';
import type { PersonInZone } from '../person/person.ts';
import type { Calendar } from '../reader/calendar.ts';
import { readByRules } from '../reader/grammar/read.ts';
import { askModel } from '../reader/read-text.ts';
import { describeReading, type Understood, unreadWarning } from '../words/understood.ts';

export interface TimesGiven {
  when?: string | undefined;
  ranges?: Interval[] | undefined;
  /** True if the request has dates too, so that ranges outside them do no harm. */
  isBounded?: boolean | undefined;
  refusesUnclear?: boolean | undefined;
}

/** The times that a request asks for, as they were understood. `read` is undefined for a request without a text. */
export interface TimesAsked extends AskedTimes {
  read?: ReadWhen | undefined;
}

/** The answer says what Tandem understood of `when`, and warns of the words about times that it did not. */
export interface ReadWhen {
  understood: Understood[];
  notUnderstood: string[];
  warnings: string[];
}

/**
 * Returns a function that reads the times that a request asks for, once, on the clock of the requester. In the text only
 * what asks for times or rules them out counts: a move such as "an hour later" needs a meeting, so it is not understood.
 * Throws `invalid_time` for ranges that no search reaches, and `reason_unclear` for a text of which nothing was
 * understood, if the request refuses that.
 */
export function timesReader(ctx: Ctx, { when, ranges, isBounded = false, refusesUnclear = false }: TimesGiven) {
  if (ranges !== undefined) assertRanges(ranges, ctx.clock.now(), isBounded);
  const read = async ({ timeZone }: Writer, durationMinutes: number): Promise<TimesAsked | undefined> => {
    if (when === undefined) return ranges && { ranges };
    // The model is asked only for a request that is admitted, because each of its answers costs.
    await ctx.admitted;
    const { wanted, refused, soon, ...reading } = await readWhen(ctx, when, { timeZone, durationMinutes });
    const { understood, notUnderstood } = describeReading({ wanted, refused, soon, ...reading });
    ctx.log('info', 'a wish for a new meeting was read', {
      read_by: reading.by,
      understood: understood.length,
      not_understood: notUnderstood.length,
    });
    if (refusesUnclear && understood.length === 0) throw reasonUnclear(notUnderstood, [], 'when');
    const quotes = [...new Set(understood.map(({ quote }) => quote))];
    return {
      ...(understood.length > 0 && { words: { quotes, wanted, refused, isSoonest: soon !== undefined } }),
      ...(ranges && { ranges }),
      read: { understood, notUnderstood, warnings: unreadWarning(notUnderstood) },
    };
  };
  let once: ReturnType<typeof read> | undefined;
  return (requester: Writer, durationMinutes: number) => {
    once ??= read(requester, durationMinutes);
    return once;
  };
}

export type TimesReader = ReturnType<typeof timesReader>;
type Writer = Pick<PersonInZone, 'timeZone'>;

function assertRanges(ranges: readonly Interval[], now: number, isBounded: boolean): void {
  const refused = (message: string) => new AppError('invalid_time', message, { field: 'time_ranges' });
  const last = Math.max(...ranges.map(({ end }) => end));
  if (last <= now) throw refused('All of `time_ranges` are in the past. Send ranges that end in the future.');
  if (last > horizonOf(now)) throw refused(`\`time_ranges\` must end at most ${HORIZON_DAYS} days from now.`);
  const days = (last - Math.max(now, Math.min(...ranges.map(({ start }) => start)))) / DAY;
  if (days > LONGEST_DAYS - 1 && !isBounded)
    throw refused(
      `\`time_ranges\` reach over more than ${LONGEST_DAYS - 1} days, but a search covers at most ${LONGEST_DAYS} dates. Send ranges closer together.`,
    );
}

/** Days and minutes of two meetings that never were, so far back and so early that no text means them by chance. */
const MADE_UP = [
  { daysAgo: 7, minute: 3 * 60 },
  { daysAgo: 14, minute: 5 * 60 },
] as const;

async function readWhen(
  ctx: Ctx,
  text: string,
  { timeZone, durationMinutes }: { timeZone: string; durationMinutes: number },
): Promise<Reading> {
  const now = ctx.clock.now();
  const today = localDay(timeZone, now);
  const calendar = { today, durationMinutes, timeZone, isNew: true };
  const read = await askModel(ctx, text, 'reason', { ...calendar, oldDay: today, oldMinute: 0 });
  if (read !== undefined) return ofNewMeeting(read, text);
  const [one, other] = MADE_UP.map(({ daysAgo, minute }) =>
    readByRules(text, { ...calendar, oldDay: today - daysAgo, oldMinute: minute, zonesAt: now } satisfies Calendar),
  );
  return ofNewMeeting(one && other ? inBoth(one, other) : nothingRead('rules'), text);
}

/** Keeps what two readings have in common. What differs refers to the meeting in which alone they differ. */
function inBoth(one: Reading, other: Reading): Reading {
  const known = new Set([...other.wanted, ...other.refused].map((box) => JSON.stringify(box)));
  const referring = [...one.wanted, ...one.refused].filter((box) => !known.has(JSON.stringify(box)));
  const unread = new Set(referring.map(({ quote }) => quote));
  const isKnown = ({ quote }: { quote: string }) => !unread.has(quote);
  return {
    ...one,
    wanted: one.wanted.filter(isKnown),
    refused: one.refused.filter(isKnown),
    unread: [...one.unread, ...unread],
  };
}

/**
 * Leaves in a reading what a search for a new meeting can meet. All other words about times count as not understood, and
 * so does a text in which nothing was found, because nobody sends one that says nothing of times.
 */
function ofNewMeeting(reading: Reading, text: string): Reading {
  const { wanted, refused, moves, soon, standing, cancels, length, unread, by } = reading;
  const kept = new Set([...wanted, ...refused].map(({ quote }) => quote));
  const isSoonest = soon?.when === 'soonest';
  const left = [...moves, ...standing, ...(soon && !isSoonest ? [soon] : [])].map(({ quote }) => quote);
  const others = [cancels, length].flatMap((words) => words ?? []);
  const notRead = [...unread, ...left.filter((quote) => !kept.has(quote)), ...others];
  const isEmpty = kept.size + notRead.length === 0 && !isSoonest;
  return {
    ...{ wanted, refused, by, moves: [], standing: [] },
    ...(isSoonest && { soon }),
    unread: isEmpty ? [text.trim()] : notRead,
  };
}
