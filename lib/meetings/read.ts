import type { Place } from '../../schema/api/paging.ts';
import { wasEverConnected } from '../../schema/connections/queries.ts';
import {
  countUserMeetings,
  findShownMeeting,
  listUserMeetings,
  type MeetingFilter,
} from '../../schema/meetings/read-queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { meetingForbidden, meetingNotFound, userNotFound } from '../errors.ts';
import { isMeetingId } from '../ids.ts';
import { type PageRequest, readPage, rowsToAsk } from '../paging.ts';
import { toMeetingAnswer } from './answers.ts';

/** As many of the longest meetings fit into one answer of the database. */
const AT_ONCE = 200;

/** One meeting, cancelled and rescheduled ones too. Throws `meeting_not_found`, and `forbidden` for another platform's. */
export async function readMeeting(ctx: Ctx, platform: Platform, id: string) {
  const meeting = isMeetingId(id) ? await findShownMeeting(ctx.db, { id }) : undefined;
  if (meeting === undefined) throw meetingNotFound();
  if (meeting.platformId !== platform.id) throw meetingForbidden();
  return toMeetingAnswer(meeting);
}

/**
 * Meetings of a person with this platform, in order of their start; `total` counts all that the filter leaves. Throws
 * `user_not_found` for one who never connected with it.
 */
export async function listMeetingsOf(
  ctx: Ctx,
  platform: Platform,
  { limit, after, ...filter }: Omit<MeetingFilter, 'platformId'> & PageRequest,
) {
  const of = { ...filter, platformId: platform.id };
  const [connected, first, [counted]] = await ctx.db.batch([
    wasEverConnected(ctx.db, of),
    listUserMeetings(ctx.db, { ...of, limit: rowsToAsk({ limit, atOnce: AT_ONCE }), after }),
    countUserMeetings(ctx.db, of),
  ]);
  if (connected.length === 0) throw userNotFound(filter.email, 'email');
  const { rows, next } = await readPage({ limit, atOnce: AT_ONCE, first }, (last, more) =>
    listUserMeetings(ctx.db, { ...of, limit: more, after: placeOf(last) }),
  );
  return {
    email: filter.email,
    meetings: rows.map(toMeetingAnswer),
    total: counted?.count ?? 0,
    next: next && placeOf(next),
  };
}

/** Where a meeting stands in a list by start. */
export const placeOf = ({ start, id }: { start: number; id: string }): Place => ({ at: start, id });
