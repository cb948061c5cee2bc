import { batch } from '../../../schema/db.ts';
import type { Snapshot } from '../../../schema/meetings/change.ts';
import type { Limits } from '../../../schema/meetings/holds.ts';
import { type LoadedInBatch, loadInBatch, peopleOfBatch } from '../../availability/read-people.ts';
import { bothOf, readBoth } from '../../availability/search.ts';
import { calendarFailure } from '../../calendars/calls.ts';
import { rankReschedule, rescheduleSpan } from '../../engine/move/rank-reschedule.ts';
import { type RescheduleSearch, withoutOld } from '../../engine/move/reschedule-choices.ts';
import type { MeetingContext } from '../../engine/rank/contexts.ts';
import { findSlotsAround } from '../../engine/rank/find-slots.ts';
import { type PickedSlot, type Ranking, rankAuto } from '../../engine/rank/rank-auto.ts';
import { candidateStarts } from '../../engine/rules/free-time.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Interval } from '../../engine/types.ts';
import type { AskedTimes } from '../../engine/wish/narrowing.ts';
import type { Reading } from '../../engine/wish/reading.ts';
import type { Wish } from '../../engine/wish/wish-parts.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError, asksToCancel, reasonUnclear, withOutcome } from '../../kit/errors.ts';
import type { Learned } from '../../learning/learn-from-reason.ts';
import type { Pair, Person, PersonInZone } from '../../person/person.ts';
import { isTasteOf, isUnclear } from '../../reader/read-text.ts';
import { wishOf } from '../../reader/wish/wish-of.ts';
import type { Asked } from '../../words/asked.ts';
import { sayNoTimes, saySuggestions } from '../../words/no-times.ts';
import { withWords } from '../../words/slots.ts';
import { findEvent, type OwnEvent } from '../protocol/calendar-event.ts';
import { guestOf } from '../protocol/claim.ts';
import { lengthOf } from '../protocol/meeting.ts';
import { DayFull, MeetingChanged, SlotTaken, UNDONE } from '../protocol/operation.ts';
import { limitsAt } from './still-free.ts';

const SEARCHES = 3;
const BUDGET_MS = 20_000;

interface NewMeeting {
  attendees: [string, string];
  durationMinutes: number;
  context?: MeetingContext | undefined;
  asked?: AskedTimes | undefined;
}

/** Ranks the best first. Loads people unless `loaded` has them. Throws `no_availability` with suggestions. */
export async function rankTimes(ctx: Ctx, platform: Platform, meeting: NewMeeting, loaded?: LoadedInBatch) {
  const { attendees, durationMinutes, context, asked } = meeting;
  const of = { platformId: platform.id, emails: attendees };
  const known = loaded ?? (await peopleOfBatch(ctx, platform, await batch(ctx.db, loadInBatch(ctx, of))));
  const both = bothOf(known, { attendees });
  const where = { kind: 'dates' } as const;
  const { search, people, readAt } = await readBoth(ctx, both, { where, durationMinutes, asked, context });
  const pairMeetings = known.pairMeetings;
  return limited(people, readAt, rankedOf(rankAuto({ ...search, context, pairMeetings, ...bothPreferences(people) })));
}

/** Chooses for a reason that was not understood: the meeting moves all the same, or nothing happens. */
export type WhenUnclear = 'move' | 'refuse';

interface Move {
  id: string;
  old: Snapshot;
  within: Interval | undefined;
  asker: { email: string; timeZone: string };
  loaded: LoadedInBatch;
  /** Tandem read this in the rescheduling reason that `asker` gave. */
  reading: Promise<Reading>;
  /** The search already ranks with the changed weights. Absent in a preview, from which nothing is learned. */
  learn?: ((people: Pair<PersonInZone>, reading: Reading) => Learned | Promise<Learned>) | undefined;
  /** True to read the meeting's calendar event beside the calendars, because the meeting is then moved at once. */
  readsEvent?: boolean;
  whenUnclear?: WhenUnclear | undefined;
  /** Start times that must not be chosen, in addition to those that the meeting had before. */
  notAt?: number[];
}

/**
 * Returns the best first, and never a time that the meeting, or one it replaced, had before. A time may overlap the
 * meeting's present time only if the request or the given range asks for it. Then `moving` is the meeting's event,
 * which was left out when both calendars were read. Throws the errors of `rankTimes`.
 */
export async function rankOtherTimes(ctx: Ctx, move: Move) {
  const { id, old, within, asker, loaded } = move;
  const { email, timeZone } = asker;
  const now = ctx.clock.now();
  const both = bothOf(loaded, { attendees: [old.organizer, old.other], guest: guestOf(old) });
  const reading = await move.reading;
  if (reading.cancels !== undefined) throw asksToCancel(reading.cancels);
  const isRefused = move.whenUnclear === 'refuse' && isUnclear(reading);
  const { unasked, ...said } = wishOf(reading, { timeZone, now, oldStart: old.start, oldEnd: old.end });
  // A range of the caller is a time that was asked for.
  const wish = { ...said, ...(within === undefined && unasked && { unasked }) };
  const windowDays = both.people[0].availabilityWindowDays;
  const buffer = Math.max(...both.people.map(({ rules }) => rules.bufferMinutes)) * MINUTE;
  const { start, end } = old;
  const own = { id: old.providerEventId, start, end };
  const isNear = isNearItself(wish, within, old, buffer);
  const span = within ?? rescheduleSpan({ now, old, wish, windowDays });
  const durationMinutes = Math.ceil(lengthOf(old) / MINUTE);
  const where = { kind: 'instants', span } as const;
  const [{ search, people, readAt }, event, learned] = await Promise.all([
    readBoth(ctx, both, { where, durationMinutes, moved: { event: own, isNear } }),
    move.readsEvent ? readEventOf(ctx, both.people[0], own) : undefined,
    isRefused ? undefined : move.learn?.(both.people, reading),
  ]);
  if (isRefused) {
    const other = { ...search, notAt: [old.start] };
    const vacated = withoutOld({ ...other, old: { start, end } });
    throw reasonUnclear(reading.unread, withWords(findSlotsAround(vacated, start, candidateStarts(other))).slots);
  }
  const weights = learned?.weights;
  const taught = (one: PersonInZone) =>
    one.email === email && weights ? { ...one, preferences: { ...one.preferences, weights } } : one;
  const moved: RescheduleSearch = {
    ...search,
    ...bothPreferences([taught(people[0]), taught(people[1])]),
    pairMeetings: loaded.pairMeetings.filter(({ meetingId }) => meetingId !== id),
    within,
    notAt: [old.start, ...old.earlierStarts, ...(move.notAt ?? [])],
    old: { start: old.start, end: old.end },
    wish,
    askerTimeZone: timeZone,
    askedBy: email,
  };
  const asked: Asked = {
    email,
    timeZone,
    wish,
    oldStart: old.start,
    isTaste: isTasteOf(reading),
    taught: learned?.changes.map(({ weight }) => weight),
  };
  const slots = limited(people, readAt, rankedOf(rankReschedule(moved), NOT_MOVED), old.start);
  return { slots, asked, moving: isNear ? own : undefined, reading, people, event, learned };
}

async function readEventOf(ctx: Ctx, requester: Person, own: OwnEvent): Promise<CalendarEvent> {
  try {
    return await findEvent(ctx, requester, own);
  } catch (error) {
    throw withOutcome(calendarFailure(error, requester.email), UNDONE.reschedule);
  }
}

/** The range touches the present time, or the reason asks for a time near it, such as half an hour later. */
function isNearItself({ closeness }: Wish, within: Interval | undefined, { start, end }: Interval, buffer: number) {
  if (within !== undefined && within.start < end + buffer && start - buffer < within.end) return true;
  if (typeof closeness !== 'object') return false;
  return closeness.near < end + buffer && start < closeness.near + (end - start) + buffer;
}

const bothPreferences = ([requester, other]: Pair) => ({
  requesterPreferences: requester.preferences,
  otherPreferences: other.preferences,
});

const NOT_MOVED =
  'The meeting was not moved. Send another reason, or move the meeting to a time of your choice with PUT /v1/meetings/{meeting_id}.';

/** Throws `no_availability` without times, with a message that ends with the sentences in `outcome`. */
function rankedOf<S extends PickedSlot>({ ranked, none }: Ranking<S>, ...outcome: string[]): S[] {
  if (none === undefined) return ranked;
  throw new AppError('no_availability', [sayNoTimes(none), ...outcome].join(' '), {
    suggestions: saySuggestions(none),
  });
}

/** A meeting in the slot must respect both people's limits. `readAt` is when the search read both calendars. */
export type Limited<S> = S & { limits: [Limits, Limits]; readAt: number };

const limited = <S extends PickedSlot>(people: Pair<PersonInZone>, readAt: number, slots: S[], from?: number) =>
  slots.map((slot) => ({ ...slot, limits: limitsAt(people, slot.start, { aside: slot.aside, from }), readAt }));

interface Attempt<C, T> {
  search: () => Promise<C[]>;
  take: (candidate: C) => Promise<T>;
  tooLate: () => Error;
}

/**
 * Takes the first slot that is still free, and searches again, three times in all, if others took every slot, or if the
 * meeting or learned weights changed. A person's full day is left out in the next search, which does not count toward
 * the three. Throws `no_availability`, and the error of `tooLate` after 20 s.
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
    'Other meetings took every time at which both people were free before this meeting could be booked. Send a new request to search again.',
  );
}
