import * as z from 'zod';

/** An e-mail address, in lower case. */
export const Email = z
  .email('must be an e-mail address')
  .max(254)
  .transform((email) => email.toLowerCase())
  .describe('An e-mail address, in any case');

/** Exactly two different addresses, the requester first. */
export const Attendees = z
  .array(Email, 'must be an array of two e-mail addresses')
  .length(2, 'must be exactly 2 e-mail addresses')
  .refine(([one, two]) => one !== two, 'must be two different addresses')
  .transform((emails) => emails as [string, string])
  .describe(
    'The two addresses, different and both connected; the first is the requester, on whose calendar the event is created',
  );

/** Later instants, and their ends, are no dates the database reads. */
const LATEST = Date.UTC(9999, 0);

const DATE = z.regexes.date.source.slice(1, -1);
const CLOCK = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?';
const OFFSET = '(?:[zZ]|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)';
const WRITTEN = new RegExp(`^${DATE}[tT]${CLOCK}${OFFSET}$`);

/** An ISO 8601 date-time with an offset or `Z`, its seconds left out or not, read as epoch milliseconds. */
export const Instant = z
  .string('must be an ISO 8601 date-time with an offset or Z')
  .regex(WRITTEN, 'must be an ISO 8601 date-time with an offset or Z')
  .describe('ISO 8601 with an offset or Z; seconds are optional')
  .transform((text) => Date.parse(text.toUpperCase().replace(/([+-]\d\d):?(\d\d)?$/, readableOffset)))
  .refine((ms) => ms >= 0 && ms < LATEST, 'must lie between 1970 and 9998');

const readableOffset = (_offset: string, hours: string, minutes = '00') => `${hours}:${minutes}`;

export const minutes = (min: number, max: number) =>
  z
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be a whole number from ${min} to ${max}`)
    .max(max, `must be a whole number from ${min} to ${max}`);

/** A whole number as a query parameter spells it, in at most three digits. */
export function wholeText(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string(error)
    .regex(/^\d{1,3}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
}

/** A yes or no as a query parameter spells it. */
export const yesText = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true');

/** An id in a path; what none of ours can look like is empty, and so names nothing. */
export const id = (description: string) =>
  z
    .string()
    .describe(description)
    .transform((text) => (/^[\w-]{1,100}$/.test(text) ? text : ''));

/** The address in a path. */
export const personPath = z.object({ email: Email.describe('The address of the person, URL-encoded') });

/** A date in the caller's words. */
export const LocalDate = z.iso.date('must be a date, YYYY-MM-DD').describe('A date, YYYY-MM-DD');

/** A time of ours, in an answer, and what it is the time of. */
export const instantOf = (what: string) => z.string().describe(`${what}, ISO 8601 in UTC`);
export const instantOrNull = (what: string) => z.string().nullable().describe(`${what}, ISO 8601 in UTC`);

/** What many answers carry, in the same words. */
export const success = z.literal(true).describe('Always true: a failure is answered as an error');
export const note = z.string().describe('What was done, in a sentence for a person');
export const meetingId = z.string().describe('The id of the meeting, `meet_…`');
export const bothAttendees = z.array(z.string()).describe('The two addresses, the requester first');
export const address = z.string().describe('The e-mail address of the person');
/** Whose calendars are connected: a text in the contract, so that others may join. */
export const PROVIDER = 'google';
export const provider = z.string().describe('The calendar provider');
export const providerId = z.string().describe("The person's account at the calendar provider");
export const zoneName = z.string().describe("The person's time zone, an IANA name");
export const startTime = instantOf('When the meeting starts');
export const endTime = instantOf('When the meeting ends');
export const meetLink = z
  .string()
  .nullable()
  .describe('The address of the video conference; null while the provider is still making it');

/** Text the database can keep. */
export const text = (max: number) =>
  z
    .string('must be a string')
    .max(max, `must have at most ${max} characters`)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be well-formed text without NUL');

/** What became of the calendar's event of a cancelled meeting. */
export const CalendarEventEnd = z
  .enum(['deleted', 'kept', 'unknown'])
  .describe(
    '`kept` where the calendar was closed to the platform; deleted there if it is connected again within 7 days. `unknown` where the calendar could not be asked for a day; deleted there once it can be',
  );

/** What the two have carried for each other, where that is anything. */
export const fairness = z
  .object({
    carried_minutes: z
      .record(z.string(), z.int())
      .describe('By address: minutes outside 08:00-18:00 in their other meetings, from 90 days ago on'),
  })
  .optional()
  .describe('Absent when neither meets the other outside 08:00-18:00');

/** In an answer to what has a body: what of it was not read. */
export const warnings = z
  .array(z.string())
  .optional()
  .describe('Unknown fields of the request, each in a sentence; absent when all are known');

/** A live meeting of the platform's own that another overlaps, and whose it is. */
export const Conflict = z.object({ email: address, meeting_id: meetingId, start_time: startTime, end_time: endTime });
