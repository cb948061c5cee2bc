import {
  type Calendar,
  type CalendarAttendee,
  CalendarError,
  type CalendarEvent,
  type EventChange,
  type ListedEvent,
  type NewEvent,
} from '../ports.ts';

const BASE = 'https://www.googleapis.com/calendar/v3';
const TIMEOUT_MS = 8_000;
const DAY_MS = 86_400_000;
/** Google refuses free/busy spans over about 90 days. */
const LONGEST_SPAN_MS = 60 * DAY_MS;
/** When events are and whether they take time; nobody's words. */
const LISTED_FIELDS = 'items(id,status,transparency,start,end,attendees(email,self,responseStatus)),nextPageToken';
const MOST_PAGES = 10;
const RATE_REASONS = ['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded'];

interface GoogleTime {
  dateTime?: string;
}

interface GoogleEvent {
  id: string;
  etag: string;
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

/** No titles, no descriptions: only what a meeting of ours is known and judged by. */
const FOLLOWED = {
  maxResults: '2500',
  fields:
    'nextPageToken,nextSyncToken,items(id,status,etag,start,end,updated,hangoutLink,attendees(email,responseStatus),conferenceData/createRequest/status)',
};

interface EventsPage {
  items?: GoogleEvent[];
  nextPageToken?: string;
  nextSyncToken?: string;
}

interface FreeBusyAnswer {
  calendars?: Record<string, { busy?: { start: string; end: string }[]; errors?: { reason: string }[] }>;
}

/** Google Calendar v3 on the person's own calendar. */
export function createGoogleCalendar({ requestId }: { requestId: string }): Calendar {
  async function call<T>(accessToken: string, method: string, path: string, body?: unknown, etag?: string): Promise<T> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(BASE + path, {
        method,
        headers: {
          Authorization: `Bearer ${accessToken}`,
          'Content-Type': 'application/json',
          'X-Request-Id': requestId,
          ...(etag === undefined ? {} : { 'If-Match': etag }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await response.text();
    } catch (cause) {
      throw new CalendarError('unavailable', `${method} ${path}: no answer`, undefined, cause);
    }
    if (!response.ok) throw refusal(response, text);
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T;
    } catch (cause) {
      throw new CalendarError('unavailable', `${method} ${path}: not JSON`, undefined, cause);
    }
  }

  async function freeBusy(accessToken: string, email: string, start: number, end: number) {
    const answer = await call<FreeBusyAnswer>(accessToken, 'POST', '/freeBusy', {
      timeMin: new Date(start).toISOString(),
      timeMax: new Date(end).toISOString(),
      items: [{ id: email }],
    });
    const calendar = answer.calendars?.[email];
    // An error, or a calendar the answer leaves out, comes with 200: unknown, never free.
    if (calendar?.busy === undefined || (calendar.errors?.length ?? 0) > 0)
      throw freeBusyUnknown(calendar?.errors?.[0]?.reason ?? 'not answered');
    return calendar.busy;
  }

  return {
    async freeBusy(accessToken, email, start, end) {
      const spans: [number, number][] = [];
      for (let from = start; from < end; from += LONGEST_SPAN_MS)
        spans.push([from, Math.min(end, from + LONGEST_SPAN_MS)]);
      return (await Promise.all(spans.map(([from, to]) => freeBusy(accessToken, email, from, to)))).flat();
    },
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
        if (answer.items === undefined) throw new CalendarError('unavailable', 'the list of events has no events');
        events.push(...answer.items.map(toListed));
        if (answer.nextPageToken === undefined) return events;
        query.set('pageToken', answer.nextPageToken);
      }
      throw new CalendarError('unavailable', `the list of events has more than ${MOST_PAGES} pages`);
    },
    timeZone: async (accessToken) =>
      (await call<{ value: string }>(accessToken, 'GET', '/users/me/settings/timezone')).value,
    async insertEvent(accessToken, event) {
      const insert = (fields: object) =>
        call<GoogleEvent>(
          accessToken,
          'POST',
          '/calendars/primary/events?conferenceDataVersion=1&sendUpdates=all',
          fields,
        );
      const { conferenceData, ...plain } = toGoogle(event);
      try {
        return toEvent(await insert({ ...plain, conferenceData }));
      } catch (error) {
        if (!(error instanceof CalendarError) || error.kind !== 'no_conference') throw error;
        return toEvent(await insert(plain));
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
          throw new CalendarError('unavailable', 'a list of events was cut short');
        pageToken = page.nextPageToken;
      }
    },
    patchEvent: async (accessToken, id, { etag, ...change }) =>
      toEvent(
        await call(
          accessToken,
          'PATCH',
          `/calendars/primary/events/${id}?conferenceDataVersion=1&sendUpdates=all`,
          toPatch(change),
          etag,
        ),
      ),
    async deleteEvent(accessToken, id) {
      await call(accessToken, 'DELETE', `/calendars/primary/events/${id}?sendUpdates=all`);
    },
    async watch(accessToken, { id, token, address, lifeMs }) {
      const channel = await call<{ resourceId: string; expiration: string }>(
        accessToken,
        'POST',
        '/calendars/primary/events/watch',
        { id, token, type: 'web_hook', address, params: { ttl: String(Math.floor(lifeMs / 1_000)) } },
      );
      return { resourceId: channel.resourceId, expiresAt: Number(channel.expiration) };
    },
    async stopChannel(accessToken, channel) {
      await call(accessToken, 'POST', '/channels/stop', channel);
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
    // The first is the organizer, on whose calendar it stands: nobody asks them.
    attendees: event.attendees.map((email, at) => (at === 0 ? { email, responseStatus: 'accepted' } : { email })),
    extendedProperties: { private: { tandem_meeting_id: event.meetingId } },
    conferenceData: {
      createRequest: { requestId: event.meetingId, conferenceSolutionKey: { type: 'hangoutsMeet' } },
    },
  };
}

/** An event that was made one of whole days has a `date`, which must go. */
const toPatch = ({ start, end, attendees }: Omit<EventChange, 'etag'>) => ({
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
    meetLink: event.hangoutLink ?? null,
    linkPending: event.conferenceData?.createRequest?.status?.statusCode === 'pending',
    meetingId: event.extendedProperties?.private?.tandem_meeting_id,
    etag: event.etag,
    start: instantOf(event.start),
    end: instantOf(event.end),
    attendees: event.attendees ?? [],
    updatedAt: event.updated === undefined ? undefined : Date.parse(event.updated),
  };
}

const freeBusyUnknown = (reason: string) =>
  new CalendarError(reason === 'notFound' ? 'not_found' : 'unavailable', `free/busy unknown: ${reason}`);

function refusal(response: Response, text: string): CalendarError {
  const reason = /"reason":\s*"(\w+)"/.exec(text)?.[1] ?? '';
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  const wait = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const { status } = response;
  // Said of a calendar that has no Meet, in words only.
  if (status === 400 && text.includes('Invalid conference type'))
    return new CalendarError('no_conference', 'the calendar has no video conferences');
  const kind: CalendarError['kind'] =
    status === 401
      ? 'unauthorized'
      : status === 429 || RATE_REASONS.includes(reason)
        ? 'unavailable'
        : status === 403
          ? 'forbidden'
          : status === 404
            ? 'not_found'
            : status === 409
              ? 'duplicate'
              : status === 410
                ? 'gone'
                : status === 412
                  ? 'changed'
                  : status < 500
                    ? 'invalid'
                    : 'unavailable';
  return new CalendarError(kind, `the calendar answered ${status} ${reason}`, wait);
}
