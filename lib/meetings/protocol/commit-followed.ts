import type { WebhookEvents } from '../../../schema/answers/render.ts';
import { saveRemoval, switchEvent } from '../../../schema/meetings/event-answers.ts';
import { ending, finish, isFinishedBy } from '../../../schema/meetings/finish.ts';
import { followAnswers } from '../../../schema/meetings/holds.ts';
import type { Lease, Overdue } from '../../../schema/meetings/lease.ts';
import { listConflicts } from '../../../schema/meetings/list.ts';
import { deleteAfterwards } from '../../../schema/meetings/pending-operations.ts';
import { expireMove } from '../../../schema/meetings/proposals-move.ts';
import type { Interval } from '../../engine/types.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { dayPartsAt } from '../../person/person.ts';
import { publishChange } from '../../webhooks/outbox.ts';
import { differences, invites, shownIn, tagOf } from './followed-changes.ts';
import type { WithPeople } from './meeting.ts';
import { followHolds } from './operation.ts';
import { shownTime } from './own-event.ts';
import { CHANGED_IN_CALENDAR, MOVED_IN_CALENDAR, updatedEvent } from './webhook-events.ts';

/** The meeting keeps the time that the person chose even if it now overlaps another meeting. */
export async function commitFollowed(
  ctx: Ctx,
  lease: Lease,
  meeting: WithPeople<Overdue>,
  event: CalendarEvent,
): Promise<void> {
  const { id, people, attendees, providerEventId: from } = meeting;
  const now = ctx.clock.now();
  const guard = isFinishedBy(lease);
  const { start, end } = shownTime(event, meeting, people[0].timeZone);
  const shown = shownIn(event, meeting);
  const changed = differences(meeting, shown);
  const isMoved = start !== meeting.start || end !== meeting.end;
  const isInvited = invites(event, attendees[1]);
  const toTell = [
    ...(isMoved || changed.length > 0 ? [await changedEvent()] : []),
    ...(isInvited === meeting.isOtherRemoved
      ? [
          // Another event tells a move that came with it.
          told(
            { by: 'calendar', reason: isInvited ? 'attendee_added' : 'attendee_removed', attendee: attendees[1] },
            { start, end },
          ),
        ]
      : []),
  ];
  const isAnyChanged = toTell.length > 0;
  const finished = await finish(
    ctx.db,
    lease,
    isAnyChanged
      ? ending.updated({
          ...{ start, end, shown, now, etag: tagOf(event), keepsPeople: true },
          dayParts: dayPartsAt(people, start),
        })
      : ending.seen({ etag: tagOf(event) }),
    [
      ...(isInvited === meeting.isOtherRemoved
        ? [saveRemoval(ctx.db, { meetingId: id, removed: !isInvited, guard })]
        : []),
      ...(isMoved ? [...followHolds(ctx, id, guard), expireMove(ctx.db, { meetingId: id, now, guard })] : []),
      ...(isAnyChanged ? followAnswers(ctx.db, { meetingId: id, guard }) : []),
      ...toTell.map(({ statement }) => statement),
      deleteAfterwards(ctx.db, { meetingId: id, kind: 'verify', dueAt: meeting.dueAt, guard }),
      ...(event.id === from ? [] : switchEvent(ctx.db, { id, from, to: event.id, guard })),
    ],
  );
  if (finished !== undefined && isAnyChanged)
    ctx.later(
      publishChange(
        ctx,
        toTell.map(({ deliveryId }) => deliveryId),
      ),
    );

  function told(
    change: Pick<WebhookEvents['meeting.updated'], 'by' | 'reason' | 'attendee' | 'changed' | 'conflicts'>,
    old: Interval = meeting,
  ) {
    return updatedEvent(ctx, { ...meeting, start, end, old, ...change }, guard);
  }

  async function changedEvent() {
    const [only, ...others] = changed;
    if (isMoved)
      return told({
        ...MOVED_IN_CALENDAR,
        changed,
        conflicts: await listConflicts(ctx.db, { ...meeting, start, end }),
      });
    // A link that the calendar made after the booking is no change by a person. If the booking waits for none, it is.
    if (meeting.isLinkPending && only?.name === 'meetLink' && only.before === null && others.length === 0)
      return told({ by: 'calendar', reason: 'meet_link_ready' });
    return told({ ...CHANGED_IN_CALENDAR, changed });
  }
}
