import { ending, finish, isFinishedBy } from '../../schema/meetings/finish-queries.ts';
import { claimOverdue, endLease, isHeldBy, type Lease, type Overdue } from '../../schema/meetings/lease-queries.ts';
import { isLive } from '../../schema/meetings/status.ts';
import {
  deletePendingOperation,
  findChangeDue,
  postponePendingOperation,
} from '../../schema/pending-operations/queries.ts';
import { AFTERWARDS } from '../../schema/pending-operations/table.ts';
import type { ConnectedPerson } from '../../schema/people/queries.ts';
import type { Ctx } from '../context.ts';
import type { AppError } from '../errors.ts';
import { commitBooking } from './commits/booking.ts';
import { commitCancel } from './commits/cancel.ts';
import { commitReplacement } from './commits/replacement.ts';
import { commitUpdate } from './commits/update.ts';
import { deleteEvent, isAsWanted, lookUpEvent, moveEvent } from './event.ts';
import { reconcileLink } from './late-link.ts';
import { Intent, LEASE_MS, NotYet, peopleOf, UndoneIntents, undo, VERIFY_AFTER_MS } from './operation.ts';

const AT_ONCE = 20;
const FIRST_DELAY_MS = 15_000;
const LONGEST_DELAY_MS = 3_600_000;
/** Somebody whose grant has ended can consent again; after that long nobody waits for them. */
const GIVE_UP_AFTER_MS = 7 * 86_400_000;

const WAIT_MS = 3_000;
const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 400;
const MIN_RETRY_SECONDS = 1;

/**
 * Finishes or undoes what a writer that went silent had begun on the calendar. A calendar that cannot be asked is
 * asked again later, ever more rarely.
 */
export async function reconcileOverdue(ctx: Ctx): Promise<void> {
  await reconcileClaimed(ctx, { limit: AT_ONCE });
}

/** The same for one meeting and at once, for a request that waits for it; nothing when another has it in hand. */
export async function reconcileMeeting(ctx: Ctx, id: string): Promise<void> {
  await reconcileClaimed(ctx, { limit: 1, id });
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

async function reconcileClaimed(ctx: Ctx, which: { limit: number; id?: string }): Promise<void> {
  const owner = ctx.ids.id('own_');
  const now = ctx.clock.now();
  const overdue = await claimOverdue(ctx.db, { owner, now, leaseUntil: now + LEASE_MS, ...which });
  await Promise.all(overdue.map((meeting) => reconcile(ctx, { id: meeting.id, owner }, meeting)));
}

async function reconcile(ctx: Ctx, lease: Lease, meeting: Overdue): Promise<void> {
  const { id, kind } = meeting;
  try {
    if (kind === 'link') await reconcileLink(ctx, lease, meeting);
    else if (kind === 'verify') await verify(ctx, lease, meeting);
    else await reconcileOperation(ctx, lease, meeting);
  } catch (error) {
    if (!(error instanceof NotYet))
      ctx.log('warn', 'work on a calendar is not reconciled yet', { meeting_id: id, kind, error });
    await postpone(ctx, lease, meeting);
  }
}

/** A change keeps its meeting locked meanwhile, for whoever takes it over next; what is looked after does not. */
async function postpone(ctx: Ctx, lease: Lease, { id: meetingId, kind, attempts }: Overdue): Promise<void> {
  const now = ctx.clock.now();
  const dueAt = now + Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempts);
  const isAfterwards = AFTERWARDS.some((one) => one === kind);
  const guard = isAfterwards ? isFinishedBy(lease) : isHeldBy(lease);
  const later = postponePendingOperation(ctx.db, { meetingId, kind, dueAt, guard });
  if (isAfterwards) await finish(ctx.db, lease, ending.unchanged(), [later]);
  else await ctx.db.batch([endLease(ctx.db, { ...lease, now }), later]);
}

/** The calendar is asked what came of it: an event that stands as intended is committed, any other outcome is undone. */
async function reconcileOperation(ctx: Ctx, lease: Lease, meeting: Overdue): Promise<void> {
  const intent = Intent.parse(meeting.intent);
  const [requester, other] = await peopleOf(ctx, meeting.id);
  const emails: [string, string] = [requester.email, other.email];
  const told = { ...meeting, attendees: emails };
  const event = await lookUpEvent(ctx, requester, meeting.providerEventId);
  switch (intent.kind) {
    case 'book':
      if (typeof event !== 'object' || event.meetingId !== meeting.id) break;
      await commitBooking(ctx, { lease, intent }, told, event);
      return;
    case 'cancel':
      if (event !== 'gone') break;
      await commitCancel(ctx, { lease, intent }, told, 'deleted');
      return;
    case 'update':
      if (typeof event !== 'object' || !isAsWanted(event, { ...intent, instead: intent.other && other.email })) break;
      await commitUpdate(ctx, { lease, intent }, told);
      return;
    case 'reschedule':
      if (typeof event !== 'object' || !isAsWanted(event, intent)) break;
      await commitReplacement(ctx, { lease, intent }, told, event);
      return;
  }
  await undo(ctx, { lease, intent }, ctx.clock.now() + VERIFY_AFTER_MS);
}

/**
 * The delayed verification: takes back what a late call did to a booking that was given up or a change that was undone,
 * and deletes what a cancellation had to leave on a calendar that was closed to the platform then.
 */
async function verify(ctx: Ctx, lease: Lease, meeting: Overdue): Promise<void> {
  const { id: meetingId } = meeting;
  if (meeting.pendingSince <= ctx.clock.now() - GIVE_UP_AFTER_MS)
    ctx.log('warn', 'a calendar could not be looked at again', { meeting_id: meetingId });
  else if (await isFoundCancelled(ctx, lease, meeting)) return;
  await finish(ctx.db, lease, ending.unchanged(), [
    deletePendingOperation(ctx.db, { meetingId, kind: 'verify', guard: isFinishedBy(lease) }),
  ]);
}

/** Takes back what is found; true when the meeting itself turned out cancelled. */
async function isFoundCancelled(ctx: Ctx, lease: Lease, meeting: Overdue): Promise<boolean> {
  const people = await peopleOf(ctx, meeting.id);
  if (meeting.status === 'failed' || meeting.status === 'cancelled')
    await deleteEvent(ctx, people[0], meeting.providerEventId);
  return isLive(meeting.status) && takeBack(ctx, lease, meeting, people);
}

/** True when the meeting was found cancelled after all; a late deletion cannot be taken back. */
async function takeBack(
  ctx: Ctx,
  lease: Lease,
  meeting: Overdue,
  [requester, other]: [ConnectedPerson, ConnectedPerson],
): Promise<boolean> {
  const undone = Object.values(UndoneIntents.parse(meeting.intent));
  const event = await lookUpEvent(ctx, requester, meeting.providerEventId);
  if (event === 'closed') return false;
  if (event === 'gone') {
    const intent = undone.find(({ kind }) => kind === 'cancel');
    if (intent?.kind !== 'cancel') return false;
    const told = { ...meeting, attendees: [requester.email, other.email] satisfies [string, string] };
    await commitCancel(ctx, { lease, intent }, told, 'deleted');
    return true;
  }
  for (const intent of undone) {
    if (intent.kind === 'cancel' || intent.kind === 'book' || !isAsWanted(event, { ...intent, instead: undefined }))
      continue;
    const instead = intent.kind === 'update' ? intent.other : undefined;
    const due = { start: meeting.start, end: meeting.end, other: other.email, instead };
    await moveEvent(ctx, requester, meeting.providerEventId, due);
    return false;
  }
  return false;
}
