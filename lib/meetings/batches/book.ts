import { DEFAULT_LOCATION } from '../../../schema/api/schedule.ts';
import { countFailures, endMeetings, listToBook, missMeeting } from '../../../schema/meetings/batches-run.ts';
import type { Ctx } from '../../kit/context.ts';
import { loadConnected } from '../../person/load.ts';
import { bothInKnownZones, type Person, requireBothConnected } from '../../person/person.ts';
import { defaultTitle } from '../../words/title.ts';
import { JobTaken, SlotTaken } from '../protocol/operation.ts';
import { limitsAt } from '../verbs/limits.ts';
import { bookMeeting } from '../verbs/schedule.ts';
import { type BatchMeeting, meetingOf, type Run } from './batch.ts';
import { outcomeOf, outcomeOfMiss } from './outcome.ts';

const MEETINGS = 24;
/** Number of meetings that are booked at the same time. Each reads two calendars, and a Worker has six connections. */
const AT_ONCE = 3;
/** Time in milliseconds after which a run begins no further booking. */
const BUDGET_MS = 20_000;

/**
 * Books each meeting exactly once and checked live. One whose place is not free any more is searched and placed again.
 * Returns the seconds until the next run, more than 0 if nothing else than temporary failures happened.
 */
export async function bookSlice(ctx: Ctx, run: Run): Promise<number> {
  const line = (await listToBook(ctx.db, { id: run.id, limit: MEETINGS })).map(meetingOf);
  const failures = Math.max(0, ...line.map((meeting) => meeting.failures));
  const people = await loadConnected(ctx, run.platform, [...new Set(line.flatMap(({ attendees }) => attendees))]);
  const until = ctx.clock.now() + BUDGET_MS;
  let isStuck = line.length > 0;
  const bookNext = async (): Promise<void> => {
    for (let next = line.shift(); next !== undefined; next = line.shift()) {
      if (ctx.clock.now() > until) return;
      if (await bookOne(ctx, run, next, people)) isStuck = false;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, bookNext));
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
    if (!outcome.again) await endMeetings(ctx.db, run, [{ position, state: outcome.state, reason: outcome.reason }]);
    else if (isMissed) await missMeeting(ctx.db, run, { position });
    else await countFailures(ctx.db, run, [position]);
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
