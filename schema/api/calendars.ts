import * as z from 'zod';
import { answer, docs } from '#docs';
import { DateRange, fresh, SEARCH_ERRORS } from './availability.ts';
import * as f from './fields.ts';
import { operation, platformOperation } from './operation.ts';
import { Pagination, pageQuery, shownLimit } from './paging.ts';
import { CalendarRead, SearchWindow } from './slot.ts';

/** Tandem stores the state with every consent that a person begins, so it has a limit. */
export const MOST_STATE = 4_096;
const STATE_SAID = docs(
  `Text of your choice that Tandem adds unchanged to the redirect URI, at most ${MOST_STATE.toLocaleString('en-US')} characters.`,
);

export const authorizeCalendar = operation('get /v1/auth/calendar/authorize', {
  key: 'none',
  summary: docs('Start connecting a calendar in the browser'),
  description: docs(
    'The person opens the URL of this operation in a browser. When the person has given or refused consent, Tandem redirects them to `redirect_uri` with `success=true` or an `error`, and with `state`.',
  ),
  query: z.object({
    platform_key: z.string().describe(docs("The platform's publishable key, `pk_live_…`.")),
    user_email: f.Email.describe(docs('Email address of the person whose calendar is to be connected.')),
    redirect_uri: f.stringOrAbsent(
      docs(
        "One of the platform's redirect URIs. Without a redirect URI, the person ends on a page by Tandem that confirms the connection.",
      ),
    ),
    state: f.text(MOST_STATE).optional().describe(STATE_SAID),
  }),
  answer: { status: 302, is: docs("Redirects to Google's consent page after the person submits the form.") },
  pages: {
    200: docs(
      'Returns a page that tells the person which platform asks for which access, with a button that leads on to Google.',
    ),
    400: docs('Returns a page that says what is wrong with the link to connect a calendar.'),
    500: docs('Returns a page that asks the person to try to connect the calendar again.'),
  },
});

export const OauthUrl = answer(() => ({
  oauth_url: f.stringOf(
    'Link with which the person connects a calendar. Send the link to the person. The link opens a page that says which access the platform asks for.',
  ),
  instructions: z.string().describe('One or two sentences that say how to use the link.'),
}));

export const getOauthUrl = platformOperation('get /v1/platform/oauth-url', {
  summary: docs('Get the link a person uses to connect their calendar'),
  description: docs(
    'Returns the link with which one person connects a calendar: the URL of authorizeCalendar with its parameters filled in. The link to connect a calendar can be opened any number of times and does not expire.',
  ),
  query: z.object({
    user_email: f.Email.describe(docs('Email address of the person whose calendar is to be connected.')),
    redirect_uri: f.optionalOf(
      f.text(2_048),
      docs("One of the platform's redirect URIs. Tandem redirects the person to this URI after the consent."),
    ),
    state: f.text(MOST_STATE).optional().describe(STATE_SAID),
  }),
  codes: { redirect_uri: { wrong: 'invalid_redirect_uri' } },
  answer: {
    is: docs('Returns the link to connect a calendar, and instructions for using the link.'),
    schema: OauthUrl,
  },
});

export const UserStatus = answer(() => ({
  email: f.address,
  calendar_connected: z.boolean().describe('True if this platform can schedule meetings for the person.'),
  last_sync: f.instantOrNull(
    "Time at which Tandem last read the person's calendar for this platform",
    'Null if the calendar is not connected.',
  ),
  provider: f.provider,
}));

export const getUserStatus = platformOperation('get /v1/users/{email}/status', {
  summary: docs("Check whether a person's calendar is connected to this platform"),
  description: docs(
    "The response also has the time at which Tandem last read the person's calendar for this platform. The response does not reveal if the person is connected to other platforms.",
  ),
  params: f.personPath,
  answer: {
    is: docs(
      "Returns the state of the person's connection. For an unknown email address, `calendar_connected` is false.",
    ),
    schema: UserStatus,
  },
});

const localTime = (what: string) =>
  z.string().describe(docs(`${what}, ISO 8601 with the offset of the time zone in \`timezone\`.`));

export const UserAvailability = answer(() => ({
  email: f.address,
  timezone: f.zoneName,
  duration_minutes: z.int().describe('Length of the shortest free interval in the list, in minutes.'),
  search_window: SearchWindow,
  intervals: f.arrayOf(
    z.object({ start_time: localTime('Start of the free interval'), end_time: localTime('End of the free interval') }),
    'Intervals at which the person is free, earliest first.',
  ),
  calendars: f.arrayOf(CalendarRead, 'Time at which Tandem read the calendar, and source of the busy times.'),
}));

export const getUserAvailability = platformOperation('get /v1/users/{email}/availability', {
  summary: docs("List one person's free intervals"),
  description: docs(
    "The search for free intervals uses the person's own time zone and preferences. Both `start_date` and `end_date` are optional, and you can send one without the other.",
  ),
  params: f.personPath,
  query: z.object({
    start_date: f.LocalDate.optional().describe(
      docs("First date to search, YYYY-MM-DD in the person's time zone. Defaults to today."),
    ),
    end_date: DateRange.shape.end_date,
    duration_minutes: f.wholeText(...f.SEARCHED_MINUTES).default(30),
    fresh: f.yesText,
  }),
  shown: {
    duration_minutes: f
      .minutes(...f.SEARCHED_MINUTES)
      .default(30)
      .describe(docs(`Length of the shortest free interval to list, ${f.SEARCHED_MINUTES.join(' to ')} minutes.`)),
    fresh,
  },
  answer: { is: docs('Returns the free intervals, earliest first.'), schema: UserAvailability },
  errors: ['invalid_date_range', ...SEARCH_ERRORS],
});

export const ErasedGuest = answer(() => ({
  success: z.literal(true).describe('Always `true`.'),
  email: f.address,
  message: z.string().describe('Sentence that says what was erased.'),
}));

export const eraseGuest = platformOperation('delete /v1/users/{email}', {
  summary: docs('Erase a guest'),
  description: docs(
    "Erases a guest: a person who was invited by a proposal and never connected to your platform. After the erasure, your meetings and proposals show “a former user” instead of the guest's name, and an address that belongs to nobody instead of the guest's address. Open proposals for the guest expire within a minute. The erasure does not change events in calendars, so first cancel the guest's future meetings. Meetings with an erased guest can only be cancelled. People who have connected to your platform delete their data themselves.",
  ),
  params: f.personPath,
  answer: { is: docs('Confirms that the guest was erased.'), schema: ErasedGuest },
  errors: ['user_not_found'],
});

export const Connections = answer(() => ({
  success: f.success,
  connections: f.arrayOf(
    z.object({
      user_email: f.address,
      provider_id: f.providerId,
      calendar_provider: f.provider,
      status: f.oneOf(
        ['connected', 'needs_reauthorization'],
        'State of the calendar connection. `needs_reauthorization`: access was revoked or has expired, and the person must consent again.',
      ),
      connected_at: f.instantOf('Time the person connected to this platform'),
      last_used_at: f.instantOf("Time this platform last used the person's calendar"),
      onboarding_complete: z.boolean().describe('True if the person has set their preferences.'),
      timezone: f.zoneName,
    }),
    'Calendar connections of the platform, oldest first.',
  ),
  count: z.int().describe('Number of calendar connections in this response.'),
  pagination: Pagination,
}));

export const listCalendars = platformOperation('get /v1/calendars', {
  summary: docs("List the platform's calendar connections"),
  description: docs("Returns the connections of people's calendars to this platform, oldest first."),
  query: z.object(pageQuery('usr_')),
  shown: { limit: shownLimit },
  answer: { is: docs("Returns the platform's calendar connections."), schema: Connections },
});

export const Disconnected = answer(() => ({
  success: f.success,
  message: f.note,
  email: f.address,
  platform_id: z.string().describe('ID of the platform that sent the request, `plat_…`.'),
}));

export const disconnectCalendar = platformOperation('delete /v1/calendars/{email}', {
  summary: docs("Disconnect a person's calendar"),
  description: docs(
    "Revokes the access of all platforms to the person's calendar and sends each of these platforms the event `user.calendar.disconnected`. Existing meetings are not cancelled. Only the person can connect the calendar again.",
  ),
  params: f.personPath,
  answer: { is: docs('Confirms that the calendar is disconnected.'), schema: Disconnected },
  errors: ['connection_not_found'],
});

export const operations = {
  authorizeCalendar,
  getOauthUrl,
  getUserStatus,
  getUserAvailability,
  eraseGuest,
  listCalendars,
  disconnectCalendar,
};
