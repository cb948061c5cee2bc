import type { ClockTime } from '../../../../lib/availability/explain-week.ts';
import { MEETING_CONTEXTS, type MeetingContext } from '../../../../lib/engine/rank/contexts.ts';
import { DAY, formatDate, mondayOf, parseDate, sayDate } from '../../../../lib/engine/time/dates.ts';
import { LONGEST_DAYS } from '../../../../lib/engine/time/window.ts';
import { Email, SEARCHED_MINUTES } from '../../../../schema/api/fields.ts';

const [SHORTEST, LONGEST] = SEARCHED_MINUTES;

/** The calendars that Tandem stores reach a little further ahead. */
const DAYS_AHEAD = 100;

const FIELDS = [
  'first',
  'second',
  'date',
  'time',
  'clock',
  'which',
  'minutes',
  'context',
  'from',
  'to',
  'week',
  'fresh',
] as const;
export type FieldName = (typeof FIELDS)[number];
export type Typed = Record<FieldName, string>;
export type FieldErrors = Partial<Record<FieldName, string>>;

export interface Question {
  attendees: [string, string];
  asked: ClockTime | undefined;
  durationMinutes: number;
  context: MeetingContext | undefined;
  dateRange: { startDate: string | undefined; endDate: string | undefined } | undefined;
  weekOf: number | undefined;
  isFresh: boolean;
}

export function readTyped(query: Record<string, string>): Typed {
  const typed = Object.fromEntries(FIELDS.map((name) => [name, query[name] ?? ''])) as Typed;
  return 'minutes' in query ? typed : { ...typed, minutes: '30' };
}

/** The form was sent, or a link names both people. False if the page was only opened, perhaps with one filled in. */
export const isAsked = (query: Record<string, string>): boolean =>
  'date' in query || 'time' in query || (Boolean(query.first) && Boolean(query.second));

type Read = { ok: true; question: Question } | { ok: false; errors: FieldErrors };

export function readQuestion(typed: Typed, now: number): Read {
  const errors: FieldErrors = {};
  const today = Math.floor(now / DAY);
  const [first, second] = [Email.safeParse(typed.first.trim()), Email.safeParse(typed.second.trim())];
  if (!first.success) errors.first = addressError(typed.first);
  if (!second.success) errors.second = addressError(typed.second);
  else if (first.data === second.data)
    errors.second = 'This is the same address as for the first person. Enter the other person’s.';
  const day = parseDate(typed.date);
  const minute = readClock(typed.time);
  if (day === undefined && typed.date + typed.time !== '') errors.date = dateError(typed.date);
  if (day !== undefined && day < today - 1) errors.date = OVER;
  if (day !== undefined && day > today + DAYS_AHEAD) errors.date = tooFar(today);
  if (minute === undefined && typed.time !== '') errors.time = 'Enter a time, like 14:30.';
  const minutes = /^\d{1,3}$/.test(typed.minutes.trim()) ? Number(typed.minutes) : 0;
  if (minutes < SHORTEST || minutes > LONGEST)
    errors.minutes = `Enter a whole number of minutes, from ${SHORTEST} to ${LONGEST}.`;
  Object.assign(errors, rangeErrors(typed, today));
  if (Object.keys(errors).length > 0 || !first.success || !second.success) return { ok: false, errors };
  const whose = typed.clock === 'second' ? ('other' as const) : ('requester' as const);
  const dateRange =
    typed.from === '' && typed.to === ''
      ? undefined
      : { startDate: typed.from || undefined, endDate: typed.to || undefined };
  return {
    ok: true,
    question: {
      attendees: [first.data, second.data],
      asked:
        day === undefined || minute === undefined
          ? undefined
          : { day, minute, whose, isLater: typed.which === 'second' },
      durationMinutes: minutes,
      context: MEETING_CONTEXTS.find((name) => name === typed.context),
      dateRange,
      weekOf: shownWeek(typed.week, today) ?? (minute === undefined ? day : undefined),
      isFresh: typed.fresh === 'yes',
    },
  };
}

/** Either is undefined if it is past or too far ahead. */
export function stepsFrom(monday: string, now: number): { before: string | undefined; after: string | undefined } {
  const today = Math.floor(now / DAY);
  const day = parseDate(monday) ?? today;
  return {
    before: day > mondayOf(today) ? formatDate(day - 7) : undefined,
    after: day + 7 <= today + DAYS_AHEAD ? formatDate(day + 7) : undefined,
  };
}

export const OVER = 'This time has passed. Tandem can explain only future times, because calendars change.';

const tooFar = (today: number) =>
  `Choose a date up to ${sayDate(formatDate(today + DAYS_AHEAD))}. Tandem reads calendars ${DAYS_AHEAD} days ahead.`;

const addressError = (text: string) =>
  text.trim() === ''
    ? 'Enter the email address of a connected person.'
    : 'Enter an email address, like ada@example.com.';

const dateError = (text: string) =>
  text === '' ? 'Enter a date, or leave the time empty too.' : 'Enter a date that exists, like 2027-03-15.';

function readClock(text: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::00(?:\.0+)?)?$/.exec(text);
  return match === null ? undefined : Number(match[1]) * 60 + Number(match[2]);
}

function rangeErrors({ from, to }: Typed, today: number): FieldErrors {
  const errors: FieldErrors = {};
  const [first, last] = [parseDate(from), parseDate(to)];
  if (from !== '' && first === undefined) errors.from = dateError(from);
  if (to !== '' && last === undefined) errors.to = dateError(to);
  if (first !== undefined && first > today + DAYS_AHEAD) errors.from = tooFar(today);
  // The last week may begin as late as `DAYS_AHEAD`, and the range ends on its Sunday, six days later.
  if (last !== undefined && last > today + DAYS_AHEAD + 6) errors.to = tooFar(today);
  if (last !== undefined && last < today - 1) errors.to = 'These dates have passed. Enter a later one.';
  if (first === undefined || last === undefined) return errors;
  if (last < first) errors.to = 'The last date is before the first.';
  else if (last - Math.max(first, today) >= LONGEST_DAYS) errors.to = `A search covers at most ${LONGEST_DAYS} days.`;
  return errors;
}

/** A past week, or one too far ahead, is undefined: the page shows the week of the time in question. */
function shownWeek(text: string, today: number): number | undefined {
  const day = parseDate(text);
  return day === undefined || day < mondayOf(today) || day > today + DAYS_AHEAD ? undefined : day;
}
