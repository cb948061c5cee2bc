import { ending, finish, isFinishedBy } from '../../schema/meetings/finish-queries.ts';
import { claimOverdue, endLease, isHeldBy, type Lease, type Overdue } from '../../schema/meetings/lease-queries.ts';
import { listConflicts } from '../../schema/meetings/read-queries.ts';
import { findChangeDue, postponePendingOperation } from '../../schema/pending-operations/queries.ts';
import { AFTERWARDS } from '../../schema/pending-operations/table.ts';
import type { Ctx } from '../context.ts';
import type { AppError } from '../errors.ts';
import type { CalendarEvent } from '../ports.ts';
import type { Interval } from '../scheduling/types.ts';
import { type Which, workOff } from '../work-off.ts';
import { isAsWanted, isClosed, lookUpEvent, shownTime } from './calendar-event.ts';
import { commitBooking } from './commits/booking.ts';
import { commitCancel } from './commits/cancel.ts';
import { commitReplacement } from './commits/replacement.ts';
import { endUnknown } from './commits/unknown.ts';
import { commitUpdate } from './commits/update.ts';
import { Intent, type UpdateIntent } from './intents.ts';
import { reconcileLink } from './late-link.ts';
import { CalendarClosed, LEASE_MS, NotYet, peopleOf, UNKNOWN_AFTER_MS, undo, VERIFY_AFTER_MS } from './operation.ts';
import { verify } from './verify.ts';

const AT_ONCE = 4;
const PER_PLATFORM = 3;
/** At some 30 a second these wait no longer than one. */
const AHEAD = 24;
const FIRST_DELAY_MS = 15_000;
const LONGEST_DELAY_MS = 3_600_000;
/** A consent wakes what waits for it; this is for one that comes just as the work is put off. */
const CLOSED_DELAY_MS = 86_400_000;

const WAIT_MS = 3_000;
const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 400;
const MIN_RETRY_SECONDS = 1;

/**
 * Finishes or undoes what writers that went silent had begun on calendars, the platforms in turn. A calendar that cannot
 * be asked is asked again later, ever more rarely.
 */
export const reconcileOverdue = (ctx: Ctx, until: number): Promise<void> =>
  workOff<Claimed>(ctx, {
    until,
    atOnce: AT_ONCE,
    perOwner: PER_PLATFORM,
    ahead: AHEAD,
    ownerOf: ({ meeting }) => meeting.platformId,
    claim: (which) => claimDue(ctx, which),
    run: ({ lease, meeting }) => reconcile(ctx, lease, meeting, false),
  });

/** The same for one meeting and at once, for a request that waits for it; nothing when another has it in hand. */
export async function reconcileMeeting(ctx: Ctx, id: string): Promise<void> {
  for (const { lease, meeting } of await claimDue(ctx, { limit: 1, id })) await reconcile(ctx, lease, meeting, true);
}

/**
 * A wait for whoever has a meeting in hand, ever longer at each call; one that went silent is reconciled, once. Throws
 * what `giveUp` makes after 3 s in all, given the seconds until the writer's lease ends or the calendar is asked again.
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

interface Claimed {
  lease: Lease;
  meeting: Overdue;
}

type Due = Partial<Which> & Pick<Which, 'limit'> & { id?: string };

async function claimDue(ctx: Ctx, which: Due): Promise<Claimed[]> {
  const owner = ctx.ids.id('own_');
  const now = ctx.clock.now();
  const overdue = await claimOverdue(ctx.db, { owner, now, leaseUntil: now + LEASE_MS, ...which });
  return overdue.map((meeting) => ({ lease: { id: meeting.id, owner }, meeting }));
}

async function reconcile(ctx: Ctx, lease: Lease, meeting: Overdue, isAwaited: boolean): Promise<void> {
  const { id, kind } = meeting;
  try {
    if (kind === 'link') await reconcileLink(ctx, lease, meeting);
    else if (kind === 'verify') await verify(ctx, lease, meeting);
    else await reconcileOperation(ctx, lease, meeting, isAwaited);
  } catch (error) {
    if (!(error instanceof NotYet))
      ctx.log('warn', 'work on a calendar is not reconciled yet', { meeting_id: id, kind, error });
    await postpone(ctx, lease, meeting, error instanceof CalendarClosed || isClosed(error));
  }
}

/**
 * A change keeps its meeting locked meanwhile, for whoever takes it over next, and ends after a day all the same; what is
 * looked after does neither.
 */
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
 * The calendar is asked what came of it: an event that stands as intended, or where a person has moved it since, is
 * committed as it stands, any other outcome is undone. Where it cannot be asked, the person is waited for, unless somebody
 * waits for the meeting; after a day the operation ends.
 */
async function reconcileOperation(ctx: Ctx, lease: Lease, meeting: Overdue, isAwaited: boolean): Promise<void> {
  const intent = Intent.parse(meeting.intent);
  const people = await peopleOf(ctx, meeting.id);
  const [requester, other] = people;
  const emails: [string, string] = [requester.email, other.email];
  const told = { ...meeting, attendees: emails, people };
  const isOver = meeting.pendingSince <= ctx.clock.now() - UNKNOWN_AFTER_MS;
  const event = await lookUpEvent(ctx, requester, meeting.providerEventId).catch((error) => {
    if (!isOver) throw error;
    return 'unknown' as const;
  });
  if (event === 'unknown' || (event === 'closed' && isOver)) return endUnknown(ctx, { lease, intent }, told);
  if (event === 'closed' && !isAwaited) throw new CalendarClosed();
  const isThere = typeof event === 'object';
  const isMoved = isThere && isElsewhere(event, meeting);
  switch (intent.kind) {
    case 'book':
      if (!isThere || event.meetingId !== meeting.id) break;
      await commitBooking(ctx, { lease, intent }, { ...told, conflicts: await listConflicts(ctx.db, told) }, event);
      return;
    case 'cancel':
      if (event !== 'gone' && event !== 'closed') break;
      await commitCancel(ctx, { lease, intent }, told, event === 'gone' ? 'deleted' : 'unknown');
      return;
    case 'update':
      if (!isThere) break;
      if (isAsWanted(event, { ...intent, instead: intent.other && other.email }))
        await commitUpdate(ctx, { lease, intent }, told, event);
      else if (isMoved && isElsewhere(event, intent))
        await commitUpdate(ctx, { lease, intent: asInvited(intent, event) }, told, event);
      else break;
      return;
    case 'reschedule':
      if (!isMoved) break;
      await commitReplacement(ctx, { lease, intent }, told, event);
      return;
  }
  await undo(ctx, { lease, intent }, { verifyAt: ctx.clock.now() + VERIFY_AFTER_MS });
}

function isElsewhere(event: CalendarEvent, time: Interval): boolean {
  const { start, end } = shownTime(event, time);
  return start !== time.start || end !== time.end;
}

/** The second attendee is another only if the calendar has invited them. */
function asInvited({ other, ...intent }: UpdateIntent, { attendees }: CalendarEvent): UpdateIntent {
  const isInvited = attendees.some(({ email }) => email.toLowerCase() === other);
  return isInvited ? { ...intent, other } : intent;
}
