import { type BusyTime, type Calendar, CalendarError, type FreeBusy, type ListedCalendar } from '../ports.ts';
import { createGoogleCall } from './google-call.ts';
import { createGoogleEvents } from './google-events.ts';

const DAY_MS = 86_400_000;
/** Google refuses free/busy spans over about 90 days, and tells nothing of a calendar beyond the fiftieth. */
const LONGEST_SPAN_MS = 60 * DAY_MS;
const MOST_CALENDARS = 50;

type Span = [start: number, end: number];

interface FreeBusyAnswer {
  calendars?: Record<string, { busy?: BusyTime[]; errors?: { reason: string }[] }>;
}

/** No colours, no descriptions: what a person knows a calendar by, and whether it is theirs. */
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

interface CalendarsPage {
  items?: GoogleCalendar[];
  nextPageToken?: string;
}

/** Google Calendar v3: a person's calendars, and the events on their own. */
export function createGoogleCalendar({ requestId }: { requestId: string }): Calendar {
  const call = createGoogleCall({ requestId });

  async function freeBusy(accessToken: string, ids: readonly string[], [start, end]: Span, into: FreeBusy) {
    const answer = await call<FreeBusyAnswer | undefined>(accessToken, 'POST', '/freeBusy', {
      timeMin: new Date(start).toISOString(),
      timeMax: new Date(end).toISOString(),
      items: ids.map((id) => ({ id })),
    });
    const calendars = new Map(Object.entries(answer?.calendars ?? {}));
    for (const id of ids) {
      const calendar = calendars.get(id);
      // An error, or a calendar the answer leaves out, comes with 200: unknown, never free.
      if (calendar?.busy === undefined || (calendar.errors?.length ?? 0) > 0)
        into.unknown.set(id, freeBusyUnknown(calendar?.errors?.[0]?.reason ?? 'not answered'));
      else into.busy.set(id, [...(into.busy.get(id) ?? []), ...calendar.busy]);
    }
  }

  return {
    ...createGoogleEvents(call),
    async freeBusy(accessToken, calendars, start, end) {
      const asked: [ids: readonly string[], span: Span][] = [];
      for (let first = 0; first < calendars.length; first += MOST_CALENDARS)
        for (let from = start; from < end; from += LONGEST_SPAN_MS)
          asked.push([calendars.slice(first, first + MOST_CALENDARS), [from, Math.min(end, from + LONGEST_SPAN_MS)]]);
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
        if (answer?.items === undefined) throw new CalendarError('unavailable', 'the list of calendars has none');
        calendars.push(...answer.items.filter(({ deleted }) => deleted !== true).map(toListed));
        if (answer.nextPageToken === undefined) return calendars;
        query.set('pageToken', answer.nextPageToken);
      }
      throw new CalendarError('unavailable', `the list of calendars has more than ${MOST_PAGES} pages`);
    },
    timeZone: async (accessToken) =>
      (await call<{ value: string }>(accessToken, 'GET', '/users/me/settings/timezone')).value,
    async watch(accessToken, { calendar, id, token, address, lifeMs }) {
      const channel = await call<{ resourceId: string; expiration: string }>(
        accessToken,
        'POST',
        `/calendars/${encodeURIComponent(calendar)}/events/watch`,
        { id, token, type: 'web_hook', address, params: { ttl: String(Math.floor(lifeMs / 1_000)) } },
      );
      return { resourceId: channel.resourceId, expiresAt: Number(channel.expiration) };
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

const freeBusyUnknown = (reason: string) =>
  new CalendarError(reason === 'notFound' ? 'not_found' : 'unavailable', `free/busy unknown: ${reason}`);
