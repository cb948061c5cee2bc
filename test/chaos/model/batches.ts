import type { Result } from '../../support/people/batches.ts';
import type { Ask, BatchPair, ShownBatch, Trace } from '../trace.ts';
import { type Meetings, wasMovedTo } from './meetings.ts';
import { instant, type Told } from './told.ts';

const ENDS: Record<string, string[]> = {
  planned: ['placed', 'unplaced', 'failed'],
  completed: ['booked', 'unplaced', 'failed'],
  cancelled: ['booked', 'unplaced', 'failed', 'cancelled'],
};

/**
 * Checks the batches: every reference of a request is shown once and ends as booked, unplaced, failed or cancelled, the
 * last only if somebody stopped the batch. A booked one has exactly one meeting, which no other reference has, and every
 * other one has a reason and no meeting. Each end of a batch was told of once.
 */
export function strangeBatches(trace: Trace, told: Told[], meetings: Meetings): string[] {
  const { batches } = trace.shown;
  const ends = told.filter(({ type }) => type === 'batch.completed');
  const known = new Set(batches.map(({ batch_id: id }) => id));
  const unheard = ends.filter(({ data }) => !known.has(data.batch_id ?? ''));
  const sent = trace.asks.filter(({ operation }) => operation === 'batch');
  const lost = sent.filter(({ answers }) => answers.every(({ status }) => status !== 202));
  const most = lost.reduce((sum, { broken, answers }) => sum + broken + answers.length, 0);
  return [
    ...(unheard.length <= most ? [] : [`${unheard.length} batches ended that nobody had sent`]),
    ...batches.flatMap((batch) => {
      const ask = sent.find(({ answers }) => answers.some(({ text }) => text.includes(`"${batch.batch_id}"`)));
      if (ask?.pairs === undefined) return [`nobody sent batch ${batch.batch_id}`];
      const of = { batch, ask, pairs: ask.pairs };
      return [
        ...strangeEnd(of, ends, trace),
        ...strangeReferences(of),
        ...batch.meetings.flatMap((result, at) => strangeResult(of, result, ask.pairs?.[at], trace, meetings)),
      ];
    }),
  ];
}

interface Sent {
  batch: ShownBatch;
  ask: Ask;
  pairs: BatchPair[];
}

const requests = (operation: Ask['operation'], { batch_id: id }: ShownBatch, { asks }: Trace) =>
  asks.filter((ask) => ask.operation === operation && ask.batchId === id);

function strangeEnd({ batch, ask }: Sent, ends: Told[], trace: Trace): string[] {
  const { batch_id: id, status, ended_at: endedAt, counts } = batch;
  const mine = ends.filter(({ data }) => data.batch_id === id);
  const isStopped = requests('batchstop', batch, trace).length > 0;
  const isCommitted = requests('batchcommit', batch, trace).some(({ answers }) =>
    answers.some((answer) => answer.status === 202),
  );
  const isHeard = requests('batchstop', batch, trace).some(({ answers }) => answers.some((one) => one.status === 200));
  if (status === 'planned')
    return ask.isDryRun && !isCommitted && !isHeard && endedAt === null && mine.length === 0
      ? []
      : [`batch ${id} is planned, was ${isCommitted ? '' : 'not '}committed and told ${mine.length} times as ended`];
  const [end] = mine;
  if (endedAt === null || end === undefined || mine.length > 1)
    return [`${status} batch ${id} ended at ${endedAt} and was told ${mine.length} times`];
  const data = end.data as unknown as { status: string; counts: Record<string, number> };
  const shown: Record<string, number> = counts;
  const isSame = data.status === status && Object.entries(data.counts).every(([state, n]) => shown[state] === n);
  return [
    ...(status === 'completed' || isStopped ? [] : [`nobody stopped the ${status} batch ${id}`]),
    ...(status === 'completed' && isHeard ? [`batch ${id} was stopped and completed`] : []),
    ...(status === 'completed' && ask.isDryRun && requests('batchcommit', batch, trace).length === 0
      ? [`nobody committed the dry run ${id}, and it completed`]
      : []),
    ...(isSame && end.platform === batch.platform ? [] : [`batch ${id} was told as ${JSON.stringify(data)}`]),
  ];
}

/** Checks that each reference is shown once, in the order of the request, and is counted under its state. */
function strangeReferences({ batch, pairs }: Sent): string[] {
  const { batch_id: id, meetings, total, counts } = batch;
  const names = (list: { reference: string; attendees: string[] }[]) =>
    list.map(({ reference, attendees }) => `${reference} of ${attendees}`).join('; ');
  const isCounted = Object.entries(counts).every(
    ([state, n]) => meetings.filter((one) => one.state === state).length === n,
  );
  return [
    ...(names(meetings) === names(pairs) && total === pairs.length
      ? []
      : [`batch ${id} was sent with ${names(pairs)} and has ${total}: ${names(meetings)}`]),
    ...(isCounted ? [] : [`batch ${id} counts ${JSON.stringify(counts)}, not what it shows`]),
  ];
}

/** Checks one reference: its state, its reason, and that it has a meeting exactly if it is booked. */
function strangeResult(
  { batch, ask }: Sent,
  { reference, state, start_time: at, meeting_id: meetingId, reason }: Result,
  pair: BatchPair | undefined,
  trace: Trace,
  meetings: Meetings,
): string[] {
  const of = `${reference} of batch ${batch.batch_id}`;
  const made = trace.shown.meetings.filter(({ title }) => title === pair?.title);
  const first = made.filter(({ meeting_id: id }) => meetings.get(id)?.made[0]?.data.rescheduled_from === undefined);
  const isReasoned = ['unplaced', 'failed'].includes(state);
  const found = [
    ...(ENDS[batch.status]?.includes(state) ? [] : [`${of} is ${state} at the end`]),
    ...(isReasoned === (reason !== null) ? [] : [`${state} ${of} has the reason ${reason?.code}`]),
  ];
  if (state !== 'booked')
    return [
      ...found,
      ...(meetingId === null && made.length === 0 ? [] : [`${state} ${of} has ${made.length} meetings, ${meetingId}`]),
    ];
  const [meeting] = first;
  if (meeting === undefined || first.length > 1 || meeting.meeting_id !== meetingId)
    return [...found, `${of} is booked as ${meetingId}, and made ${first.length} times`];
  const start = instant(at ?? undefined);
  const birth = instant(meetings.get(meetingId)?.made[0]?.data.start_time);
  return [
    ...found,
    ...(start === birth || wasMovedTo(meetingId, start, trace, meetings) ? [] : [`${of} was not booked at ${at}`]),
    ...busyBefore({ batch, ask, pairs: [] }, meetingId, trace).map(
      (email) => `${of} was booked although ${email} had become busy`,
    ),
  ];
}

/** Returns the people of a booked meeting whose calendars had filled up at its time before it could have been booked. */
function busyBefore({ batch, ask }: Sent, meetingId: string, trace: Trace): string[] {
  const event = trace.calls.find((call) => call.method === 'POST' && call.meetingId === meetingId);
  const { start, end } = event ?? {};
  if (start === undefined || end === undefined) return [];
  const begun = ask.isDryRun ? requests('batchcommit', batch, trace).map(({ first }) => first) : [ask.first];
  const people = batch.meetings.find((one) => one.meeting_id === meetingId)?.attendees ?? [];
  return trace.acts.flatMap(({ kind, email, at, start: from = 0, end: until = 0 }) =>
    kind === 'filled' && people.includes(email) && at < Math.min(...begun) && from < end && start < until
      ? [email]
      : [],
  );
}
