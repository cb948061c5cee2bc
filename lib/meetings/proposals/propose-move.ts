import type { Snapshot } from '../../../schema/meetings/change.ts';
import { type TimesReader, timesReader } from '../../availability/asked-times.ts';
import { loadBoth } from '../../availability/search.ts';
import { NOTICE } from '../../engine/rules/candidates.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import type { Pair, PersonInZone } from '../../person/person.ts';
import { assertConnected, guestOf, unlockedSnapshot } from '../protocol/changeable.ts';
import { toReadWhen } from '../protocol/kept-answer.ts';
import { lengthOf } from '../protocol/meeting.ts';
import { MeetingChanged } from '../protocol/operation.ts';
import { clockWarnings, timeWarnings } from '../verbs/protected-time.ts';
import { assertBookableLater, givenTimes, timesTaken } from './given-times.ts';
import { type OfferedTime, type PickedTimes, pickTimes } from './pick-times.ts';
import { findTimes, holdFound, holdTimes, type Offering, untilOf } from './propose.ts';

interface Input extends Offering {
  meetingId: string;
  attendees: [string, string] | undefined;
  /** IANA time zone of the other person, for a guest. If undefined, it is the one that the meeting has. */
  guestTimeZone?: string | undefined;
  /** Length of the meeting after the move. Undefined for its present length. */
  durationMinutes: number | undefined;
  /** Version that the meeting must still have, because the caller decided on the basis of that version. */
  version?: number | undefined;
}

/**
 * Serves `POST /v1/proposals` with `meeting_id`. The meeting stays until somebody accepts a time, and its present time
 * counts as free. Throws `meeting_not_found`, `forbidden`, `meeting_busy`, `calendar_reconnect_required`, `invalid_*`
 * naming the field, the errors of `proposeTimes`, and `MeetingChanged` for another than the given version.
 */
export async function proposeMove(ctx: Ctx, platform: Platform, input: Input) {
  const { meetingId, starts } = input;
  assertBookableLater(starts ?? [], input.onExpiry, ctx.clock.now());
  const read = timesReader(ctx, input.asks ?? {});
  return holdFound({
    find: () => findMove(ctx, platform, { ...input, read }),
    hold({ old, given, guestTimeZone, attendees, durationMinutes, people, times, read: asked }) {
      const warnings = [...input.warnings, ...(given ? [] : clockWarnings(people)), ...(asked?.warnings ?? [])];
      const { title, description, location, metadata } = old;
      const about = { guestTimeZone, attendees, durationMinutes, title, description, location, metadata, warnings };
      const moves = { meetingId, start: old.start, end: old.end, reading: null, isForDecline: false };
      const said = { status: 201, more: toReadWhen(asked) } as const;
      return holdTimes(ctx, platform, { ...input, ...about }, { people, times, said, moves });
    },
    taken: ({ given }) => given && timesTaken(ctx, platform, given, []),
  });
}

type Search = Pick<
  Input,
  'meetingId' | 'attendees' | 'guestTimeZone' | 'durationMinutes' | 'starts' | 'count' | 'asks' | 'version'
> & { read?: TimesReader };

/** Holds nothing. Throws the errors of `proposeMove` about the meeting, people, calendars and times. */
export async function findMove(ctx: Ctx, platform: Platform, { meetingId, starts, count, version, ...input }: Search) {
  const { asks = {}, read = timesReader(ctx, asks) } = input;
  const old = await movableSnapshot(ctx, platform, meetingId);
  if (version !== undefined && old.version !== version) throw new MeetingChanged();
  const guest = { timeZone: input.guestTimeZone ?? guestOf(old)?.timeZone };
  const attendees = attendeesOf(old, input.attendees);
  const length = input.durationMinutes === undefined ? lengthOf(old) : input.durationMinutes * MINUTE;
  const durationMinutes = Math.ceil(length / MINUTE);
  const moved = movedFrom(old);
  const given = starts && { attendees, durationMinutes, starts, guest };
  const until = untilOf(ctx, { starts, asks });
  const loaded = await loadBoth(ctx, platform, { attendees, isFresh: true, until, guest });
  const found: PickedTimes = given
    ? { times: await givenTimes(ctx, platform, loaded, given, moved) }
    : await pickTimes(ctx, loaded, { durationMinutes, count, read }, moved);
  const times = found.times.map((time) => ({ ...time, end: time.start + length }));
  const { people } = loaded;
  const guestTimeZone = guest.timeZone;
  return { old, given, guestTimeZone, attendees, durationMinutes, people, times, read: found.read };
}

/**
 * Waits until nobody else is changing the meeting. Throws `calendar_reconnect_required` unless both are connected, and
 * `invalid_request` for one that begins within 15 minutes, too soon to answer a proposal.
 */
export async function movableSnapshot(ctx: Ctx, platform: Platform, meetingId: string): Promise<Snapshot> {
  const old = await unlockedSnapshot(ctx, platform, meetingId);
  assertConnected(old, { other: undefined });
  assertBeginsLater(ctx, old);
  return old;
}

/** Throws `invalid_request` for a meeting that begins within 15 minutes. */
export function assertBeginsLater(ctx: Ctx, { start }: Pick<Snapshot, 'start'>): void {
  if (start - NOTICE > ctx.clock.now()) return;
  throw new AppError(
    'invalid_request',
    'This meeting has begun, or begins within 15 minutes, so nobody could answer a proposal in time. Move it with PUT /v1/meetings/{meeting_id} instead.',
    { field: 'meeting_id' },
  );
}

/** A search must leave out the meeting's own event, and the starts that it had or that declined proposals offered. */
export const movedFrom = ({ providerEventId: id, start, end, earlierStarts, declinedStarts }: Snapshot) => ({
  event: { id, start, end },
  notAt: [start, ...earlierStarts, ...declinedStarts],
});

function attendeesOf({ organizer, other }: Snapshot, given: [string, string] | undefined): [string, string] {
  if (given !== undefined && (given[0] !== organizer || given[1] !== other))
    throw new AppError(
      'invalid_attendees',
      `\`attendees\` must be the attendees of the meeting, ${organizer} and ${other}, in this order. You may leave the field out.`,
      { field: 'attendees' },
    );
  return [organizer, other];
}

/** Makes no proposal and reserves nothing. Throws the errors of `proposeTimes` about people, calendars and times. */
export async function previewProposal(ctx: Ctx, platform: Platform, asked: Parameters<typeof findTimes>[2]) {
  const { people, times, read } = await findTimes(ctx, platform, asked);
  return { people, times, read, warnings: warningsAbout(people, times, asked.starts) };
}

/** Makes no proposal and reserves nothing. Throws the errors of `proposeMove` about meeting, people and times. */
export async function previewMove(ctx: Ctx, platform: Platform, asked: Parameters<typeof findMove>[2]) {
  const { old, people, times, read } = await findMove(ctx, platform, asked);
  return { old, people, times, read, warnings: warningsAbout(people, times, asked.starts) };
}

const warningsAbout = (people: Pair<PersonInZone>, times: OfferedTime[], starts: number[] | undefined): string[] => [
  ...(starts === undefined ? clockWarnings(people) : []),
  ...times.flatMap((time) => timeWarnings(people, time)),
];
