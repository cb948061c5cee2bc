import { claimKey, type KeyName, releaseKey } from '../../schema/idempotency/queries.ts';
import { abandonMeeting, insertPendingMeeting } from '../../schema/meetings/book-queries.ts';
import { listConnectedPeople } from '../../schema/people/queries.ts';
import { takeQuota } from '../../schema/usage/queries.ts';
import { postgresRefusal } from '../adapters/neon.ts';
import { calendarFailure } from '../calendars/with-calendar.ts';
import type { Ctx, Platform } from '../context.ts';
import { AppError } from '../errors.ts';
import { sha256 } from '../keys.ts';
import { limitsOf } from '../plans.ts';
import { CalendarError } from '../ports.ts';
import { monthOf, quotaExceeded } from '../usage/quota.ts';
import { bothConnected } from '../users/attendees.ts';
import { confirmBooking } from './confirm.ts';
import { putOnCalendar } from './put-on-calendar.ts';

/** How long a writer may be silent before the sweep takes its booking over. */
const LEASE_MS = 60_000;

interface Input {
  attendees: [string, string];
  start: number;
  durationMinutes: number;
  title: string;
  description: string | null;
  location: string;
  idempotency?: (KeyName & { fingerprint: string }) | undefined;
}

/**
 * Books the time it is given (`interface.md`, POST /v1/schedule), in three steps: A promises the meeting in one batch,
 * B puts it on the calendar, C settles. Throws `user_not_found`, `quota_exceeded`, `calendar_*`; `KeyTaken` when the
 * idempotency key has a row already.
 */
export async function createMeeting(ctx: Ctx, platform: Platform, input: Input) {
  const now = ctx.clock.now();
  const id = ctx.ids.id('meet_');
  const owner = ctx.ids.id('own_');
  const meeting = {
    id,
    platformId: platform.id,
    title: input.title,
    description: input.description,
    location: input.location,
    attendees: input.attendees,
    start: input.start,
    end: input.start + input.durationMinutes * 60_000,
  };
  const event = { ...meeting, meetingId: id, id: await eventIdOf(id) };
  const people = await promise(ctx, platform, input, { ...meeting, providerEventId: event.id, owner, now });
  const [requester] = bothConnected(input.attendees, people);
  try {
    const stored = await putOnCalendar(ctx, requester, event);
    const answer = await confirmBooking(ctx, owner, meeting, stored);
    if (answer === undefined) throw new AppError('internal_error', 'The booking took too long and is being settled.');
    return answer;
  } catch (error) {
    if (mayStand(error)) throw calendarFailure(error, requester.email);
    await ctx.db.batch([
      releaseKey(ctx.db, { resourceId: id }),
      ...abandonMeeting(ctx.db, { id, owner, now: ctx.clock.now() }),
    ]);
    throw calendarFailure(error, requester.email);
  }
}

/** The calendar's name for a meeting's event, so that a retry finds it: 40 hex digits are a valid event id. */
export const eventIdOf = async (meetingId: string): Promise<string> =>
  (await sha256(`event:${meetingId}`)).slice(0, 40);

/** After these the calendar may hold the event; the settlement stays and the sweep asks by id. */
function mayStand(error: unknown): boolean {
  return error instanceof CalendarError ? error.kind === 'unavailable' : !(error instanceof AppError);
}

async function promise(
  ctx: Ctx,
  platform: Platform,
  input: Input,
  meeting: Parameters<typeof confirmBooking>[2] & {
    description: string | null;
    providerEventId: string;
    owner: string;
    now: number;
  },
) {
  const { now, owner } = meeting;
  const leaseUntil = now + LEASE_MS;
  const month = monthOf(now);
  const quota = limitsOf(platform.plan).meetingsPerMonth;
  const pending = { ...meeting, guarded: false, usageMonth: month, leaseUntil };
  const claims = input.idempotency
    ? [claimKey(ctx.db, { ...input.idempotency, owner, leaseUntil, resourceId: meeting.id, now })]
    : [];
  try {
    const [people] = await ctx.db.batch([
      listConnectedPeople(ctx.db, { platformId: platform.id, emails: input.attendees }),
      ...claims,
      takeQuota(ctx.db, { platformId: platform.id, month, quota }),
      ...insertPendingMeeting(ctx.db, pending),
    ]);
    return people;
  } catch (error) {
    const { code, constraint } = postgresRefusal(error);
    if (constraint === 'idempotency_keys_pkey') throw new KeyTaken();
    if (constraint === 'usage_within_quota') throw await quotaExceeded(ctx, platform);
    if (code === '23502')
      bothConnected(
        input.attendees,
        await listConnectedPeople(ctx.db, { platformId: platform.id, emails: input.attendees }),
      );
    throw error;
  }
}

/** The idempotency key was claimed before; its row tells the rest. */
export class KeyTaken extends Error {}
