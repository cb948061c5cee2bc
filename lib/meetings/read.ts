import { wasEverConnected } from '../../schema/connections/queries.ts';
import {
  type FoundMeeting,
  findShownMeeting,
  listUserMeetings,
  type MeetingFilter,
} from '../../schema/meetings/read-queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { meetingForbidden, meetingNotFound, userNotFound } from '../errors.ts';
import { isMeetingId } from '../ids.ts';
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
 * All meetings of a person with this platform, in order of their start. Throws `user_not_found` for one who never
 * connected with it.
 */
export async function listMeetingsOf(ctx: Ctx, platform: Platform, filter: Omit<MeetingFilter, 'platformId'>) {
  const of = { ...filter, platformId: platform.id };
  const [connected, first] = await ctx.db.batch([
    wasEverConnected(ctx.db, of),
    listUserMeetings(ctx.db, { ...of, limit: AT_ONCE }),
  ]);
  if (connected.length === 0) throw userNotFound(filter.email, 'email');
  const found: FoundMeeting[] = first;
  for (let page = first; page.length === AT_ONCE; found.push(...page)) {
    const last = page.at(-1);
    page = await listUserMeetings(ctx.db, { ...of, after: last, limit: AT_ONCE });
  }
  return { email: filter.email, meetings: found.map(toMeetingAnswer), total: found.length };
}
