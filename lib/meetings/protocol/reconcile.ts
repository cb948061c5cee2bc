import { listMeetingPeople } from '../../../schema/meetings/change.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish.ts';
import {
  endLease,
  isHeldBy,
  type Lease,
  leaseOverdue,
  listOverdue,
  type Overdue,
} from '../../../schema/meetings/lease.ts';
import { listConflicts } from '../../../schema/meetings/list.ts';
import { findChangeDue, postponePendingOperation } from '../../../schema/meetings/pending-operations.ts';
import { AFTERWARDS } from '../../../schema/tables/meetings.ts';
import { DAY, HOUR } from '../../engine/time/dates.ts';
import type { Interval } from '../../engine/types.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import type { AppError } from '../../kit/errors.ts';
import { workOff } from '../../kit/work-off.ts';
import { isAsWanted, isClosed, lookUpEvent, shownTime } from './calendar-event.ts';
import { commitBooking, commitCancel, commitReplacement, commitUpdate } from './commit.ts';
import { Intent, type IntentOf } from './intents.ts';
import { type WithPeople, withPeopleOf } from './meeting.ts';
import { CalendarClosed, LEASE_MS, NotYet, UNKNOWN_AFTER_MS, undo, VERIFY_AFTER_MS } from './operation.ts';
import { endUnknown, reconcileLink, verify } from './verify.ts';

const AT_ONCE = 3;
const PER_PLATFORM = 2;
const FIRST_DELAY_MS = 15_000;
const LONGEST_DELAY_MS = HOUR;
/** A new consent makes the work due at once. This delay catches one that comes just as the work is postponed. */
const CLOSED_DELAY_MS = DAY;

export const WAIT_MS = 3_000;
const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 400;
const MIN_RETRY_SECONDS = 1;

/** Takes what a process left when its lease expired. Platforms take turns, so that no backlog delays the others. */
export const reconcileOverdue = (ctx: Ctx, until: number): Promise<void> =>
  workOff(ctx, {
    until,
    atOnce: AT_ONCE,
    perTenant: PER_PLATFORM,
    list: (line) => listOverdue(ctx.db, line),
    tenantOf: ({ platformId }) => platformId,
    run: ({ id }) => reconcile(ctx, id, { isAwaited: false }),
  });

/** Serves a request that waits for the meeting. Does nothing while another process is changing it. */
export const reconcileMeeting = (ctx: Ctx, id: string): Promise<void> => reconcile(ctx, id, { isAwaited: true });

/**
 * Each call of the result sleeps longer, or, once the other's lease has expired, finishes or undoes its work, once.
 * After 3 s in all, it throws the error of `giveUp`, which gets the seconds until a retry makes sense.
 */
export function waitForWriter(ctx: Ctx, giveUp: (retryAfterSeconds: number) => AppError) {
  const giveUpAt = ctx.clock.now() + WAIT_MS;
  let wait = FIRST_POLL_MS;
  let isReconciled = false;
  return async ({ meetingId, leaseUntil }: { meetingId: string | null; leaseUntil: number | null }): Promise<void> => {
    const now = ctx.clock.now();
    if (meetingId !== null && leaseUntil !== null && leaseUntil <= now && !isReconciled) {
      isReconciled = true;
      await reconcileMeeting(ctx, meetingId);
      return;
    }
    if (now >= giveUpAt) {
      const isHeld = leaseUntil !== null && leaseUntil > now;
      const until = isHeld || meetingId === null ? leaseUntil : await findChangeDue(ctx.db, { meetingId });
      throw giveUp(Math.max(MIN_RETRY_SECONDS, Math.ceil(((until ?? now) - now) / 1_000)));
    }
    await ctx.sleep(wait);
    wait = Math.min(LONGEST_POLL_MS, wait * 2);
  };
}

async function reconcile(ctx: Ctx, id: string, { isAwaited }: { isAwaited: boolean }): Promise<void> {
  const owner = ctx.ids.id('own_');
  const now = ctx.clock.now();
  const [[overdue], people] = await ctx.db.batch([
    leaseOverdue(ctx.db, { id, owner, now, leaseUntil: now + LEASE_MS, isAwaited }),
    listMeetingPeople(ctx.db, { meetingId: id }),
  ]);
  if (overdue === undefined) return;
  const lease = { id, owner };
  const { kind } = overdue;
  try {
    const meeting = withPeopleOf(overdue, people);
    if (kind === 'link') await reconcileLink(ctx, lease, meeting);
    else if (kind === 'verify') await verify(ctx, lease, meeting);
    else await reconcileOperation(ctx, lease, meeting, isAwaited);
  } catch (error) {
    if (!(error instanceof NotYet))
      ctx.log('warn', 'work on a calendar is not reconciled yet', { meeting_id: id, kind, error });
    await postpone(ctx, lease, overdue, error instanceof CalendarClosed || isClosed(error));
  }
}

/** An unfinished change keeps the meeting locked, and ends after a day. Work afterwards does neither. */
async function postpone(ctx: Ctx, lease: Lease, meeting: Overdue, isClosedNow: boolean): Promise<void> {
  const { id: meetingId, kind, dueAt, attempts, pendingSince } = meeting;
  const now = ctx.clock.now();
  const longest = Math.min(CLOSED_DELAY_MS, Math.max(LONGEST_DELAY_MS, (now - pendingSince) / 24));
  const later = now + (isClosedNow ? CLOSED_DELAY_MS : Math.min(longest, FIRST_DELAY_MS * 2 ** Math.min(attempts, 20)));
  const isAfterwards = AFTERWARDS.some((one) => one === kind);
  const endsAt = pendingSince + UNKNOWN_AFTER_MS;
  const until = Math.ceil(isAfterwards || endsAt <= now ? later : Math.min(later, endsAt));
  const guard = isAfterwards ? isFinishedBy(lease) : isHeldBy(lease);
  const postponed = postponePendingOperation(ctx.db, { meetingId, kind, dueAt, until, guard });
  if (isAfterwards) await finish(ctx.db, lease, ending.unchanged(), [postponed]);
  else await ctx.db.batch([endLease(ctx.db, { ...lease, now }), postponed]);
}

/**
 * An event in the intended state, or one that a person has moved since, is stored as done, with the time that the
 * calendar shows. Otherwise the change is undone. Without access to the calendar it waits until the owner connects
 * again, but if a request waits for the meeting, a cancellation is completed and anything else undone. If the calendar
 * still cannot be read after a day, the outcome stays unknown (`endUnknown`).
 */
async function reconcileOperation(ctx: Ctx, lease: Lease, meeting: WithPeople<Overdue>, isAwaited: boolean) {
  const intent = Intent.parse(meeting.intent);
  const [requester, other] = meeting.people;
  const isOver = meeting.pendingSince <= ctx.clock.now() - UNKNOWN_AFTER_MS;
  const event = await lookUpEvent(ctx, requester, { ...meeting, id: meeting.providerEventId }).catch((error) => {
    if (!isOver) throw error;
    return 'unknown' as const;
  });
  if (event === 'unknown' || (event === 'closed' && isOver)) return endUnknown(ctx, { lease, intent }, meeting);
  if (event === 'closed' && !isAwaited) throw new CalendarClosed();
  const isThere = typeof event === 'object';
  const { timeZone } = requester;
  const isMoved = isThere && isElsewhere(event, meeting, timeZone);
  switch (intent.kind) {
    case 'book':
      if (!isThere || event.meetingId !== meeting.id) break;
      await commitBooking(
        ctx,
        { lease, intent },
        { ...meeting, conflicts: await listConflicts(ctx.db, meeting) },
        event,
      );
      return;
    case 'cancel':
      if (event !== 'gone' && event !== 'closed') break;
      await commitCancel(ctx, { lease, intent }, meeting, event === 'gone' ? 'deleted' : 'unknown');
      return;
    case 'update':
      if (!isThere) break;
      if (isAsWanted(event, { ...intent, instead: intent.other && other.email }))
        await commitUpdate(ctx, { lease, intent }, meeting, event);
      else if (isMoved && isElsewhere(event, intent, timeZone))
        await commitUpdate(ctx, { lease, intent: asInvited(intent, event) }, meeting, event);
      else break;
      return;
    case 'reschedule':
      if (!isMoved) break;
      await commitReplacement(ctx, { lease, intent }, meeting, event);
      return;
  }
  await undo(ctx, { lease, intent }, { verifyAt: ctx.clock.now() + VERIFY_AFTER_MS });
}

function isElsewhere(event: CalendarEvent, time: Interval, timeZone: string | undefined): boolean {
  const { start, end } = shownTime(event, time, timeZone);
  return start !== time.start || end !== time.end;
}

/** Leaves out the new attendee if the calendar event does not invite them. */
function asInvited({ other, ...intent }: IntentOf<'update'>, { attendees }: CalendarEvent): IntentOf<'update'> {
  const isInvited = attendees.some(({ email }) => email.toLowerCase() === other);
  return isInvited ? { ...intent, other } : intent;
}
