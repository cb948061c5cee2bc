import { isoUtc } from '../../../schema/answers/meeting-answers.ts';
import type { OnExpiry } from '../../../schema/api/states.ts';
import type { Limits } from '../../../schema/meetings/holds.ts';
import type { ReadWhen, TimesReader } from '../../availability/asked-times.ts';
import { readAttendee } from '../../availability/read-people.ts';
import { findAlternatives, type loadBoth, readBoth } from '../../availability/search.ts';
import type { MovingEvent } from '../../calendars/blocking/free-busy.ts';
import { findSpreadSlots } from '../../engine/rank/find-slots.ts';
import { NOTICE } from '../../engine/rules/free-time.ts';
import { type Objection, personObjections } from '../../engine/rules/objections.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import { overlaps } from '../../engine/time/intervals.ts';
import type { Interval } from '../../engine/types.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError, timesUnavailable } from '../../kit/errors.ts';
import type { Guest } from '../../person/guest.ts';
import { sayNoTimes, saySuggestions } from '../../words/no-times.ts';
import { namesOf } from '../../words/people.ts';
import { sayOfferedTime, withReasons } from '../../words/slots.ts';

export interface OfferedTime extends Interval {
  reason: string;
  /** They leave out what the person who asks set aside for this time. Absent if nobody did. */
  limits?: [Limits, Limits];
}

/** A proposal does not offer the starts that the meeting has or had again. */
export interface MovedFrom {
  event: MovingEvent;
  notAt: number[];
}

type Loaded = Awaited<ReturnType<typeof loadBoth>>;

/** All other rules only cause warnings, because the caller has chosen the time. */
const FIRM: Objection['rule'][] = ['busy', 'held', 'buffer', 'focus_block', 'day_limit'];

/** It expires 15 minutes before its earliest time. Throws `invalid_time` if that is over. */
export function assertBookableLater(starts: readonly number[], onExpiry: OnExpiry, now: number): void {
  if (onExpiry !== 'book_first' || starts.every((start) => start - NOTICE > now)) return;
  throw new AppError(
    'invalid_time',
    `With \`on_expiry\` \`book_first\`, every time in \`times\` must be more than ${NOTICE / MINUTE} minutes from now, because Tandem books ${NOTICE / MINUTE} minutes before the earliest time.`,
    { field: 'times' },
  );
}

interface Given {
  attendees: [string, string];
  guest: Guest;
  starts: number[];
  durationMinutes: number;
}

/**
 * Throws `slot_unavailable` with alternatives unless both people are free at all of them, and `calendar_*`. The present
 * time of a meeting to move counts as free, but throws `invalid_time` if it is among them.
 */
export async function givenTimes(ctx: Ctx, platform: Platform, loaded: Loaded, given: Given, moved?: MovedFrom) {
  const spans = given.starts.map((start) => ({ start, end: start + given.durationMinutes * MINUTE }));
  const isStill = spans.some(({ start, end }) => start === moved?.event.start && end === moved.event.end);
  if (isStill)
    throw new AppError('invalid_time', '`times` must not include the time that the meeting has.', { field: 'times' });
  const taken = await takenOf(ctx, loaded, spans, moved?.event);
  if (taken.length > 0) throw await timesTaken(ctx, platform, given, taken);
  return spans.map((span) => ({ ...span, reason: sayOfferedTime(span.start, loaded.people) }));
}

/** Says for each of the two people if they are not free at the time that starts then. */
type Taken = { start: number; by: boolean[] };

/** Somebody is busy or within their buffer, keeps the time free, or takes no more meetings that day. */
async function takenOf(
  ctx: Ctx,
  { people, live, snapshots }: Loaded,
  spans: Interval[],
  moving: MovingEvent | undefined,
): Promise<Taken[]> {
  const others = live.filter(({ takenBy }) => takenBy !== moving?.id);
  const isNear = moving !== undefined && spans.some((span) => overlaps([moving.start, moving.end], span));
  const known = { live: others, snapshots, moving: isNear ? moving : undefined, movesFrom: moving?.start };
  const read = await Promise.all(people.map((person) => readAttendee(ctx, person, spans, known)));
  return spans.flatMap((span) => {
    const by = read.map(({ person }) => personObjections(person, span).some(({ rule }) => FIRM.includes(rule)));
    return by.includes(true) ? [{ start: span.start, by }] : [];
  });
}

export async function timesTaken(ctx: Ctx, platform: Platform, given: Given, taken: Taken[]) {
  const { attendees, durationMinutes, starts, guest } = given;
  const [start = Math.min(...starts)] = taken.map((time) => time.start);
  const { alternatives } = await findAlternatives(ctx, platform, { attendees, durationMinutes, start, guest });
  const { short } = namesOf([{ email: attendees[0] }, { email: attendees[1] }]);
  const [one, other] = attendees.filter((_, place) => taken.some(({ by }) => by[place])).map(short);
  const times = taken.map((time) => isoUtc(time.start));
  return timesUnavailable(times, other === undefined ? one : undefined, alternatives);
}

export interface PickedTimes {
  times: OfferedTime[];
  read?: ReadWhen | undefined;
}

/**
 * Each is on another date where possible, and at a time that `read` says is asked for. Sentences have dates, because
 * people read them days later. The present time of a meeting to move counts as free. Throws `no_availability` and
 * `calendar_*`.
 */
export async function pickTimes(
  ctx: Ctx,
  loaded: Loaded,
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
