import { batch } from '../../schema/db.ts';
import { listDeliveriesOfMeeting } from '../../schema/deliveries/log-queries.ts';
import { listZonesOfMeeting, selectJobOfMeeting } from '../../schema/meetings/life-queries.ts';
import { findShownMeeting } from '../../schema/meetings/read-queries.ts';
import type { Ctx, Platform } from '../context.ts';
import { meetingNotFound } from '../errors.ts';
import { isMeetingId } from '../ids.ts';
import { isTimeZone } from '../scheduling/zone.ts';

/**
 * One meeting with the job that made it, what was told of it and the zones the two live in, each undefined where it is not
 * known. Throws `meeting_not_found`, also for another platform's.
 */
export async function readMeetingLife(ctx: Ctx, { id: platformId }: Platform, id: string) {
  if (!isMeetingId(id)) throw meetingNotFound();
  const {
    meeting: [meeting],
    job: [job],
    zones,
    deliveries,
  } = await batch(ctx.db, {
    meeting: findShownMeeting(ctx.db, { id }),
    job: selectJobOfMeeting(ctx.db, { platformId, meetingId: id }),
    zones: listZonesOfMeeting(ctx.db, { platformId, meetingId: id }),
    deliveries: listDeliveriesOfMeeting(ctx.db, { platformId, meetingId: id }),
  });
  if (meeting === undefined || meeting.platformId !== platformId) throw meetingNotFound();
  const zoneAt = (place: number) => {
    const { zone } = zones[place] ?? {};
    return zone !== undefined && isTimeZone(zone) ? zone : undefined;
  };
  return { meeting, job, timeZones: [zoneAt(0), zoneAt(1)] as const, deliveries };
}

export type MeetingLife = Awaited<ReturnType<typeof readMeetingLife>>;
