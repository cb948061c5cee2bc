import { DEFAULT_LOCATION } from '../../../schema/api/schedule.ts';
import * as batchRows from '../../../schema/meetings/batches.ts';
import * as runRows from '../../../schema/meetings/batches-run.ts';
import type { Ctx } from '../../kit/context.ts';
import { eachOf } from '../../kit/work-off.ts';
import { bothInKnownZones, loadConnected, type Person, requireBothConnected } from '../../person/person.ts';
import { insertEvent, publishEvents } from '../../webhooks/outbox.ts';
import { defaultTitle } from '../../words/title.ts';
import { inBatch, SUGGESTIONS } from '../protocol/failure.ts';
import { JobTaken, SlotTaken } from '../protocol/operation.ts';
import { reconcileMeeting } from '../protocol/reconcile.ts';
import { bookMeeting } from '../verbs/schedule.ts';
import { limitsAt } from '../verbs/still-free.ts';
import { type BatchMeeting, meetingOf, outcomeOf, outcomeOfMiss, publishBatch, type Run } from './batch.ts';
import { planNext } from './place.ts';
import { searchSlice } from './search.ts';

const LEASE_MS = 120_000;
/** Longest wait for a batch's next run, in seconds, while bookings with an unknown outcome are left. */
const LONGEST_WAIT_SECONDS = 3_600;
const LOOKED_AFTER = 5;
/** Largest number of runs in a row that were interrupted or failed. After that, what is not booked fails. */
const MOST_ATTEMPTS = 12;

type Step = 'rests' | { waitSeconds: number; isStuck: boolean };

/**
 * All that a run decides is in the database when it ends, and every statement checks that the run still has the batch,
 * so that a run that died or came back late changes nothing.
 */
export async function runBatch(ctx: Ctx, batchId: string): Promise<void> {
  const now = ctx.clock.now();
  const owner = ctx.ids.id('run_');
  const batch = await runRows.leaseBatch(ctx.db, { id: batchId, owner, now, leaseUntil: now + LEASE_MS });
  if (batch === undefined) return;
  const run: Run = { id: batchId, owner, batch, platform: batch.platform };
  const step = await stepOf(ctx, run).catch((error: unknown): Step => {
    ctx.log('error', 'the run of a batch failed', { batch_id: batchId, error });
    return { waitSeconds: waitAfter(batch.attempts), isStuck: true };
  });
  if (step === 'rests') return;
  const { waitSeconds, isStuck } = step;
  const ended = ctx.clock.now();
  const [released] = await runRows.releaseBatch(ctx.db, {
    ...{ id: batchId, owner, status: batch.status, now: ended },
    nextRunAt: ended + waitSeconds * 1_000,
    attempts: isStuck ? batch.attempts : 0,
  });
  if (released === undefined) return;
  const delaySeconds = Math.ceil(Math.max(0, (released.nextRunAt ?? ended) - ended) / 1_000);
  await publishBatch(ctx, { id: batchId, platformId: batch.platform.id }, delaySeconds);
}

const waitAfter = (attempts: number) => Math.min(LONGEST_WAIT_SECONDS, 5 * 2 ** Math.min(attempts, 10));

async function stepOf(ctx: Ctx, run: Run): Promise<Step> {
  const { batch } = run;
  if (batch.status === 'cancelled') await batchRows.cancelRest(ctx.db, run);
  else if (batch.attempts > MOST_ATTEMPTS)
    await batchRows.failRest(ctx.db, run, {
      ...{ code: 'INTERNAL_ERROR', message: 'Something went wrong on our side. Nothing was booked.' },
      ...{ suggestions: inBatch(SUGGESTIONS.INTERNAL_ERROR), relaxations: [] },
    });
  const [counts] = await batchRows.countBatch(ctx.db, run);
  if (counts === undefined) return 'rests';
  const step = batch.status === 'processing' ? await advance(ctx, run, counts) : undefined;
  if (step !== undefined) return step;
  if (counts.inFlight > 0) return settle(ctx, run);
  return (await end(ctx, run, counts)) ? 'rests' : goesOn(0);
}

/** Returns undefined if nothing is left to search, to plan or to book. */
async function advance(ctx: Ctx, run: Run, { open, placed, inFlight, unread }: batchRows.BatchCounts) {
  const { isDryRun, committedAt, progress } = run.batch;
  const books = !isDryRun || committedAt !== null;
  if (books && placed > inFlight) {
    // A booking may fail and lose its time, and a plan that has begun would still count on that time.
    if (progress !== null) await runRows.keepProgress(ctx.db, { ...run, progress: null });
    return goesOn(await bookSlice(ctx, run));
  }
  if (unread > 0) return goesOn(await searchSlice(ctx, run));
  if (open > 0) {
    await planNext(ctx, run);
    return goesOn(0);
  }
  if (books) return undefined;
  return (await runRows.endPlanning(ctx.db, run)).length > 0 ? 'rests' : goesOn(0);
}

const goesOn = (waitSeconds: number): Step => ({ waitSeconds, isStuck: waitSeconds > 0 });

/** Looks after bookings whose outcome is unknown. Each of them wakes the batch when it is settled. */
async function settle(ctx: Ctx, run: Run): Promise<Step> {
  const begun = await runRows.listInFlight(ctx.db, { id: run.id, limit: LOOKED_AFTER });
  await Promise.all(begun.map((meetingId) => reconcileMeeting(ctx, meetingId)));
  const left = await runRows.listInFlight(ctx.db, { id: run.id, limit: LOOKED_AFTER });
  const isNew = left.length < begun.length;
  return { waitSeconds: isNew ? 0 : waitAfter(run.batch.attempts), isStuck: !isNew };
}

/** Ends a batch of which nothing is open, with its event. Returns false if it was cancelled meanwhile. */
async function end(ctx: Ctx, run: Run, counts: batchRows.BatchCounts): Promise<boolean> {
  const now = ctx.clock.now();
  const { batch } = run;
  const status = batch.status === 'cancelled' ? 'cancelled' : 'completed';
  const { platform, createdAt: acceptedAt } = batch;
  const facts = { platformId: platform.id, batchId: run.id, status, counts, acceptedAt, endedAt: now } as const;
  const event = insertEvent(ctx, 'batch.completed', facts, batchRows.isBatchEndedBy(run));
  const [ended] = await ctx.db.batch([...batchRows.endBatch(ctx.db, run, { status, now }), event.statement]);
  if (ended.length > 0) publishEvents(ctx, event);
  return ended.length > 0;
}

const MEETINGS = 24;
/** Number of meetings that are booked at the same time. Each reads two calendars, and a Worker has six connections. */
const AT_ONCE = 3;
const BUDGET_MS = 20_000;

/** Searches lost places anew. Returns the seconds until the next run, over 0 if only temporary failures happened. */
async function bookSlice(ctx: Ctx, run: Run): Promise<number> {
  const line = (await runRows.listToBook(ctx.db, { id: run.id, limit: MEETINGS })).map(meetingOf);
  const failures = Math.max(0, ...line.map((meeting) => meeting.failures));
  const people = await loadConnected(ctx, run.platform, [...new Set(line.flatMap(({ attendees }) => attendees))]);
  const until = ctx.clock.now() + BUDGET_MS;
  let isStuck = line.length > 0;
  await eachOf(line, AT_ONCE, async (next) => {
    if (ctx.clock.now() <= until && (await bookOne(ctx, run, next, people))) isStuck = false;
  });
  return isStuck ? 5 * 4 ** failures : 0;
}

/** Returns false after a temporary failure. */
async function bookOne(ctx: Ctx, run: Run, meeting: BatchMeeting, people: Person[]): Promise<boolean> {
  try {
    await book(ctx, run, meeting, people);
    return true;
  } catch (error) {
    if (error instanceof JobTaken) return true;
    const { position } = meeting;
    const isMissed = error instanceof SlotTaken;
    const outcome = isMissed ? outcomeOfMiss(meeting) : outcomeOf(error, meeting);
    if (!outcome.again)
      await runRows.endMeetings(ctx.db, run, [{ position, state: outcome.state, reason: outcome.reason }]);
    else if (isMissed) await runRows.missMeeting(ctx.db, run, { position });
    else await runRows.countFailures(ctx.db, run, [position]);
    if (!outcome.again && outcome.reason.code === 'INTERNAL_ERROR')
      ctx.log('error', 'a meeting of a batch failed', { batch_id: run.id, error });
    return isMissed || !outcome.again;
  }
}

async function book(ctx: Ctx, run: Run, meeting: BatchMeeting, people: Person[]): Promise<void> {
  const { position, attendees, title, context, metadata, start, end } = meeting;
  const pair = bothInKnownZones(requireBothConnected(attendees, people));
  // The place may be from a dry run that was committed later.
  if (start <= ctx.clock.now()) throw new SlotTaken();
  await bookMeeting(ctx, run.platform, {
    ...{ attendees, start, end, metadata },
    limits: limitsAt(pair, start),
    known: { people: pair, live: [] },
    title: title ?? defaultTitle(context, attendees),
    description: null,
    location: DEFAULT_LOCATION,
    batch: { run: run.owner, intent: { batchId: run.id, position } },
  });
}
