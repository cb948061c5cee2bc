import type { Limits } from '../../schema/holds/queries.ts';
import type { Snapshot } from '../../schema/meetings/read-queries.ts';
import { type ConnectedPerson, listPairTimes } from '../../schema/people/queries.ts';
import { loadSearch } from '../availability/search.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError, unknownTimeZone } from '../errors.ts';
import type { Learned } from '../learning/learn-from-reason.ts';
import { tellsTaste, wishFromReason } from '../learning/wish/wish-from-reason.ts';
import type { MeetingContext } from '../scheduling/contexts.ts';
import { DAY } from '../scheduling/dates.ts';
import { CARRIED_DAYS } from '../scheduling/fairness.ts';
import type { PickFacts } from '../scheduling/pick-facts.ts';
import { type AutoSlot, type PickedSlot, type Ranking, rankAuto } from '../scheduling/rank-auto.ts';
import { rankReschedule, rescheduleSpan } from '../scheduling/rank-reschedule.ts';
import { suggestionOf } from '../scheduling/relaxations.ts';
import type { RescheduleSearch } from '../scheduling/reschedule-choices.ts';
import type { Interval } from '../scheduling/types.ts';
import type { Wish } from '../scheduling/wish.ts';
import { isTimeZone } from '../scheduling/zone.ts';
import { personRules, preferencesOf, wholePreferences } from '../users/person.ts';
import type { Asked } from '../wording/asked.ts';
import { limitsAt } from './limits.ts';
import { DayFull, MeetingChanged, SlotTaken } from './operation.ts';

const MINUTE = 60_000;
/** No wish reaches further than this past the meeting. */
const LONGEST_REACH = 500 * 24 * 60 * MINUTE;
const SEARCHES = 3;
/** No further time is tried later than this. */
const BUDGET_MS = 20_000;

interface NewMeeting {
  attendees: [string, string];
  durationMinutes: number;
  context?: MeetingContext | undefined;
}

/**
 * The times that suit both, best first, from both calendars and weights as they are now. Throws `no_availability` when
 * there are none, with what would open some.
 */
export async function rankTimes(ctx: Ctx, platform: Platform, meeting: NewMeeting): Promise<Limited<AutoSlot>[]> {
  const [{ search, people }, pairMeetings] = await Promise.all([
    loadSearch(ctx, platform, { ...meeting, isFresh: true }),
    readPairMeetings(ctx, platform, meeting.attendees),
  ]);
  const { context } = meeting;
  return limited(people, rankedOf(rankAuto({ ...search, context, pairMeetings, ...bothPreferences(people) })));
}

interface Move {
  /** The meeting as it is, and where it is to lie when the caller says so. */
  id: string;
  old: Snapshot;
  within: Interval | undefined;
  /** Who asks, and in which words. */
  asker: { email: string; timeZone: string };
  reason: string;
  /** What the reason teaches about the asker, which counts already; undefined where nothing is to be learned. */
  learning?: Promise<Learned> | undefined;
}

/**
 * Other times for a meeting by what the reason asks for, least bent first, and that wish as it was read on the asker's
 * clock. Never a time that the meeting or one it replaced had, nor one that overlaps its own unless the wish or the range
 * has it: then `moving` is the event that was left out of both calendars. Throws as `rankTimes` does.
 */
export async function rankOtherTimes(ctx: Ctx, platform: Platform, move: Move) {
  const { id, old, within, asker, reason } = move;
  const { email, timeZone } = asker;
  const now = ctx.clock.now();
  const attendees: [string, string] = [old.organizer, old.other];
  const reading = wishOf(ctx, move);
  const earlier = readPairMeetings(ctx, platform, attendees, id);
  const loading = loadSearch(ctx, platform, {
    attendees,
    isFresh: true,
    durationMinutes: Math.ceil((old.end - old.start) / MINUTE),
    without: id,
    covering: {
      until: within?.end ?? Math.max(now, old.end) + LONGEST_REACH,
      scopeFor: async (both) => {
        const wish = await reading;
        const windowDays = wholePreferences(both[0]).availabilityWindowDays;
        const buffer = Math.max(...both.map((person) => personRules(person).bufferMinutes)) * MINUTE;
        const { start, end, providerEventId } = old;
        return {
          within: within ?? rescheduleSpan({ now, old, wish, windowDays }),
          moving: isNearItself(wish, within, old, buffer) ? { id: providerEventId, start, end } : undefined,
        };
      },
    },
  });
  const [{ search, people, moving }, pairMeetings, wish, learned] = await Promise.all([
    loading,
    earlier,
    reading,
    move.learning,
  ]);
  // The person was read while the reason taught its own.
  const weights = learned?.weights;
  const taught = (one: ConnectedPerson) => (one.email === email && weights ? { ...one, weights } : one);
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
  const asked: Asked = { email, timeZone, wish, oldStart: old.start, isTaste: tellsTaste(reason) };
  return { slots: limited(people, rankedOf(rankReschedule(moved))), asked, moving };
}

async function wishOf(ctx: Ctx, { old, asker: { email, timeZone }, reason }: Move): Promise<Wish> {
  if (!isTimeZone(timeZone)) throw unknownTimeZone(email);
  return wishFromReason(ctx, reason, { timeZone, now: ctx.clock.now(), oldStart: old.start, oldEnd: old.end });
}

/** Whether the time that is wished for may overlap the one the meeting has: half an hour later, of a whole hour. */
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

/** The two's meetings with each other that count for what each has carried, but for one. */
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

/** What each has carried, in the words of the wire; undefined when there is nothing to share. */
export const toFairness = ({ fairness }: PickFacts) => fairness && { carried_minutes: fairness.carried };

const bothPreferences = ([requester, other]: [ConnectedPerson, ConnectedPerson]) => ({
  requesterPreferences: preferencesOf(requester),
  otherPreferences: preferencesOf(other),
});

function rankedOf<S extends PickedSlot>({ ranked, message, relaxations = [] }: Ranking<S>): S[] {
  if (ranked.length > 0) return ranked;
  const suggestions = relaxations.map(suggestionOf);
  throw new AppError('no_availability', message ?? 'The two have no common time.', { suggestions });
}

/** A slot with what the two people's rules ask of a meeting there. */
export type Limited<S> = S & { limits: [Limits, Limits] };

const limited = <S extends PickedSlot>(people: [ConnectedPerson, ConnectedPerson], slots: S[]): Limited<S>[] =>
  slots.map((slot) => ({ ...slot, limits: limitsAt(people, slot.start) }));

interface Attempt<C, T> {
  search: () => Promise<C[]>;
  take: (candidate: C) => Promise<T>;
  tooLate: () => Error;
}

/**
 * Takes the first candidate whose time is still free, searching afresh when all are lost to other meetings, when the
 * meeting is not what was searched for, or when a day is full by now, as the next search leaves it out. Throws what
 * `tooLate` makes 20 s into it, and `no_availability`.
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
  throw new AppError('no_availability', 'Every common time was taken by another meeting before it could be booked.');
}
