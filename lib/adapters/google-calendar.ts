import { DAY } from '../engine/time/dates.ts';
import type { Interval } from '../engine/types.ts';
import {
  type BusyTime,
  CalendarError,
  type CalendarProvider,
  type FreeBusy,
  type ListedCalendar,
} from '../kit/calendar-ports.ts';
import { createGoogleCall } from './google-call.ts';
import { createGoogleEvents } from './google-events.ts';

/** Longest span of one free/busy request. Google rejects requests for more than about 90 days. */
const LONGEST_SPAN_MS = 60 * DAY;
/** Largest number of calendars in one free/busy request. Google gives no busy times past the fiftieth calendar. */
const MOST_CALENDARS = 50;

type Span = [start: number, end: number];

interface FreeBusyAnswer {
  calendars?: Record<string, { busy?: BusyTime[]; errors?: { reason: string }[] }>;
}

/** The fields identify a calendar and say if the person owns it. Colors and descriptions stay at Google. */
const LIST = {
  maxResults: '250',
  minAccessRole: 'freeBusyReader',
  showHidden: 'true',
  fields: 'items(id,summary,summaryOverride,primary,accessRole,deleted),nextPageToken',
};
const MOST_PAGES = 10;

interface GoogleCalendar {
  id: string;
  summary?: string;
  summaryOverride?: string;
  primary?: boolean;
  accessRole?: string;
  deleted?: boolean;
}

type Channel = { resourceId: string; expiration: string };
type CalendarsPage = { items?: GoogleCalendar[]; nextPageToken?: string };

/** The adapter reads all of a person's calendars for free/busy, and reads and writes events on the main one only. */
export function createGoogleCalendar(options: Parameters<typeof createGoogleCall>[0]): CalendarProvider {
  const call = createGoogleCall(options);

  async function freeBusy(accessToken: string, ids: readonly string[], [start, end]: Span, into: FreeBusy) {
    const answer = await call<FreeBusyAnswer | undefined>(accessToken, 'POST', '/freeBusy', {
      timeMin: new Date(start).toISOString(),
      timeMax: new Date(end).toISOString(),
      items: ids.map((id) => ({ id })),
    });
    const calendars = new Map(Object.entries(answer?.calendars ?? {}));
    for (const id of ids) {
      const calendar = calendars.get(id);
      // Google answers 200 even if a calendar has an error or is missing. Such a calendar is unknown, never free.
      if (calendar?.busy === undefined || (calendar.errors?.length ?? 0) > 0)
        into.unknown.set(id, freeBusyUnknown(calendar?.errors?.[0]?.reason ?? 'not answered'));
      else into.busy.set(id, [...(into.busy.get(id) ?? []), ...calendar.busy]);
    }
  }

  return {
    ...createGoogleEvents(call),
    async freeBusy(accessToken, calendars, spans) {
      const asked: [ids: readonly string[], span: Span][] = [];
      for (let first = 0; first < calendars.length; first += MOST_CALENDARS)
        for (const span of fewest(spans)) asked.push([calendars.slice(first, first + MOST_CALENDARS), span]);
      const answer: FreeBusy = { busy: new Map(), unknown: new Map() };
      await Promise.all(asked.map(([ids, span]) => freeBusy(accessToken, ids, span, answer)));
      for (const id of answer.unknown.keys()) answer.busy.delete(id);
      return answer;
    },
    async listCalendars(accessToken, { timeoutMs } = {}) {
      const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
      const query = new URLSearchParams(LIST);
      const calendars: ListedCalendar[] = [];
      for (let page = 0; page < MOST_PAGES; page++) {
        const path = `/users/me/calendarList?${query}`;
        const answer = await call<CalendarsPage | undefined>(accessToken, 'GET', path, undefined, undefined, signal);
        if (answer?.items === undefined)
          throw new CalendarError('unavailable', 'Google sent a calendar list without items.');
        calendars.push(...answer.items.filter(({ deleted }) => deleted !== true).map(toListed));
        if (answer.nextPageToken === undefined) return calendars;
        query.set('pageToken', answer.nextPageToken);
      }
      throw new CalendarError('unavailable', `The calendar list has more than ${MOST_PAGES} pages.`);
    },
    settingsTimeZone: async (accessToken) =>
      (await call<{ value?: string } | undefined>(accessToken, 'GET', '/users/me/settings/timezone'))?.value,
    // A list of events names the calendar's zone too, and needs no other permission than that to the events.
    calendarTimeZone: async (accessToken) => {
      const path = '/calendars/primary/events?maxResults=1&fields=timeZone';
      return (await call<{ timeZone?: string } | undefined>(accessToken, 'GET', path))?.timeZone;
    },
    async watch(accessToken, { calendar, id, token, address, lifeMs }) {
      const path = `/calendars/${encodeURIComponent(calendar)}/events/watch`;
      const asked = { id, token, type: 'web_hook', address, params: { ttl: String(Math.floor(lifeMs / 1_000)) } };
      const { resourceId, expiration } = await call<Channel>(accessToken, 'POST', path, asked);
      return { resourceId, expiresAt: Number(expiration) };
    },
    async stopChannel(accessToken, channel) {
      await call(accessToken, 'POST', '/channels/stop', channel);
    },
  };
}

const toListed = ({ id, summary, summaryOverride, primary, accessRole }: GoogleCalendar): ListedCalendar => ({
  id: primary === true ? 'primary' : id,
  name: summaryOverride ?? summary ?? '',
  isOwned: primary === true || accessRole === 'owner',
});

/** Returns the fewest spans for requests that together cover the given ones. */
function fewest(spans: readonly Interval[]): Span[] {
  const found: Span[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start))
    for (let from = start; from < end; ) {
      const last = found.at(-1);
      const open: Span = last !== undefined && from < last[0] + LONGEST_SPAN_MS ? last : [from, from];
      if (open !== last) found.push(open);
      open[1] = Math.max(open[1], Math.min(end, open[0] + LONGEST_SPAN_MS));
      from = open[1];
    }
  return found;
}

const freeBusyUnknown = (reason: string) =>
  new CalendarError(reason === 'notFound' ? 'not_found' : 'unavailable', `Google could not read free/busy: ${reason}.`);
