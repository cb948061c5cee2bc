import type { Trace } from '../trace.ts';
import { declinesOf, isDecline } from './declines.ts';
import { eventOf, heirsOf, type Meetings } from './meetings.ts';
import { instant, type Told } from './told.ts';

/**
 * Every live meeting shows what the calendar has as answers. A decline is told once, under whatever id is live, and no
 * oftener than somebody declined; a platform that cancels declined meetings has no live one.
 */
export function strangeResponses(trace: Trace, told: Told[], meetings: Meetings): string[] {
  const { shown, closed, answers, cancelling, endedAt } = trace;
  const live = shown.meetings.filter(({ status }) => status === 'scheduled' || status === 'updated');
  const open = live.filter(({ attendees: [requester = ''], end_time: end }) => {
    // What ended more than a day ago is followed no more.
    return !closed.includes(requester) && instant(end) > endedAt;
  });
  return [
    ...open.flatMap((meeting) => {
      const { meeting_id: id, platform, rsvps } = meeting;
      const event = eventOf(id, trace, meetings) ?? '';
      const given = answers[event];
      // The occurrences of a series have answers of their own.
      const isSeries = trace.acts.some(({ kind, eventId }) => kind === 'series' && eventId === event);
      if (given === undefined || isSeries) return [];
      const isDeclined = rsvps.some(({ response_status: status }) => status === 'declined');
      return [
        ...rsvps
          .filter(({ email, response_status: status }) => given[email] !== undefined && given[email] !== status)
          .map(
            ({ email, response_status: status }) => `${id} shows ${email} as ${status}, the calendar ${given[email]}`,
          ),
        ...rsvps
          .filter(({ email, response_status: status }) => status === 'declined' && tellings(event, email).length === 0)
          .map(({ email }) => `nobody was told that ${email} declined ${id}`),
        ...(isDeclined && cancelling.includes(platform) && instant(meeting.start_time) > endedAt
          ? [`${id} is declined and was not cancelled`]
          : []),
      ];
    }),
    ...[...new Set(trace.acts.filter(isDecline).map(({ eventId, email }) => `${eventId} ${email}`))].flatMap((name) => {
      const [event = '', email = ''] = name.split(' ');
      const [due, count] = [declinesOf(event, trace, email).length, tellings(event, email).length];
      return count <= due ? [] : [`of ${due} declines of ${event} by ${email} was told ${count} times`];
    }),
  ];

  function tellings(event: string, email: string): Told[] {
    const first = trace.calls.find(({ method, eventId }) => method === 'POST' && eventId === event)?.meetingId ?? '';
    const line = heirsOf(first, meetings);
    return told.filter(
      ({ data }) =>
        data.changes?.reason === 'attendee_declined' &&
        data.changes.attendee === email &&
        line.includes(data.meeting_id ?? ''),
    );
  }
}
