import * as z from 'zod';
import { fresh, SEARCH_ERRORS } from './availability.ts';
import {
  address,
  instantOrNull,
  LocalDate,
  minutes,
  personPath,
  provider,
  wholeText,
  yesText,
  zoneName,
} from './fields.ts';
import { operation } from './operation.ts';
import { CalendarRead, SearchWindow } from './slot.ts';

export const UserStatus = z.object({
  email: address,
  calendar_connected: z.boolean().describe('Whether this platform can schedule them'),
  last_sync: instantOrNull('When their calendar was last read; null when it is not connected'),
  provider,
});

export const getUserStatus = operation({
  method: 'get',
  path: '/v1/users/{email}/status',
  id: 'getUserStatus',
  key: 'platform',
  summary: "Ask whether a person's calendar is connected with this platform",
  description: 'With the instant of its last read; what other platforms have is not told.',
  params: personPath,
  answer: { is: 'The status; a stranger is simply not connected.', schema: UserStatus },
});

const localTime = (what: string) => z.string().describe(`${what}, ISO 8601 with the offset of timezone`);

export const UserAvailability = z.object({
  email: address,
  timezone: zoneName,
  duration_minutes: z.int().describe('The shortest interval listed, in minutes'),
  search_window: SearchWindow,
  intervals: z
    .array(z.object({ start_time: localTime('When they become free'), end_time: localTime('When they no longer are') }))
    .describe('When they are free, in order'),
  calendars: z.array(CalendarRead).describe('How fresh the calendar was'),
});

export const getUserAvailability = operation({
  method: 'get',
  path: '/v1/users/{email}/availability',
  id: 'getUserAvailability',
  key: 'platform',
  summary: "List one person's free intervals",
  description: 'In their own zone and under their own rules. Either date alone is enough.',
  params: personPath,
  query: z.object({
    start_date: LocalDate.optional().describe('The first date, YYYY-MM-DD in their zone; today when left out'),
    end_date: LocalDate.optional().describe('The last date, included, YYYY-MM-DD; at most 90 dates in all'),
    duration_minutes: wholeText(15, 120).default(30),
    fresh: yesText,
  }),
  shown: { duration_minutes: minutes(15, 120).default(30).describe('The shortest interval to list'), fresh },
  answer: { is: 'The intervals, in order.', schema: UserAvailability },
  errors: ['invalid_date_range', ...SEARCH_ERRORS],
});

export const operations = [getUserStatus, getUserAvailability];
