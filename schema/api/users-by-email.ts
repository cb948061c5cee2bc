import * as z from 'zod';
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
import { operation } from './operation.ts';
import { CalendarRead, SearchWindow } from './slot.ts';

export const UserStatus = z.object({
  email: address,
  calendar_connected: z.boolean().describe('True if this platform can schedule meetings for the person.'),
  last_sync: instantOrNull('Time the calendar was last read', 'Null if it is not connected.'),
  provider,
});

export const getUserStatus = operation({
  method: 'get',
  path: '/v1/users/{email}/status',
  id: 'getUserStatus',
  key: 'platform',
  summary: "Check whether a person's calendar is connected to this platform",
  description: 'Also returns the time the calendar was last read. Connections to other platforms are not revealed.',
  params: personPath,
  answer: {
    is: 'Returns the status. For an unknown email address, `calendar_connected` is false.',
    schema: UserStatus,
  },
});

const localTime = (what: string) => z.string().describe(`${what}, ISO 8601 with the offset of \`timezone\`.`);

export const UserAvailability = z.object({
  email: address,
  timezone: zoneName,
  duration_minutes: z.int().describe('Length of the shortest interval listed, in minutes.'),
  search_window: SearchWindow,
  intervals: z
    .array(
      z.object({
        start_time: localTime('Start of the free interval'),
        end_time: localTime('End of the free interval'),
      }),
    )
    .describe('Free intervals, earliest first.'),
  calendars: z.array(CalendarRead).describe('Time and source of the calendar read.'),
});

export const getUserAvailability = operation({
  method: 'get',
  path: '/v1/users/{email}/availability',
  id: 'getUserAvailability',
  key: 'platform',
  summary: "List one person's free intervals",
  description: "Uses the person's own time zone and preferences. You can send `start_date` or `end_date` alone.",
  params: personPath,
  query: z.object({
    start_date: LocalDate.optional().describe("First date, YYYY-MM-DD in the person's time zone. Defaults to today."),
    end_date: LocalDate.optional().describe('Last date, inclusive, YYYY-MM-DD. A search covers at most 90 dates.'),
    duration_minutes: wholeText(...SEARCHED_MINUTES).default(30),
    fresh: yesText,
  }),
  shown: {
    duration_minutes: minutes(...SEARCHED_MINUTES)
      .default(30)
      .describe(`Length of the shortest interval to list, ${SEARCHED_MINUTES.join(' to ')} minutes.`),
    fresh,
  },
  answer: { is: 'Returns the free intervals, earliest first.', schema: UserAvailability },
  errors: ['invalid_date_range', ...SEARCH_ERRORS],
});

export const operations = [getUserStatus, getUserAvailability];
