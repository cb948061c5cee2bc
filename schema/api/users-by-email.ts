import * as z from 'zod';
import { fresh, SEARCH_ERRORS } from './availability.ts';
import { instant, LocalDate, minutes, personPath, wholeText, yesText } from './fields.ts';
import { operation } from './operation.ts';
import { CalendarRead, SearchWindow } from './slot.ts';

export const UserStatus = z.object({
  email: z.string(),
  calendar_connected: z.boolean(),
  last_sync: instant.nullable(),
  provider: z.string(),
});

export const getUserStatus = operation({
  method: 'get',
  path: '/v1/users/{email}/status',
  id: 'getUserStatus',
  key: 'platform',
  summary: "Ask whether a person's calendar is connected with this platform",
  params: personPath,
  answer: { is: 'The status; a stranger is simply not connected.', schema: UserStatus },
});

const localTime = z.string().describe('ISO 8601 with the offset of timezone');

export const UserAvailability = z.object({
  email: z.string(),
  timezone: z.string(),
  duration_minutes: z.int(),
  search_window: SearchWindow,
  intervals: z.array(z.object({ start_time: localTime, end_time: localTime })),
  calendars: z.array(CalendarRead),
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
    start_date: LocalDate.optional(),
    end_date: LocalDate.optional(),
    duration_minutes: wholeText(15, 120).default(30),
    fresh: yesText,
  }),
  shown: { duration_minutes: minutes(15, 120).default(30).describe('The shortest interval to list'), fresh },
  answer: { is: 'The intervals, in order.', schema: UserAvailability },
  errors: ['invalid_date_range', ...SEARCH_ERRORS],
});

export const operations = [getUserStatus, getUserAvailability];
