import { findShownMeeting } from '../../schema/meetings/read-queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { meetingForbidden, meetingNotFound } from '../errors.ts';
import { isMeetingId } from './meeting-id.ts';
import { shownMeeting } from './shown-meeting.ts';

/** One meeting, cancelled and rescheduled ones too. Throws `meeting_not_found`, and `forbidden` for another platform's. */
export async function readMeeting(ctx: Ctx, platform: Platform, id: string) {
  const meeting = isMeetingId(id) ? await findShownMeeting(ctx.db, { id }) : undefined;
  if (meeting === undefined) throw meetingNotFound();
  if (meeting.platformId !== platform.id) throw meetingForbidden();
  return shownMeeting(meeting);
}
