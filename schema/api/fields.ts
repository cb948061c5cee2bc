import * as z from 'zod';
import { docs } from '#docs';
import { hasHidden, hidesText, VISIBLE } from './hidden-text.ts';

// Fields of the usual types, each with its description.

export const described = <T extends z.ZodType>(of: T, description: string) => of.describe(description);
export const stringOf = (description: string) => z.string().describe(description);
export const stringOrNull = (description: string) => z.string().nullable().describe(description);
export const stringOrAbsent = (description: string) => z.string().optional().describe(description);
export const intOf = (description: string) => z.int().describe(description);
export const intOrNull = (description: string) => z.int().nullable().describe(description);
export const intOrAbsent = (description: string) => z.int().optional().describe(description);
export const booleanOf = (description: string) => z.boolean().describe(description);
export const numberOf = (description: string) => z.number().describe(description);
/** A number from 0 to 1. */
export const shareOf = (description: string) => z.number().min(0).max(1).describe(description);
export const arrayOf = <T extends z.ZodType>(of: T, description: string) => z.array(of).describe(description);
export const objectOf = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z.object(shape).describe(description);
export const stringsOf = (description: string) => arrayOf(z.string(), description);
export const oneOf = <const T extends readonly string[]>(values: T, description: string) =>
  z.enum(values).describe(description);
/** Field of a request that is false unless it is sent. */
export const flagOf = (description: string) => z.boolean('must be true or false').default(false).describe(description);
export const optionalOf = <T extends z.ZodType>(of: T, description: string) => of.optional().describe(description);

const NO_ADDRESS = 'must be an email address, such as ada@example.com';
/** WHATWG's pattern of an email address, which here takes letters and digits of every script. */
const WRITTEN_ADDRESS = /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{M}\p{N}.-]+$/u;
const DOMAIN = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/;

/** Returns a domain with its international labels as A-labels, such as xn--mnchen-3ya.de. */
const asciiDomain = (domain: string) =>
  /[^\x20-\x7e]/.test(domain) && URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : domain;

const LONGEST_ADDRESS = 254;
const TOO_LONG = `must have at most ${LONGEST_ADDRESS} characters`;

/** An email address without the blanks around it, in lower case and with its domain in ASCII. */
export const Email = z
  .string(NO_ADDRESS)
  .trim()
  .check(z.email({ pattern: WRITTEN_ADDRESS, error: NO_ADDRESS }))
  .max(LONGEST_ADDRESS, TOO_LONG)
  .refine((written) => !hasHidden(written), NO_ADDRESS)
  .transform((written) => {
    const [local = '', domain = ''] = written.normalize('NFC').toLowerCase().split('@');
    return `${local}@${asciiDomain(domain)}`;
  })
  .refine((email) => email.length <= LONGEST_ADDRESS, TOO_LONG)
  .refine((email) => DOMAIN.test(email.slice(email.indexOf('@') + 1)), NO_ADDRESS)
  .describe(docs('Email address of a person, in any letter case. An international domain may be in its own script.'));

/** Exactly two different email addresses. The first is the requester's. */
export const Attendees = z
  .array(Email, 'must be an array of two different email addresses')
  .length(2, 'must contain exactly two email addresses')
  .refine(([one, two]) => one !== two, 'must contain two different email addresses')
  .transform((emails) => emails as [string, string])
  .describe(
    docs(
      "Email addresses of the two attendees. The two addresses must differ, and both people must have connected a calendar. The first attendee is the requester: the event is created on the requester's calendar.",
    ),
  );

/** The database cannot read dates from the year 10000 on, and a meeting that starts late in 9999 could end there. */
const LATEST = Date.UTC(9999, 0);

const DATE = z.regexes.date.source.slice(1, -1);
const CLOCK = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?';
const OFFSET = '(?:[zZ]|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)';
const WRITTEN = new RegExp(`^${DATE}[tT]${CLOCK}${OFFSET}$`);
const NO_TIME = 'must be an ISO 8601 date-time with an offset or Z, such as 2026-12-01T14:00:00+01:00';
const NO_DATE = 'must be a date in the form YYYY-MM-DD, such as 2026-12-01';

/** Says of a text that would fit the pattern with other digits that what it names doesn't exist. */
const unless = (pattern: RegExp, wrong: string, absent: string) => ({
  error: ({ input }: { input?: unknown }) =>
    typeof input === 'string' && pattern.test(input.replace(/\d/g, '1')) ? absent : wrong,
});

/** An ISO 8601 date-time with an offset or `Z`, read as epoch milliseconds. Its seconds are optional. */
export const Instant = z
  .string(NO_TIME)
  .regex(WRITTEN, unless(WRITTEN, NO_TIME, 'must name a day and a time that exist'))
  .describe(docs('ISO 8601 date-time with an offset or Z. Seconds are optional.'))
  .transform((text) => Date.parse(text.toUpperCase().replace(/([+-]\d\d):?(\d\d)?$/, readableOffset)))
  .refine((ms) => ms >= 0 && ms < LATEST, 'must be a time in the years 1970 to 9998');

const readableOffset = (_offset: string, hours: string, minutes = '00') => `${hours}:${minutes}`;

export const minutes = (min: number, max: number) =>
  z
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be a whole number from ${min} to ${max}`)
    .max(max, `must be a whole number from ${min} to ${max}`);

/** Shortest and longest length, in minutes, of a meeting for which Tandem searches a time. */
export const SEARCHED_MINUTES = [15, 120] as const;
export const USUAL_MINUTES = 30;
export const GIVEN_MINUTES = [5, 720] as const;
export const searchedDuration = minutes(...SEARCHED_MINUTES)
  .default(USUAL_MINUTES)
  .describe(docs(`Length of the meeting in minutes, ${SEARCHED_MINUTES.join(' to ')}.`));

/** A whole number of at most three digits, given as the text of a query parameter. */
export function wholeText(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string(error)
    .regex(/^\d{1,3}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
}

/** A boolean given as the text of a query parameter, such as `true`. */
export const yesText = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true');

/** An ID in a path. Text that cannot be one of our IDs is read as empty, so it matches no row. */
export const id = (description: string) =>
  stringOf(description).transform((text) => (/^[\w-]{1,100}$/.test(text) ? text : ''));

export const personPath = z.object({ email: Email.describe(docs('Email address of the person, URL-encoded.')) });

export const LocalDate = z.iso
  .date(unless(z.regexes.date, NO_DATE, 'must name a day that exists'))
  .describe(docs('Date, YYYY-MM-DD.'));

/** `what` begins the field's description, such as "Time of the booking", and `more` is a further sentence. */
export const instantOf = (what: string, more?: string) => z.string().describe(docs(inUtc(what, more)));
export const instantOrNull = (what: string, more: string) => stringOrNull(docs(inUtc(what, more)));
export const instantOrAbsent = (what: string, more: string) => instantOf(what, more).optional();
const inUtc = (what: string, more?: string) => [`${what}, ISO 8601 in UTC.`, ...(more ? [more] : [])].join(' ');

export const success = z.literal(true).describe(docs('Always true, because a failure is returned as an error.'));
export const note = z.string().describe(docs('Summary of the response, written for a person.'));
export const meetingId = z.string().describe(docs('ID of the meeting, `meet_…`.'));
export const bothAttendees = stringsOf(
  docs("Email addresses of the two attendees. The requester's address comes first."),
);
export const address = z.string().describe(docs('Email address of the person.'));
/** The only calendar provider today. The contract types it as a string, so that others can be added. */
export const PROVIDER = 'google';
export const provider = z.string().describe(docs('Calendar provider. Currently always `google`.'));
export const providerId = z.string().describe(docs("ID of the person's account at the calendar provider."));
export const zoneName = z.string().describe(docs('IANA time zone of the person, empty while it is unknown.'));
export const startTime = instantOf('Start of the meeting');
export const endTime = instantOf('End of the meeting');
export const meetLink = stringOrNull(
  docs('URL of the video conference. Null until the calendar provider has created the video conference.'),
);

/** Postgres stores neither NUL nor unpaired surrogates. A language model would read hidden characters, so none pass. */
export const text = (max: number) =>
  z
    .string('must be a string')
    .max(max, `must have at most ${max} characters`)
    .refine(
      (value) => value.isWellFormed() && !value.includes('\0'),
      'must be valid Unicode text without NUL characters',
    )
    .refine((value) => !hidesText(value), 'must not have hidden characters, such as tag characters');

export const someText = (max: number) => text(max).trim().min(1, 'must not be empty');

/** A list of at least one entry. `what` names its entries. */
export const someOf = <T extends z.ZodType>(of: T, most: number, what: string) =>
  z
    .array(of, `must be an array of 1 to ${most} ${what}`)
    .min(1, `must have 1 to ${most} entries`)
    .max(most, `must have 1 to ${most} entries`);

/** One of the given values. The message of a wrong one lists them. */
export const choiceOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/** In a list, a log or what a model reads, a line break could make the rest look like a line of Tandem's own. */
export const line = (max: number) =>
  someText(max)
    .refine((value) => VISIBLE.test(value), 'must have a visible character')
    .refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value), 'must be one line without control characters');

export const CalendarEventEnd = oneOf(
  ['deleted', 'kept', 'unknown'],
  docs(
    "What happened to the meeting's calendar event. `deleted`: Tandem removed the event. `kept`: the platform no longer has access to the calendar, and Tandem deletes the event only if the person reconnects within 7 days. `unknown`: the calendar could not be reached for 24 hours, and Tandem deletes the event once it can.",
  ),
);

/** Counts the two attendees' other meetings with each other, from 90 days ago on. */
export const fairness = z
  .object({
    carried_minutes: z
      .record(z.string(), z.int())
      .describe(
        docs(
          "Minutes outside 08:00-18:00 in the two people's other meetings with each other on your platform, for each person on their own clock, keyed by email address. The minutes are those of the last 90 days and of all future meetings.",
        ),
      ),
  })
  .optional()
  .describe(
    docs(
      "How the two people share their meetings outside 08:00-18:00. Absent if none of the two people's meetings with each other, including the new meeting, is outside 08:00-18:00 for either person.",
    ),
  );

export type Fairness = z.infer<typeof fairness>;

export const warnings = optionalOf(
  z.array(z.string()),
  docs(
    'Sentences for your log, one for each field of the body that Tandem does not know and so ignored, such as a misspelled one. The request took effect all the same. Absent if there are none.',
  ),
);

/** It is of the same platform, and the attendee is in both meetings. */
export const Conflict = z.object({ email: address, meeting_id: meetingId, start_time: startTime, end_time: endTime });

export const BookingOfJob = oneOf(
  ['none', 'withdrawn'],
  docs(
    "What happened to the job's booking when the job was cancelled. `none`: the job had not begun to book. `withdrawn`: the job had begun a booking, which Tandem undid. Absent if the job was not cancelled.",
  ),
);

const AttendeeDetail = z.object({
  email: address,
  connected: booleanOf(
    docs(
      'True if the attendee was connected to your platform. Tandem reads no calendar of a person who is not connected to your platform.',
    ),
  ),
  name: stringOrAbsent(
    docs('Name that the guest gave with the acceptance. Present only in a proposal, if they gave one.'),
  ),
  time_zone: stringOrAbsent(docs('IANA time zone that the guest gave. Absent if the guest gave no time zone.')),
});

interface Attending {
  email: string;
  isConnected: boolean;
  name?: string | null | undefined;
  timeZone?: string | null | undefined;
}

/** The requester is first. Has the name and time zone that a guest gave. */
export type AttendeeDetails = [requester: Attending, other: Attending];

export const attendeeDetails = optionalOf(
  z.array(AttendeeDetail),
  docs(
    'Details of both attendees, in the order of `attendees`. A guest, who has connected no calendar to your platform, has `connected: false`. Absent if both attendees are connected.',
  ),
);

export const detailsOf = (details: AttendeeDetails) =>
  details.every(({ isConnected }) => isConnected) ? {} : { attendee_details: details.map(toDetail) };

const toDetail = ({ email, isConnected, name, timeZone }: Attending) => ({
  email,
  connected: isConnected,
  ...(typeof name === 'string' ? { name } : {}),
  ...(typeof timeZone === 'string' ? { time_zone: timeZone } : {}),
});
