import * as z from 'zod';
import { docs } from '#docs';
import { fresh, SEARCH_ERRORS } from './availability.ts';
import {
  address,
  instantOrNull,
  LocalDate,
  minutes,
  personPath,
  provider,
  SEARCHED_MINUTES,
  wholeText,
  yesText,
  zoneName,
} from './fields.ts';
import { platformOperation } from './operation.ts';
import { CalendarRead, SearchWindow } from './slot.ts';

export const UserStatus = z.object({
  email: address,
  calendar_connected: z.boolean().describe(docs('True if this platform can schedule meetings for the person.')),
  last_sync: instantOrNull(
    "Time at which Tandem last read the person's calendar for this platform",
    'Null if the calendar is not connected.',
  ),
  provider,
});

export const getUserStatus = platformOperation({
  method: 'get',
  path: '/v1/users/{email}/status',
  id: 'getUserStatus',
  summary: docs("Check whether a person's calendar is connected to this platform"),
  description: docs(
    "The response also has the time at which Tandem last read the person's calendar for this platform. The response does not reveal if the person is connected to other platforms.",
  ),
  params: personPath,
  answer: {
    is: docs(
      "Returns the state of the person's connection. For an unknown email address, `calendar_connected` is false.",
    ),
    schema: UserStatus,
  },
});

const localTime = (what: string) =>
  z.string().describe(docs(`${what}, ISO 8601 with the offset of the time zone in \`timezone\`.`));

export const UserAvailability = z.object({
  email: address,
  timezone: zoneName,
  duration_minutes: z.int().describe(docs('Length of the shortest free interval in the list, in minutes.')),
  search_window: SearchWindow,
  intervals: z
    .array(
      z.object({
        start_time: localTime('Start of the free interval'),
        end_time: localTime('End of the free interval'),
      }),
    )
    .describe(docs('Intervals at which the person is free, earliest first.')),
  calendars: z
    .array(CalendarRead)
    .describe(docs('Time at which Tandem read the calendar, and source of the busy times.')),
});

export const getUserAvailability = platformOperation({
  method: 'get',
  path: '/v1/users/{email}/availability',
  id: 'getUserAvailability',
  summary: docs("List one person's free intervals"),
  description: docs(
    "The search for free intervals uses the person's own time zone and preferences. Both `start_date` and `end_date` are optional, and you can send one without the other.",
  ),
  params: personPath,
  query: z.object({
    start_date: LocalDate.optional().describe(
      docs("First date to search, YYYY-MM-DD in the person's time zone. Defaults to today."),
    ),
    end_date: LocalDate.optional().describe(
      docs('Last date to search, inclusive, YYYY-MM-DD. A search covers at most 90 dates.'),
    ),
    duration_minutes: wholeText(...SEARCHED_MINUTES).default(30),
    fresh: yesText,
  }),
  shown: {
    duration_minutes: minutes(...SEARCHED_MINUTES)
      .default(30)
      .describe(docs(`Length of the shortest free interval to list, ${SEARCHED_MINUTES.join(' to ')} minutes.`)),
    fresh,
  },
  answer: { is: docs('Returns the free intervals, earliest first.'), schema: UserAvailability },
  errors: ['invalid_date_range', ...SEARCH_ERRORS],
});

export const ErasedGuest = z.object({
  success: z.literal(true).describe(docs('Always `true`.')),
  email: address,
  message: z.string().describe(docs('Sentence that says what was erased.')),
});

export const eraseGuest = platformOperation({
  method: 'delete',
  path: '/v1/users/{email}',
  id: 'eraseGuest',
  summary: docs('Erase a guest'),
  description: docs(
    "Erases a guest: a person who was invited by a proposal and never connected to your platform. After the erasure, your meetings and proposals show “a former user” instead of the guest's name, and an address that belongs to nobody instead of the guest's address. Open proposals for the guest expire within a minute. The erasure does not change events in calendars, so first cancel the guest's future meetings. Meetings with an erased guest can only be cancelled. People who have connected to your platform delete their data themselves.",
  ),
  params: personPath,
  answer: { is: docs('Confirms that the guest was erased.'), schema: ErasedGuest },
  errors: ['user_not_found'],
});

export const operations = [getUserStatus, getUserAvailability, eraseGuest];
