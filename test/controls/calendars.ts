import { controlsOf } from './control.ts';

const HISTORIES = 'test/lib/calendars/snapshot-histories.long.test.ts';
const READS = 'test/lib/calendars/twelve-cases-reads.long.test.ts';
const USE = 'test/lib/calendars/used.long.test.ts';
const FREED = 'test/functions/calendars/freed-time.test.ts';

/**
 * Safeguards of the calendar snapshots and of the changes that Tandem follows, each with the edit that switches it off.
 */
export const CALENDARS = controlsOf(
  {
    'the end of an access frees the time of its meetings': {
      file: 'lib/calendars/grants/end-connections.ts',
      from: '    freed: freeMeetings(ctx.db, { userId, since: now - KEPT_MS.holds }),\n',
      to: '',
      suite: FREED,
    },
    'a booking that outlives an access frees its time as it ends': {
      file: 'schema/meetings/finish.ts',
      from: '    freeEndedAccess(db, { meetingId: lease.id, guard }),\n',
      to: '',
      suite: FREED,
    },
    'a read is of the generation it began with': {
      file: 'schema/access/busy-snapshots.ts',
      from: 'syncedGen: generation,',
      to: 'syncedGen: sql`${busySnapshots.dirtyGen}`,',
      suite: READS,
    },
    'an answer with errors is unknown, not free': {
      file: 'lib/adapters/google-calendar.ts',
      from: 'if (calendar?.busy === undefined || (calendar.errors?.length ?? 0) > 0)',
      to: 'if (calendar?.busy === undefined)',
    },
    'what is read rolls on each day': {
      file: 'lib/calendars/snapshot/timing.ts',
      from: 'Math.floor((now - midnight) / DAY) * DAY + midnight',
      to: 'Math.floor((now - midnight) / (60 * DAY)) * 60 * DAY + midnight',
    },
    'a push is believed for its channel’s secret only': {
      file: 'schema/access/watch-channels.ts',
      from: 'eq(watchChannels.tokenHash, tokenHash), ',
      to: 'tokenHash === undefined ? undefined : undefined, ',
    },
    'a calendar that nobody asks for is read daily': {
      file: 'lib/calendars/snapshot/timing.ts',
      from: 'now >= (isIdle ? checkAt : dailyAt)',
      to: 'now >= dailyAt',
      suite: USE,
    },
    'whoever asks has it read at the next tick': {
      file: 'schema/access/connections.ts',
      from: 'due_at = least(s.due_at, ${written})',
      to: 'due_at = s.due_at',
      suite: USE,
    },
    'a meeting ahead is looked after though nobody asks': {
      file: 'lib/calendars/snapshot/timing.ts',
      from: 'dueAt: hasUpcoming ? followedAt : idleAt',
      to: 'dueAt: idleAt',
      suite: USE,
    },
  },
  HISTORIES,
);
