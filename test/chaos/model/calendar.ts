import { rootOf } from '../../support/checks/rows.ts';
import type { Act, Ask, CalendarCall, ShownProposal, Trace } from '../trace.ts';
import { eventOf, heirsOf, type Meetings } from './meetings.ts';
import { arePeople, instant, isCancelledForDecline } from './told.ts';

/** Event as calls and people left it. Undefined once the event is deleted. */
type Event = { start: number | undefined; guests: string[] | undefined } | undefined;

/**
 * Checks that Tandem created, moved or deleted events only on request, and that the events at the end match the
 * meetings that the API shows.
 */
export const strangeCalendar = (trace: Trace, meetings: Meetings): string[] => [
  ...trace.calls.flatMap((call) => strangeCall(call, trace, meetings)),
  ...strangeEvents(trace, meetings),
  ...unfollowed(trace, meetings),
];

function lineOf(eventId: string, { calls, asks }: Trace, meetings: Meetings): { line: string[]; about: Ask[] } {
  const first = calls.find((call) => call.method === 'POST' && call.eventId === eventId)?.meetingId ?? '';
  const line = heirsOf(first, meetings);
  return { line, about: asks.filter(({ meetingId }) => meetingId !== undefined && line.includes(meetingId)) };
}

const offeredIn = ({ shown }: Trace, isMeant: (proposal: ShownProposal) => boolean): Set<number | undefined> =>
  new Set(shown.proposals.filter(isMeant).flatMap(({ times }) => times.map(({ start_time }) => instant(start_time))));

function strangeCall(
  { method, eventId, title, start, guests }: CalendarCall,
  trace: Trace,
  meetings: Meetings,
): string[] {
  const { line, about } = lineOf(eventId, trace, meetings);
  switch (method) {
    case 'POST': {
      const cause = trace.asks.find((ask) => ask.title === title);
      if (cause === undefined) return [`an event nobody asked for was made: "${title}"`];
      const offered = offeredIn(trace, (one) => one.title === title && one.moves_meeting_id === null);
      const isThere = cause.operation === 'propose' ? offered.has(start) : (cause.start ?? start) === start;
      const isTheirs = arePeople(guests, cause.attendees);
      if (line[0] && eventOf(line[0], trace, meetings) !== eventId) return [`${line[0]} has a second event ${eventId}`];
      return isThere && isTheirs ? [] : [`"${title}" was put at ${start} for ${guests}, not as asked`];
    }
    case 'PATCH': {
      const told = line.flatMap((id) => {
        const { made = [], moves = [] } = meetings.get(id) ?? {};
        return [...made.map(({ data }) => data.start_time), ...moves.map(({ data }) => data.changes.new_start_time)];
      });
      const offered = offeredIn(trace, ({ moves_meeting_id: moved }) => moved !== null && line.includes(moved));
      if (offered.has(start)) return [];
      const isOurs = about.some(({ operation, start: asked }) => operation === 'reschedule' || asked === start);
      return isOurs || told.some((time) => instant(time) === start)
        ? []
        : [`${eventId} was moved to ${start} and nobody asked for it`];
    }
    case 'DELETE': {
      const wasMade = line.some((id) => meetings.get(id)?.made.length);
      const platforms = line.map((id) => meetings.get(id)?.platform ?? '');
      const isDeclined = platforms.some((platform) => isCancelledForDecline(platform, eventId, trace));
      return about.some(({ operation }) => operation === 'cancel') || isDeclined || !wasMade
        ? []
        : [`${eventId} was deleted and nobody had cancelled`];
    }
  }
}

/**
 * Checks the events at the end, on calendars that Tandem can access and that nobody else changed: each live meeting has
 * exactly one.
 */
function strangeEvents(trace: Trace, meetings: Meetings): string[] {
  const events = new Map<string, Event>();
  for (const { method, eventId, start, guests } of trace.calls) {
    const before = events.get(eventId);
    if (method === 'DELETE') events.set(eventId, undefined);
    else events.set(eventId, { start: start ?? before?.start, guests: guests ?? before?.guests });
  }
  const changed = trace.acts
    .filter(({ kind }) => kind !== 'answered' && kind !== 'edited')
    .map(({ eventId }) => eventId);
  const live = trace.shown.meetings.filter(({ status }) => status === 'scheduled' || status === 'updated');
  return [...events].flatMap(([id, event]) => {
    const { line } = lineOf(id, trace, meetings);
    const owner = ownerOf(id, trace);
    if (changed.includes(id) || owner === undefined || trace.closed.includes(owner)) return [];
    const meeting = live.find(
      ({ meeting_id }) => line.includes(meeting_id) && eventOf(meeting_id, trace, meetings) === id,
    );
    if (meeting === undefined) return event === undefined ? [] : [`event ${id} stands for no meeting`];
    if (event === undefined) return [`the event of ${meeting.meeting_id} is gone`];
    return event.start === instant(meeting.start_time) && arePeople(event.guests, meeting.attendees)
      ? []
      : [`the event of ${meeting.meeting_id} is at ${event.start} for ${event.guests}, not as shown`];
  });
}

/**
 * Checks that each live meeting ahead, on a calendar that Tandem can access, shows what its event shows in the end,
 * whoever changed it. A meeting whose event became a series must still have an occurrence.
 */
function unfollowed(trace: Trace, meetings: Meetings): string[] {
  const { shown, acts, events, answers, closed, endedAt } = trace;
  const live = shown.meetings.filter(({ status }) => status === 'scheduled' || status === 'updated');
  const open = live.filter(
    ({ attendees: [requester = ''], end_time: end }) => !closed.includes(requester) && instant(end) > endedAt,
  );
  return open.flatMap((meeting) => {
    const eventId = eventOf(meeting.meeting_id, trace, meetings);
    const say = (what: string) => [`${meeting.meeting_id} ${what} of ${eventId}`];
    const isDone = (kind: Act['kind']) => acts.some((act) => act.kind === kind && act.eventId === eventId);
    if (isDone('series')) return Object.keys(answers).some((id) => rootOf(id) === eventId) ? [] : say('outlives all');
    const event = events.find((one) => one.eventId === eventId);
    if (event === undefined) return say('outlives the end');
    const { start, end, title, location, link, guests } = event;
    const isThere = instant(meeting.start_time) === start && instant(meeting.end_time) === end;
    // The event keeps the name of the video call as its place after a person removed the call.
    const place = link === null && location === 'Google Meet' ? '' : location;
    const isPlaced = !isDone('edited') || place === undefined || meeting.location === place;
    const isRemoved = isDone('uninvited') && !guests.includes(meeting.attendees[1] ?? '');
    return [
      ...(isThere ? [] : say(`is shown at ${meeting.start_time}, not at the time`)),
      ...(meeting.shown_title === title ? [] : say(`is called "${meeting.shown_title}", not by the title "${title}"`)),
      ...(isPlaced ? [] : say(`is shown in ${meeting.location}, not at the place ${place}`)),
      ...(meeting.meet_link === link ? [] : say(`is shown with ${meeting.meet_link}, not with the link ${link}`)),
      ...(isRemoved || arePeople(guests, meeting.attendees)
        ? []
        : say(`is shown with others than the guests ${guests}`)),
    ];
  });
}

const ownerOf = (eventId: string, { calls, asks }: Trace) => {
  const title = calls.find((call) => call.eventId === eventId && call.method === 'POST')?.title;
  return asks.find((ask) => ask.title === title)?.attendees?.[0];
};
