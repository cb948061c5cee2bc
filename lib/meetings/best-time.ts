import type { Limits } from '../../schema/holds/queries.ts';
import type { Snapshot } from '../../schema/meetings/change-queries.ts';
import { listPairTimes } from '../../schema/people/queries.ts';
import { loadBoth, loadSearch, readBoth } from '../availability/search.ts';
import { rankReschedule, rescheduleSpan } from '../engine/move/rank-reschedule.ts';
import type { RescheduleSearch } from '../engine/move/reschedule-choices.ts';
import type { MeetingContext } from '../engine/rank/contexts.ts';
import { CARRIED_DAYS } from '../engine/rank/fairness.ts';
import { type AutoSlot, type PickedSlot, type Ranking, rankAuto } from '../engine/rank/rank-auto.ts';
import { DAY, MINUTE } from '../engine/time/dates.ts';
import type { Interval } from '../engine/types.ts';
import type { Reading } from '../engine/wish/reading.ts';
import type { Wish } from '../engine/wish/wish.ts';
import type { Ctx, Platform } from '../kit/context.ts';
import { AppError } from '../kit/errors.ts';
import type { Learned } from '../learning/learn-from-reason.ts';
import type { Pair, PersonInZone } from '../person/person.ts';
import { isTasteOf } from '../reader/taste.ts';
import { wishOf } from '../reader/wish/wish-of.ts';
import type { Asked } from '../words/asked.ts';
import { sayNoTimes, saySuggestions } from '../words/no-times.ts';
import { limitsAt } from './limits.ts';
import { DayFull, MeetingChanged, SlotTaken } from './operation.ts';

/**
 * Longest time that a reschedule without a given range may look ahead. It counts from now, or from the end of the old
 * meeting if that is later.
 */
const LONGEST_REACH = 500 * DAY;
const SEARCHES = 3;
/** Time in milliseconds after which no further candidate slot is tried. */
const BUDGET_MS = 20_000;

interface NewMeeting {
  attendees: [string, string];
  durationMinutes: number;
  context?: MeetingContext | undefined;
}

/**
 * Returns the meeting times that suit both people, best first, from their current calendars and learned weights. Throws
 * `no_availability` if there are none, with suggestions that would open some.
 */
export async function rankTimes(ctx: Ctx, platform: Platform, meeting: NewMeeting): Promise<Limited<AutoSlot>[]> {
  const { attendees, durationMinutes, context } = meeting;
  const [{ search, people }, pairMeetings] = await Promise.all([
    loadSearch(ctx, platform, { attendees, durationMinutes, where: { kind: 'dates' }, isFresh: true }),
    readPairMeetings(ctx, platform, attendees),
  ]);
  return limited(people, rankedOf(rankAuto({ ...search, context, pairMeetings, ...bothPreferences(people) })));
}

interface Move {
  /** Id of the meeting to move. */
  id: string;
  /** Current state of the meeting to move. */
  old: Snapshot;
  /** Range for the meeting's new time, if the caller gave one. */
  within: Interval | undefined;
  /** Attendee who asks to move the meeting. */
  asker: { email: string; timeZone: string };
  /** Promise of what Tandem read in the reason that `asker` gave. */
  reading: Promise<Reading>;
  /**
   * Promise of the attendee's preference weights after Tandem learned from the reason. This search already uses them.
   * Undefined if there is nothing to learn.
   */
  learning?: Promise<Learned> | undefined;
}

/**
 * Returns other times for a meeting, best first. Also returns the wish read from the rescheduling reason, on the clock
 * of the attendee who asked.
 * - Never returns a time that the meeting, or one it replaced, had before.
 * - A time may overlap the meeting's own only if the wish or the range asks for it. Then `moving` is the event that was
 *   ignored on both calendars.
 * - Throws the errors of `rankTimes`.
 */
export async function rankOtherTimes(ctx: Ctx, platform: Platform, move: Move) {
  const { id, old, within, asker } = move;
  const { email, timeZone } = asker;
  const now = ctx.clock.now();
  const attendees: [string, string] = [old.organizer, old.other];
  const searching = async () => {
    const until = within?.end ?? Math.max(now, old.end) + LONGEST_REACH;
    const [both, reading] = await Promise.all([
      loadBoth(ctx, platform, { attendees, isFresh: true, until }),
      move.reading,
    ]);
    const wish = wishOf(reading, { timeZone, now, oldStart: old.start, oldEnd: old.end });
    const windowDays = both.people[0].availabilityWindowDays;
    const buffer = Math.max(...both.people.map(({ rules }) => rules.bufferMinutes)) * MINUTE;
    const { start, end, providerEventId } = old;
    const event = isNearItself(wish, within, old, buffer) ? { id: providerEventId, start, end } : undefined;
    const span = within ?? rescheduleSpan({ now, old, wish, windowDays });
    const durationMinutes = Math.ceil((end - start) / MINUTE);
    const where = { kind: 'instants', span } as const;
    const read = await readBoth(ctx, both, { where, durationMinutes, moved: { meetingId: id, event } });
    return { ...read, wish, reading, moving: event };
  };
  const [{ search, people, moving, wish, reading }, pairMeetings, learned] = await Promise.all([
    searching(),
    readPairMeetings(ctx, platform, attendees, id),
    move.learning,
  ]);
  // The person was loaded while learning was still running, so the new weights are added here.
  const weights = learned?.weights;
  const taught = (one: PersonInZone) =>
    one.email === email && weights ? { ...one, preferences: { ...one.preferences, weights } } : one;
  const moved: RescheduleSearch = {
    ...search,
    ...bothPreferences([taught(people[0]), taught(people[1])]),
    pairMeetings,
    within,
    notAt: [old.start, ...old.earlierStarts],
    old: { start: old.start, end: old.end },
    wish,
    askerTimeZone: timeZone,
  };
  const asked: Asked = {
    email,
    timeZone,
    wish,
    oldStart: old.start,
    isTaste: isTasteOf(reading),
    taught: learned?.changes.map(({ weight }) => weight),
  };
  return { slots: limited(people, rankedOf(rankReschedule(moved), NOT_MOVED)), asked, moving, reading };
}

/**
 * Returns true if the wish may lead to a time that overlaps the meeting's current time, such as half an hour later for
 * a one-hour meeting.
 */
function isNearItself(
  { closeness }: Wish,
  within: Interval | undefined,
  { start, end }: Interval,
  buffer: number,
): boolean {
  if (within !== undefined && within.start < end + buffer && start - buffer < within.end) return true;
  if (typeof closeness !== 'object') return false;
  return closeness.near < end + buffer && start < closeness.near + (end - start) + buffer;
}

/**
 * Returns the times of two people's meetings with each other, except the meeting `without`. Fairness uses these times
 * to count the minutes that each person has already met outside 08:00-18:00.
 */
async function readPairMeetings(
  ctx: Ctx,
  platform: Platform,
  emails: [string, string],
  without?: string,
): Promise<Interval[]> {
  const since = ctx.clock.now() - CARRIED_DAYS * DAY;
  const meetings = await listPairTimes(ctx.db, { platformId: platform.id, emails, since });
  return meetings.filter(({ meetingId }) => meetingId !== without);
}

const bothPreferences = ([requester, other]: Pair) => ({
  requesterPreferences: requester.preferences,
  otherPreferences: other.preferences,
});

const NOT_MOVED =
  'The meeting was not moved. Send another reason, or set a time yourself with PUT /v1/meetings/{meeting_id}.';

/** Returns the ranked times. If there are none, throws `no_availability`, whose message ends with the `outcome`. */
function rankedOf<S extends PickedSlot>({ ranked, none }: Ranking<S>, ...outcome: string[]): S[] {
  if (none === undefined) return ranked;
  throw new AppError('no_availability', [sayNoTimes(none), ...outcome].join(' '), {
    suggestions: saySuggestions(none),
  });
}

/**
 * A slot, with the buffers and daily limits that a meeting in that slot must respect. They come from both people's
 * rules.
 */
export type Limited<S> = S & { limits: [Limits, Limits] };

const limited = <S extends PickedSlot>(people: Pair<PersonInZone>, slots: S[]): Limited<S>[] =>
  slots.map((slot) => ({ ...slot, limits: limitsAt(people, slot.start) }));

interface Attempt<C, T> {
  search: () => Promise<C[]>;
  take: (candidate: C) => Promise<T>;
  tooLate: () => Error;
}

/**
 * Takes the first candidate slot that is still free. Throws the error of `tooLate` after 20 s, and `no_availability` if
 * no slot can be taken. Searches again, up to three searches in all, in these cases:
 * - Other meetings took every candidate.
 * - The meeting changed since the search.
 * - A person has reached their daily limit on the candidate's day. The next search leaves that day out, and it does not
 *   count toward the three.
 */
export async function takeBest<C, T>(ctx: Ctx, { search, take, tooLate }: Attempt<C, T>): Promise<T> {
  const lastStart = ctx.clock.now() + BUDGET_MS;
  let left = SEARCHES;
  while (left > 0) {
    left -= 1;
    for (const candidate of await search()) {
      if (ctx.clock.now() > lastStart) throw tooLate();
      try {
        return await take(candidate);
      } catch (error) {
        if (error instanceof DayFull) left += 1;
        if (error instanceof DayFull || error instanceof MeetingChanged) break;
        if (!(error instanceof SlotTaken)) throw error;
      }
    }
  }
  throw new AppError(
    'no_availability',
    'Other meetings took every common free time before this meeting could be booked. Send a new request to search again.',
  );
}
