import { type LeasedSnapshot, releaseDueSnapshots, takeDueSnapshots } from '../../../schema/access/busy-snapshots.ts';
import { keepFromErasure } from '../../../schema/access/people.ts';
import { greetChannel, hearPush } from '../../../schema/access/watch-channels.ts';
import { batch, type Guard, type Statement } from '../../../schema/db.ts';
import {
  type AnswerKey,
  isTokenSaved,
  listOnCalendar,
  type OnCalendar,
  saveAnswer,
  saveEventToken,
} from '../../../schema/meetings/event-answers.ts';
import { whileLive } from '../../../schema/meetings/finish.ts';
import { followAnswers } from '../../../schema/meetings/holds.ts';
import { countMeetings, uncountMeetings } from '../../../schema/meetings/meeting-months.ts';
import { insertAfterwards } from '../../../schema/meetings/pending-operations.ts';
import { RESPONSES } from '../../../schema/tables/meetings.ts';
import { withCalendar } from '../../calendars/calls.ts';
import { readSnapshot } from '../../calendars/snapshot/read.ts';
import { usedSince } from '../../calendars/snapshot/timing.ts';
import { DAY } from '../../engine/time/dates.ts';
import { CalendarError, type CalendarEvent, type EventList } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { sha256 } from '../../kit/ids.ts';
import type { QueueMessage } from '../../kit/ports.ts';
import { eachOf, publishDue } from '../../kit/work-off.ts';
import { rootOf, shownTime } from '../protocol/calendar-event.ts';
import { reconcileMeeting } from '../protocol/reconcile.ts';
import { tellDecline } from './declined.ts';

/** Also follows the changes that people made to Tandem's meetings. Does nothing unless a read is due. */
export async function syncCalendar(ctx: Ctx, userId: string, { olderThan = 0 } = {}): Promise<void> {
  const account = await readSnapshot(ctx, userId, { olderThan });
  if (account === undefined || !account.hasUpcoming) return;
  try {
    await followCalendar(ctx, account);
  } catch (error) {
    if (!(error instanceof CalendarError || error instanceof AppError)) throw error;
    ctx.log('warn', 'what changed in a calendar is not known yet', { user_id: userId, error });
  }
}

interface Push {
  channelId: string;
  token: string;
  state: string;
  number: number;
}

/** Trusts nothing in a push but the secret. Returns false, without a query, for a secret that Tandem never issued. */
export async function receivePush(ctx: Ctx, { channelId: id, token, state, number }: Push): Promise<boolean> {
  if (!(token.startsWith('push_') && (await ctx.keys.isGenuine(token)))) return false;
  const now = ctx.clock.now();
  const push = { id, tokenHash: await sha256(token), number, now };
  if (state === 'sync') {
    await greetChannel(ctx.db, push);
    return true;
  }
  const heard = await hearPush(ctx.db, { ...push, usedSince: usedSince(now) });
  if (heard?.isUrgent) ctx.later(syncCalendar(ctx, heard.userId));
  return true;
}

/** After this time the calendar was not read and the queue message counts as lost. */
const AGAIN_MS = 120_000;
const AT_ONCE = 1_000;
const OF_ONE_PLATFORM = 200;
/** The Worker that gets the message reads a few of these users' calendars at a time. */
const PER_MESSAGE = 20;
/** Each read makes two calls at the same time, one for each half of its days, and a Worker has six connections. */
const READS_AT_ONCE = 2;
/** Slow calendars of one platform then leave capacity to the others. */
const PARALLELISM = 10;

/** Platforms take turns, so no backlog delays others. Returns their number. */
export const sweepCalendars = (ctx: Pick<Ctx, 'db' | 'clock' | 'queue' | 'log'>, until: number): Promise<number> =>
  publishDue(ctx, {
    chore: 'calendars',
    until,
    take: (now) => takeDueSnapshots(ctx.db, { now, again: now + AGAIN_MS, limit: AT_ONCE, each: OF_ONE_PLATFORM }),
    messagesFor: (due, now) =>
      [...Map.groupBy(due, ({ turnOf }) => turnOf)].flatMap(([turnOf, theirs]) => messagesFor(turnOf, theirs, now)),
    release: (due, now) =>
      releaseDueSnapshots(ctx.db, { userIds: due.map(({ userId }) => userId), again: now + AGAIN_MS, now }),
  });

function messagesFor(turnOf: string, due: { userId: string }[], askedAt: number): QueueMessage[] {
  const ids = due.map(({ userId }) => userId);
  return Array.from({ length: Math.ceil(ids.length / PER_MESSAGE) }, (_, n) => ({
    path: '/internal/sync-calendars',
    body: { user_ids: ids.slice(n * PER_MESSAGE, (n + 1) * PER_MESSAGE), asked_at: askedAt },
    lane: { key: `calendars.${turnOf}`, parallelism: PARALLELISM },
  }));
}

/** Skips those that were read since the message was sent. */
export const syncCalendars = (ctx: Ctx, { userIds, askedAt }: { userIds: string[]; askedAt: number }) =>
  eachOf(userIds, READS_AT_ONCE, (userId) =>
    syncCalendar(ctx, userId, { olderThan: askedAt }).catch((error) =>
      ctx.log('error', 'a calendar was not read', { error }),
    ),
  );

/**
 * People's answers are saved in the batch that saves the sync token. They belong to the calendar event, so the meeting
 * that has the event now shows them. An event of another version than Tandem has seen is checked once no other change
 * of the meeting is in progress. Tandem's own changes have the version that it has seen.
 */
export async function followCalendar(ctx: Ctx, account: LeasedSnapshot): Promise<void> {
  const { id: userId, eventToken: former } = account;
  const { isWhole, events, token } = await listChanges(ctx, account);
  const now = ctx.clock.now();
  const meetings = events.length === 0 && !isWhole ? [] : await listOnCalendar(ctx.db, { userId, now });
  const guard = isTokenSaved({ userId, token });
  const changes = meetings.flatMap((meeting): Change[] => {
    const listed = events.find(({ id }) => id === meeting.eventId);
    if (listed !== undefined) return [changesOf(ctx, meeting, listed, guard)];
    const isNear = events.some(({ id }) => rootOf(id) === rootOf(meeting.eventId));
    // A full list contains no deleted events, so a missing event is looked up. So is one whose series was changed.
    return isNear || (isWhole && meeting.isLive) ? [checkOf(ctx, meeting, guard)] : [];
  });
  const answered = { onEventsOf: changes.flatMap((change) => change.answered ?? []), guard };
  // The monthly counters subtract these events' meetings before the change and add them again after it. No other writer
  // can change these meetings in between: each first marks this calendar's row in `busy_snapshots` as stale, and the
  // statement that saves the token locks that row.
  const hasAnswers = answered.onEventsOf.length > 0;
  const { saved } = await batch(ctx.db, {
    ...(hasAnswers && { kept: keepFromErasure(ctx.db, answered) }),
    saved: saveEventToken(ctx.db, { userId, former, token }),
    ...(hasAnswers && { uncounted: uncountMeetings(ctx.db, answered) }),
    ...Object.fromEntries(changes.flatMap(({ statements }) => statements).map((one, at) => [`change${at}`, one])),
    ...(hasAnswers && { counted: countMeetings(ctx.db, answered) }),
  });
  if (saved.length === 0) return;
  for (const { declined, toReconcile } of changes) {
    for (const decline of declined) await tellDecline(ctx, decline);
    if (toReconcile !== undefined) await reconcileMeeting(ctx, toReconcile);
  }
}

async function listChanges(ctx: Ctx, account: LeasedSnapshot): Promise<EventList & { isWhole: boolean }> {
  const { eventToken } = account;
  const list = (from: { syncToken: string } | { since: number }) =>
    withCalendar(ctx, account, (accessToken) => ctx.calendar.listChanges(accessToken, from));
  const whole = async () => ({ ...(await list({ since: ctx.clock.now() - DAY })), isWhole: true });
  if (eventToken === null) return whole();
  try {
    return { ...(await list({ syncToken: eventToken })), isWhole: false };
  } catch (error) {
    if (!(error instanceof CalendarError) || error.kind !== 'gone') throw error;
    return whole();
  }
}

interface Change {
  statements: Statement[];
  declined: AnswerKey[];
  answered?: string;
  toReconcile?: string;
}

/** An unfinished booking's event is checked only if it was moved or deleted: the end of the booking stores the rest. */
function changesOf(ctx: Ctx, meeting: OnCalendar, event: CalendarEvent, guard: Guard): Change {
  const { id: meetingId } = meeting;
  if (event.status === 'cancelled') return checkOf(ctx, meeting, guard);
  const answers = meeting.people.flatMap((person) => answerOf(ctx, meeting, person, event, guard));
  const { start, end } = shownTime(event, meeting);
  const isMoved = start !== meeting.start || end !== meeting.end;
  const isNew = meeting.isLive ? event.etag !== meeting.eventEtag : isMoved;
  const check = isNew ? checkOf(ctx, meeting, guard) : undefined;
  return {
    ...check,
    statements: [
      ...answers.map(({ statement }) => statement),
      ...(answers.length > 0 ? followAnswers(ctx.db, { meetingId, guard }) : []),
      ...(check?.statements ?? []),
    ],
    declined: answers.flatMap(({ declined }) => declined),
    ...(answers.length > 0 && { answered: meetingId }),
  };
}

function checkOf(ctx: Ctx, { id: meetingId, isLive }: OnCalendar, guard: Guard): Change {
  const now = ctx.clock.now();
  return {
    statements: [insertAfterwards(ctx.db, { meetingId, kind: 'verify', dueAt: now, now, guard })],
    declined: [],
    ...(isLive && { toReconcile: meetingId }),
  };
}

function answerOf(
  ctx: Ctx,
  { id: meetingId, eventId, platformId }: OnCalendar,
  { userId, email, response: former }: OnCalendar['people'][number],
  event: CalendarEvent,
  guard: Guard,
) {
  const given = event.attendees.find((one) => one.email.toLowerCase() === email)?.responseStatus;
  const response = RESPONSES.find((one) => one === given);
  if (response === undefined || response === former) return [];
  const now = ctx.clock.now();
  const respondedAt = response === 'needsAction' ? null : Math.min(now, event.updatedAt ?? now);
  const answer = { meetingId, userId, email, platformId, response, respondedAt, now, guard };
  return [{ statement: saveAnswer(ctx.db, answer), declined: response === 'declined' ? [{ eventId, userId }] : [] }];
}

/**
 * The meeting then has another version, so that a change that somebody decided on by the former one is refused. A
 * calendar that cannot be read now is read later, and refuses the change itself.
 */
export async function followMeeting(ctx: Ctx, meetingId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.batch([
    insertAfterwards(ctx.db, { meetingId, kind: 'verify', dueAt: now, now, guard: whileLive(meetingId) }),
  ]);
  // Other work on the meeting that is due, such as a fetch of its video link, may come first.
  for (let left = 2; left > 0; left -= 1) await reconcileMeeting(ctx, meetingId);
}
