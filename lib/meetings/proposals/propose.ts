import { touchConnections } from '../../../schema/access/connections.ts';
import { type MadeProposal, MOST_OPEN } from '../../../schema/api/proposals.ts';
import type { OnExpiry } from '../../../schema/api/states.ts';
import { refusalOf, retrySerializationFailure, type Statement } from '../../../schema/db.ts';
import { findOpenMove } from '../../../schema/meetings/proposals-accept.ts';
import { beginProposal, insertProposal, type NewProposal } from '../../../schema/meetings/proposals-insert.ts';
import type { About } from '../../../schema/meetings/reserve.ts';
import { type TimesGiven, type TimesReader, timesReader } from '../../availability/asked-times.ts';
import { loadBoth } from '../../availability/search.ts';
import { NOTICE } from '../../engine/rules/free-time.ts';
import { HOUR } from '../../engine/time/dates.ts';
import type { Ctx, Platform, PlatformRef } from '../../kit/context.ts';
import {
  AppError,
  alreadyProposed,
  errorOf,
  meetingBusy,
  peopleKeptChanging,
  tooManyProposals,
} from '../../kit/errors.ts';
import { guestAddress, ID_PREFIX } from '../../kit/ids.ts';
import type { Pair, PersonInZone } from '../../person/person.ts';
import { inBytes, keepAtOnce, type Request, toProposedAnswer, toReadWhen } from '../protocol/kept-answer.ts';
import { aboutOf } from '../protocol/meeting.ts';
import { DayFull, MeetingChanged, SlotTaken } from '../protocol/operation.ts';
import { hiddenUrl, newLink } from '../protocol/proposal-link.ts';
import { clockWarnings, limitsAt, timeWarnings } from '../verbs/still-free.ts';
import {
  assertBookableLater,
  givenTimes,
  type MovedFrom,
  type OfferedTime,
  type PickedTimes,
  pickTimes,
  timesTaken,
} from './offered-times.ts';

const SEARCHES = 3;

/** Error for a person who connected or disconnected after their calendar was read. Nothing was changed. */
export class ConnectionChanged extends Error {}

export interface Offering extends Request {
  /** Name of the requester that the page shows. Null to show the address. */
  requesterName: string | null;
  /** Starts of the times to offer, in epoch milliseconds. If undefined, Tandem picks at most `count` times. */
  starts: number[] | undefined;
  count: number;
  asks?: TimesGiven | undefined;
  expiresInHours: number;
  onExpiry: OnExpiry;
}

interface Input extends Offering, About {
  durationMinutes: number;
  /** IANA time zone of the other person, for a guest. Undefined or null if nobody gave one. */
  guestTimeZone?: string | null | undefined;
}

/**
 * Serves `POST /v1/proposals`. A guest's calendar is not read, and the times are held for the requester alone. Throws
 * `user_not_found`, `calendar_*`, `unknown_time_zone`, `slot_unavailable` with alternatives, `no_availability`,
 * `too_many_proposals`, `invalid_time` naming `times`, and Postgres' refusal of a used idempotency key.
 */
export const proposeTimes = (ctx: Ctx, platform: Platform, input: Input) =>
  proposeFound(ctx, platform, input, {
    find: (read) => findTimes(ctx, platform, { ...input, read }),
    about: () => input,
  });

/** All searches of one request read its text with the same reader. */
export type Reads = { read?: TimesReader };

type Search = Pick<Input, 'attendees' | 'guestTimeZone' | 'durationMinutes' | 'starts' | 'count' | 'asks'> & Reads;

/** Holds nothing. Throws the errors of `proposeTimes` about people, calendars and times. */
export async function findTimes(
  ctx: Ctx,
  platform: Platform,
  { attendees, durationMinutes, starts, ...input }: Search,
  moved?: MovedFrom,
) {
  const { count, asks = {}, read = timesReader(ctx, asks) } = input;
  const guest = { timeZone: input.guestTimeZone ?? undefined };
  const given = starts && { attendees, durationMinutes, starts, guest };
  const loaded = await loadBoth(ctx, platform, { attendees, isFresh: true, guest });
  const found: PickedTimes = given
    ? { times: await givenTimes(ctx, platform, loaded, given, moved) }
    : await pickTimes(ctx, loaded, { durationMinutes, count, read }, moved);
  return { ...found, given, people: loaded.people };
}

interface Proposing<Found> {
  find: (read: TimesReader) => Promise<Found>;
  about: (found: Found) => About & Pick<Input, 'durationMinutes' | 'guestTimeZone'> & Pick<Offer<object>, 'moves'>;
}

/** Throws the errors of `proposeTimes`. */
export async function proposeFound<Found extends Awaited<ReturnType<typeof findTimes>>>(
  ctx: Ctx,
  platform: Platform,
  input: Offering,
  { find, about }: Proposing<Found>,
) {
  assertBookableLater(input.starts ?? [], input.onExpiry, ctx.clock.now());
  const read = timesReader(ctx, input.asks ?? {});
  return holdFound({
    find: () => find(read),
    hold(found) {
      const { given, people, times, read: asked } = found;
      const { moves, ...meeting } = about(found);
      const warnings = [...(input.warnings ?? []), ...(given ? [] : clockWarnings(people)), ...(asked?.warnings ?? [])];
      const said = { status: 201, more: toReadWhen(asked) } as const;
      return holdTimes(ctx, platform, { ...input, ...meeting, warnings }, { people, times, said, moves });
    },
    taken: ({ given }) => given && timesTaken(ctx, platform, given, []),
  });
}

interface Steps<Found, Made> {
  find: () => Promise<Found>;
  hold: (found: Found) => Promise<Made>;
  /** Makes the error for times that the caller chose, in place of which no others are searched. */
  taken?: (found: Found) => Promise<AppError> | undefined;
}

/**
 * Searches again if the times were taken, or if the meeting to move or a person's connection changed since. After the
 * last search, throws `no_availability`, `meeting_busy` or `peopleKeptChanging`.
 */
export async function holdFound<Found, Made>({ find, hold, taken }: Steps<Found, Made>): Promise<Made> {
  let last: unknown;
  for (let left = SEARCHES; left > 0; left -= 1) {
    const found = await find();
    try {
      return await hold(found);
    } catch (error) {
      last = error;
      if (![SlotTaken, MeetingChanged, ConnectionChanged].some((kind) => error instanceof kind)) throw error;
      const refusal = error instanceof SlotTaken && (await taken?.(found));
      if (refusal) throw refusal;
    }
  }
  if (last instanceof ConnectionChanged) throw peopleKeptChanging();
  throw last instanceof MeetingChanged ? meetingBusy() : othersTookThem();
}

export const othersTookThem = () =>
  new AppError(
    'no_availability',
    'No proposal was made, because other meetings took the best times at that moment. Send the request again, with a new Idempotency-Key if it had one.',
  );

export interface Offer<More extends object> {
  people: Pair<PersonInZone>;
  times: OfferedTime[];
  moves?: NewProposal['moves'];
  /** The default is 201 and no further fields. */
  said?: { status: 200 | 201; more: More } | undefined;
}

/** The proposal that a new one answers, and the statements that end it in the same batch, if it is open. */
export interface Answered {
  answers: NonNullable<NewProposal['counterOf']>;
  end: (newId: string) => readonly Statement[];
}

export type ToHold = Omit<Input, 'starts' | 'count' | 'asks'>;

/**
 * One batch ends the answered proposal first. Throws `SlotTaken` if a time was taken since the search, `MeetingChanged`
 * if the meeting to be moved or the answered proposal has changed, and the other errors of `proposeTimes`.
 */
export async function holdTimes<More extends object = object>(
  ctx: Ctx,
  platform: PlatformRef,
  input: ToHold,
  { people, times: offered, moves, said }: Offer<More>,
  answered?: Answered,
) {
  const { attendees, requesterName, durationMinutes, expiresInHours, onExpiry, idempotency, warnings = [] } = input;
  const guestTimeZone = people[1].isGuest ? (input.guestTimeZone ?? null) : null;
  const starts = offered.map(({ start }) => start);
  const now = ctx.clock.now();
  const id = ctx.ids.id(ID_PREFIX.proposal);
  const link = await newLink(ctx, id);
  const last = onExpiry === 'cancel' ? Math.max(...starts) : Math.min(...starts);
  const latest = Math.min(last, moves?.start ?? last) - (onExpiry === 'cancel' ? 0 : NOTICE);
  const expiresAt = Math.min(now + expiresInHours * HOUR, latest);
  const made = { id, requesterName, durationMinutes, ...aboutOf(input), guestTimeZone, expiresAt, onExpiry };
  const times = offered.map((time) => ({ ...time, id: ctx.ids.id(ID_PREFIX.time) }));
  const proposed = toProposedAnswer(
    {
      ...{ ...made, status: 'open', meetingId: null, guestName: null, reason: null, createdAt: now, endedAt: null },
      requesterEmail: attendees[0],
      otherEmail: attendees[1],
      isRequesterConnected: true,
      isOtherConnected: !people[1].isGuest,
      times: times.map((time) => ({ ...time, status: 'held' })),
      movesMeetingId: moves?.meetingId ?? null,
      counterOf: answered?.answers.id ?? null,
    },
    hiddenUrl(link),
    [...warnings, ...offered.flatMap((time) => timeWarnings(people, time))],
  );
  const answer = { ...proposed, ...said?.more } as MadeProposal & More;
  const newProposal = {
    ...made,
    platformId: platform.id,
    attendees,
    guest: people[1].isGuest ? { id: ctx.ids.id('usr_'), address: guestAddress(ctx.ids) } : undefined,
    times: times.map((time) => ({ limits: limitsAt(people, time.start, { from: moves?.start }), ...time })),
    expiresInHours,
    moves,
    counterOf: answered?.answers,
    ...link,
    most: MOST_OPEN,
    buffers: [people[0].rules.bufferMinutes, people[1].rules.bufferMinutes] as [number, number],
    now,
  };
  try {
    await retrySerializationFailure(() =>
      ctx.db.batch([
        ...beginProposal(ctx.db, newProposal),
        ...(answered?.end(id) ?? []),
        ...(idempotency ? [keepAtOnce(ctx, idempotency, inBytes(said?.status ?? 201, answer), id)] : []),
        ...insertProposal(ctx.db, newProposal),
        touchConnections(ctx.db, { platformId: platform.id, emails: attendees, now }),
      ]),
    );
    return answer;
  } catch (error) {
    switch (refusalOf(error)) {
      case 'slot_taken':
        throw new SlotTaken();
      case 'day_full':
        throw new DayFull();
      case 'too_many_open': {
        const open = moves && (await findOpenMove(ctx.db, moves));
        throw open === undefined ? tooManyProposals(MOST_OPEN) : alreadyProposed(open.id);
      }
      case 'not_in_hand':
        throw new MeetingChanged();
      case 'not_connected':
        throw new ConnectionChanged();
      case 'credential_ended':
        throw errorOf('platform_suspended');
      default:
        throw error;
    }
  }
}
