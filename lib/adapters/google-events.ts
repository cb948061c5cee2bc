import {
  type CalendarAttendee,
  CalendarError,
  type CalendarEvent,
  type CalendarProvider,
  type EventChange,
  type ListedEvent,
  type NewEvent,
} from '../kit/calendar-ports.ts';
import type { GoogleCall } from './google-call.ts';

/** None of these fields contains text that a person wrote, such as a title. */
const LISTED_FIELDS = 'items(id,status,transparency,start,end,attendees(email,self,responseStatus)),nextPageToken';
const MOST_PAGES = 10;

const MAIN = 'primary';
const MEET = 'Google Meet';

type GoogleTime = { date?: string; dateTime?: string };

interface GoogleEvent {
  id: string;
  etag: string;
  summary?: string;
  location?: string;
  recurrence?: string[];
  organizer?: { email?: string; self?: boolean };
  start?: GoogleTime;
  end?: GoogleTime;
  attendees?: CalendarAttendee[];
  updated?: string;
  status: CalendarEvent['status'];
  hangoutLink?: string;
  transparency?: string;
  conferenceData?: { createRequest?: { status?: { statusCode?: string } } };
  extendedProperties?: { private?: Record<string, string> };
}

/** The fields identify Tandem's meetings and show their state. Titles and descriptions stay at Google. */
const FOLLOWED = {
  maxResults: '2500',
  fields:
    'nextPageToken,nextSyncToken,items(id,status,etag,start,end,updated,hangoutLink,attendees(email,responseStatus),conferenceData/createRequest/status)',
};

type EventsPage = { items?: GoogleEvent[]; nextPageToken?: string; nextSyncToken?: string };

type Events = Pick<
  CalendarProvider,
  'listEvents' | 'insertEvent' | 'getEvent' | 'listChanges' | 'patchEvent' | 'deleteEvent'
>;

export function createGoogleEvents(call: GoogleCall): Events {
  return {
    async listEvents(accessToken, start, end) {
      const query = new URLSearchParams({
        timeMin: new Date(start).toISOString(),
        timeMax: new Date(end).toISOString(),
        singleEvents: 'true',
        fields: LISTED_FIELDS,
      });
      const events: ListedEvent[] = [];
      for (let page = 0; page < MOST_PAGES; page++) {
        const answer = await call<EventsPage>(accessToken, 'GET', `/calendars/primary/events?${query}`);
        if (answer.items === undefined)
          throw new CalendarError('unavailable', 'Google sent an event list without items.');
        events.push(...answer.items.map(toListed));
        if (answer.nextPageToken === undefined) return events;
        query.set('pageToken', answer.nextPageToken);
      }
      throw new CalendarError('unavailable', `The event list has more than ${MOST_PAGES} pages.`);
    },
    async insertEvent(accessToken, event) {
      const path = '/calendars/primary/events?conferenceDataVersion=1&sendUpdates=all';
      const insert = (fields: object) => call<GoogleEvent>(accessToken, 'POST', path, fields);
      const { conferenceData, location, ...plain } = toGoogle(event);
      try {
        return toEvent(await insert({ ...plain, location, conferenceData }));
      } catch (error) {
        if (!(error instanceof CalendarError) || error.kind !== 'no_conference') throw error;
        // A place that the calendar cannot have is no place.
        return toEvent(await insert(location === MEET ? plain : { ...plain, location }));
      }
    },
    getEvent: async (accessToken, id) => toEvent(await call(accessToken, 'GET', `/calendars/primary/events/${id}`)),
    async listChanges(accessToken, from) {
      const asked = 'since' in from ? { timeMin: new Date(from.since).toISOString() } : from;
      const events: CalendarEvent[] = [];
      for (let pageToken: string | undefined; ; ) {
        const query = new URLSearchParams({ ...FOLLOWED, ...asked, ...(pageToken === undefined ? {} : { pageToken }) });
        const page = await call<EventsPage>(accessToken, 'GET', `/calendars/primary/events?${query}`);
        events.push(...(page.items ?? []).map(toEvent));
        if (page.nextSyncToken !== undefined) return { events, token: page.nextSyncToken };
        if (page.nextPageToken === undefined || page.nextPageToken === pageToken)
          throw new CalendarError('unavailable', 'Google sent an incomplete event list.');
        pageToken = page.nextPageToken;
      }
    },
    async patchEvent(accessToken, id, { calendar, etag, ...change }) {
      const path = `/calendars/${encodeURIComponent(calendar)}/events/${id}?conferenceDataVersion=1&sendUpdates=all`;
      return { ...toEvent(await call(accessToken, 'PATCH', path, toPatch(change), etag)), calendar };
    },
    async deleteEvent(accessToken, id, { calendar, etag }) {
      const path = `/calendars/${encodeURIComponent(calendar)}/events/${id}?sendUpdates=all`;
      await call(accessToken, 'DELETE', path, undefined, etag);
    },
  };
}

function toGoogle(event: NewEvent) {
  return {
    id: event.id,
    summary: event.title,
    ...(event.description === null ? {} : { description: event.description }),
    location: event.location,
    start: { dateTime: new Date(event.start).toISOString() },
    end: { dateTime: new Date(event.end).toISOString() },
    // The first attendee is the organizer. The event is on their own calendar, so Google sends them no invitation.
    attendees: event.attendees.map((email, at) => (at === 0 ? { email, responseStatus: 'accepted' } : { email })),
    extendedProperties: { private: { tandem_meeting_id: event.meetingId } },
    conferenceData: { createRequest: { requestId: event.meetingId, conferenceSolutionKey: { type: 'hangoutsMeet' } } },
  };
}

/** `date` is null, because an event that a person made all-day has a `date` to remove. */
const toPatch = ({ start, end, attendees }: Pick<EventChange, 'start' | 'end' | 'attendees'>) => ({
  start: { dateTime: new Date(start).toISOString(), date: null },
  end: { dateTime: new Date(end).toISOString(), date: null },
  ...(attendees === undefined ? {} : { attendees }),
});

const instantOf = (time: GoogleTime | undefined) =>
  time?.dateTime === undefined ? undefined : Date.parse(time.dateTime);

const toListed = ({ id, status, transparency, start, end, attendees = [] }: GoogleEvent): ListedEvent => ({
  id,
  start: instantOf(start),
  end: instantOf(end),
  takesTime:
    status !== 'cancelled' &&
    transparency !== 'transparent' &&
    !attendees.some(({ self, responseStatus }) => self === true && responseStatus === 'declined'),
});

function toEvent(event: GoogleEvent): CalendarEvent {
  return {
    id: event.id,
    status: event.status,
    title: event.summary ?? '',
    location: event.location ?? '',
    meetLink: event.hangoutLink ?? null,
    linkPending: event.conferenceData?.createRequest?.status?.statusCode === 'pending',
    meetingId: event.extendedProperties?.private?.tandem_meeting_id,
    etag: event.etag,
    start: instantOf(event.start),
    end: instantOf(event.end),
    dates:
      event.start?.date === undefined || event.end?.date === undefined
        ? undefined
        : { start: event.start.date, end: event.end.date },
    isSeries: (event.recurrence?.length ?? 0) > 0,
    calendar: event.organizer?.self === true ? MAIN : (event.organizer?.email ?? MAIN),
    attendees: event.attendees ?? [],
    updatedAt: event.updated === undefined ? undefined : Date.parse(event.updated),
  };
}
