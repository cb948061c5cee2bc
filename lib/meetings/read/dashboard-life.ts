import { batch } from '../../../schema/db.ts';
import { listDeliveriesOfMeeting } from '../../../schema/delivery/deliveries-log.ts';
import {
  findShownMeeting,
  listReplacedMeetings,
  listZonesOfMeeting,
  selectJobOfMeeting,
  selectReadingOfMeeting,
} from '../../../schema/meetings/list.ts';
import { knownZone } from '../../engine/time/zone.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { meetingNotFound } from '../../kit/errors.ts';
import { isMeetingId } from '../../kit/ids.ts';

/**
 * If a reschedule created the meeting, `reading` is what Tandem read in the reason. `earlier` and `later` are the times
 * of the meetings that this one replaced, and that replaces it. Throws `meeting_not_found`, also for another platform's
 * meeting.
 */
export async function readMeetingLife(ctx: Ctx, { id: platformId }: PlatformRef, id: string) {
  if (!isMeetingId(id)) throw meetingNotFound();
  const {
    meeting: [meeting],
    job: [job],
    zones,
    readings: [{ reading } = { reading: null }],
    deliveries,
    replaced,
  } = await batch(ctx.db, {
    meeting: findShownMeeting(ctx.db, { id }),
    job: selectJobOfMeeting(ctx.db, { platformId, meetingId: id }),
    zones: listZonesOfMeeting(ctx.db, { platformId, meetingId: id }),
    readings: selectReadingOfMeeting(ctx.db, { platformId, meetingId: id }),
    deliveries: listDeliveriesOfMeeting(ctx.db, { platformId, meetingId: id }),
    replaced: listReplacedMeetings(ctx.db, { platformId, meetingId: id }),
  });
  if (meeting === undefined || meeting.platformId !== platformId) throw meetingNotFound();
  const zoneAt = (place: number) => {
    const { timeZone } = zones[place] ?? {};
    return timeZone === undefined ? undefined : knownZone(timeZone);
  };
  const timesOf = (other: string | null) => replaced.find((one) => one.id === other);
  return {
    ...{ meeting, job, reading, timeZones: [zoneAt(0), zoneAt(1)] as const, deliveries },
    earlier: timesOf(meeting.rescheduledFrom),
    later: timesOf(meeting.rescheduledTo),
  };
}

export type MeetingLife = Awaited<ReturnType<typeof readMeetingLife>>;
