import { selectKnown } from '../../../schema/access/people.ts';
import { toMeetingAnswer } from '../../../schema/answers/meeting-answers.ts';
import type { Place } from '../../../schema/api/paging.ts';
import { batch } from '../../../schema/db.ts';
import { listDeliveriesOfMeeting } from '../../../schema/delivery/deliveries-log.ts';
import {
  countUserMeetings,
  findShownMeeting,
  listMeetings,
  listReplacedMeetings,
  listUserMeetings,
  listZonesOfMeeting,
  type MeetingFilter,
  type SpanFilter,
  selectOriginOfMeeting,
} from '../../../schema/meetings/list.ts';
import { knownZone } from '../../engine/time/zone.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { errorOf, meetingForbidden, userNotFound } from '../../kit/errors.ts';
import { isMeetingId } from '../../kit/ids.ts';
import { type PageRequest, readPage, rowsToAsk } from '../../kit/read-page.ts';

/** Even the longest 200 meetings fit into one answer of the database. */
const AT_ONCE = 200;

/** Even a cancelled or rescheduled one. Throws `meeting_not_found`, and `forbidden` for another platform's. */
export async function readMeeting(ctx: Ctx, platform: PlatformRef, id: string) {
  const [meeting] = isMeetingId(id) ? await findShownMeeting(ctx.db, { id }) : [];
  if (meeting === undefined) throw errorOf('meeting_not_found');
  if (meeting.platformId !== platform.id) throw meetingForbidden();
  return toMeetingAnswer(meeting);
}

type MeetingsRequest = SpanFilter & PageRequest;

/** Orders by start. `total` counts all that match. Throws `user_not_found` unless connected once, or a guest. */
export async function listMeetingsOf(
  ctx: Ctx,
  { id: platformId }: PlatformRef,
  { email, ...asked }: MeetingsRequest & { email: string },
  field = 'email',
) {
  const of = { ...asked, platformId, email };
  const [known, ...found] = await ctx.db.batch([selectKnown(ctx.db, of), ...firstRows(ctx, of)]);
  if (known.rows.length === 0) throw userNotFound(email, field);
  return { email, ...(await restOf(ctx, of, found)) };
}

/** Orders by start. Throws `user_not_found` for an attendee who never connected and is not a guest. */
export async function listPlatformMeetings(
  ctx: Ctx,
  platform: PlatformRef,
  { attendee, ...asked }: MeetingsRequest & { attendee?: string | undefined },
) {
  if (attendee !== undefined) return listMeetingsOf(ctx, platform, { ...asked, email: attendee }, 'attendee');
  const { rows, next } = await readPage({ ...asked, atOnce: AT_ONCE, placeOf }, (page) =>
    listMeetings(ctx.db, { ...asked, platformId: platform.id, ...page }),
  );
  return { meetings: rows.map(toMeetingAnswer), next };
}

export async function listOwnMeetings(ctx: Ctx, of: MeetingsRequest & { userId: string }) {
  return restOf(ctx, of, await ctx.db.batch(firstRows(ctx, of)));
}

const firstRows = (ctx: Ctx, of: MeetingFilter & PageRequest) =>
  [
    listUserMeetings(ctx.db, { ...of, limit: rowsToAsk({ ...of, atOnce: AT_ONCE }), after: of.after }),
    countUserMeetings(ctx.db, of),
  ] as const;

type FirstRows = { [N in 0 | 1]: Awaited<ReturnType<typeof firstRows>[N]> };

async function restOf(ctx: Ctx, of: MeetingFilter & PageRequest, { 0: first, 1: counted }: FirstRows) {
  const { rows, next } = await readPage({ ...of, atOnce: AT_ONCE, placeOf, first }, (page) =>
    listUserMeetings(ctx.db, { ...of, ...page }),
  );
  return { meetings: rows.map(toMeetingAnswer), total: counted[0]?.count ?? 0, next };
}

export const placeOf = ({ start, id }: { start: number; id: string }): Place => ({ at: start, id });

/**
 * If a reschedule created the meeting, `reading` is what Tandem read in the reason. `earlier` and `later` are the times
 * of the meetings that this one replaced, and that replaces it. Throws `meeting_not_found`, also for another platform's
 * meeting.
 */
export async function readMeetingLife(ctx: Ctx, { id: platformId }: PlatformRef, id: string) {
  if (!isMeetingId(id)) throw errorOf('meeting_not_found');
  const {
    meeting: [meeting],
    origins: [origin],
    zones,
    deliveries,
    replaced,
  } = await batch(ctx.db, {
    meeting: findShownMeeting(ctx.db, { id }),
    origins: selectOriginOfMeeting(ctx.db, { platformId, meetingId: id }),
    zones: listZonesOfMeeting(ctx.db, { platformId, meetingId: id }),
    deliveries: listDeliveriesOfMeeting(ctx.db, { platformId, meetingId: id }),
    replaced: listReplacedMeetings(ctx.db, { platformId, meetingId: id }),
  });
  if (meeting?.platformId !== platformId || origin === undefined) throw errorOf('meeting_not_found');
  const zoneAt = (place: number) => {
    const { timeZone } = zones[place] ?? {};
    return timeZone === undefined ? undefined : knownZone(timeZone);
  };
  const timesOf = (other: string | null) => replaced.find((one) => one.id === other);
  return {
    ...{ ...origin, meeting, timeZones: [zoneAt(0), zoneAt(1)] as const, deliveries },
    earlier: timesOf(meeting.rescheduledFrom),
    later: timesOf(meeting.rescheduledTo),
  };
}

export type MeetingLife = Awaited<ReturnType<typeof readMeetingLife>>;
