import type { Place } from '../../schema/api/paging.ts';
import { wasEverConnected } from '../../schema/connections/queries.ts';
import {
  countUserMeetings,
  type FoundMeeting,
  findShownMeeting,
  listMeetings,
  listUserMeetings,
  type MeetingFilter,
  type SpanFilter,
} from '../../schema/meetings/read-queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { meetingForbidden, meetingNotFound, userNotFound } from '../errors.ts';
import { isMeetingId } from '../ids.ts';
import { type PageRequest, readPage, rowsToAsk } from '../read-page.ts';
import { toMeetingAnswer } from './answers.ts';

/** As many of the longest meetings fit into one answer of the database. */
const AT_ONCE = 200;

/** One meeting, cancelled and rescheduled ones too. Throws `meeting_not_found`, and `forbidden` for another platform's. */
export async function readMeeting(ctx: Ctx, platform: Platform, id: string) {
  const [meeting] = isMeetingId(id) ? await findShownMeeting(ctx.db, { id }) : [];
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
  field = 'email',
) {
  const of = { ...filter, platformId: platform.id };
  const [connected, first, counted] = await ctx.db.batch([
    wasEverConnected(ctx.db, of),
    ...pageOf(ctx, of, { limit, after }),
  ]);
  if (connected.length === 0) throw userNotFound(filter.email, field);
  return { email: filter.email, ...(await restOf(ctx, of, { limit, first, counted })) };
}

/**
 * A platform's meetings in order of their start, those of one person where `attendee` names them. Throws `user_not_found`
 * for an attendee who never connected with it.
 */
export async function listPlatformMeetings(
  ctx: Ctx,
  platform: Platform,
  { attendee, ...asked }: SpanFilter & PageRequest & { attendee?: string | undefined },
) {
  if (attendee !== undefined) return listMeetingsOf(ctx, platform, { ...asked, email: attendee }, 'attendee');
  const { limit, after, ...filter } = { ...asked, platformId: platform.id };
  const first = await listMeetings(ctx.db, { ...filter, limit: rowsToAsk({ limit, atOnce: AT_ONCE }), after });
  const { rows, next } = await readPage({ limit, atOnce: AT_ONCE, first }, (last, more) =>
    listMeetings(ctx.db, { ...filter, limit: more, after: placeOf(last) }),
  );
  return { meetings: rows.map(toMeetingAnswer), next: next && placeOf(next) };
}

/** A person's own meetings, of all platforms, in order of their start. */
export async function listOwnMeetings(
  ctx: Ctx,
  { limit, after, ...filter }: Omit<MeetingFilter, 'platformId'> & PageRequest,
) {
  const of = { ...filter, platformId: null };
  const [first, counted] = await ctx.db.batch(pageOf(ctx, of, { limit, after }));
  return restOf(ctx, of, { limit, first, counted });
}

const pageOf = (ctx: Ctx, of: MeetingFilter, { limit, after }: PageRequest) =>
  [
    listUserMeetings(ctx.db, { ...of, limit: rowsToAsk({ limit, atOnce: AT_ONCE }), after }),
    countUserMeetings(ctx.db, of),
  ] as const;

interface FirstRows {
  limit: PageRequest['limit'];
  first: FoundMeeting[];
  counted: { count: number }[];
}

async function restOf(ctx: Ctx, of: MeetingFilter, { limit, first, counted }: FirstRows) {
  const { rows, next } = await readPage({ limit, atOnce: AT_ONCE, first }, (last, more) =>
    listUserMeetings(ctx.db, { ...of, limit: more, after: placeOf(last) }),
  );
  return { meetings: rows.map(toMeetingAnswer), total: counted[0]?.count ?? 0, next: next && placeOf(next) };
}

/** Where a meeting stands in a list by start. */
export const placeOf = ({ start, id }: { start: number; id: string }): Place => ({ at: start, id });
