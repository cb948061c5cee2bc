import { type ClockTime, mondayOf } from '../../../../lib/availability/explain-week.ts';
import { CONTEXTS, type MeetingContext } from '../../../../lib/scheduling/contexts.ts';
import { DAY, formatDate, parseDate, sayDate } from '../../../../lib/scheduling/dates.ts';
import { LONGEST_DAYS } from '../../../../lib/scheduling/window.ts';
import { Email } from '../../../../schema/api/fields.ts';

/** How far ahead the page looks; calendars are known as far and a little further. */
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
/** What was typed into the form, as it was typed; empty where nothing was. */
export type Typed = Record<FieldName, string>;
export const CONTEXT_NAMES = Object.keys(CONTEXTS) as MeetingContext[];
/** What is wrong, by the field it stands at. */
export type FieldErrors = Partial<Record<FieldName, string>>;

/** What the verb takes. */
export interface Question {
  attendees: [string, string];
  asked: ClockTime;
  durationMinutes: number;
  context: MeetingContext | undefined;
  dateRange: { startDate: string | undefined; endDate: string | undefined } | undefined;
  weekOf: number | undefined;
  isFresh: boolean;
}

/** The form as the page's address has it; a new one has half an hour in it. */
export function readTyped(query: Record<string, string>): Typed {
  const typed = Object.fromEntries(FIELDS.map((name) => [name, query[name] ?? ''])) as Typed;
  return 'minutes' in query ? typed : { ...typed, minutes: '30' };
}

/** Whether the form was sent, and not only opened, or opened with somebody in it. */
export const isAsked = (query: Record<string, string>): boolean => 'date' in query || 'time' in query;

/** The question that was typed, or all that is wrong with it. */
export function readQuestion(
  typed: Typed,
  now: number,
): { ok: true; question: Question } | { ok: false; errors: FieldErrors } {
  const errors: FieldErrors = {};
  const today = Math.floor(now / DAY);
  const [first, second] = [Email.safeParse(typed.first.trim()), Email.safeParse(typed.second.trim())];
  if (!first.success) errors.first = addressError(typed.first);
  if (!second.success) errors.second = addressError(typed.second);
  else if (first.data === second.data) errors.second = 'This is the first person again: enter the other one.';
  const day = parseDate(typed.date);
  if (day === undefined) errors.date = dateError(typed.date);
  else if (day < today - 1) errors.date = OVER;
  else if (day > today + DAYS_AHEAD) errors.date = tooFar(today);
  const minute = readClock(typed.time);
  if (minute === undefined) errors.time = typed.time === '' ? 'Enter a time of day.' : 'Enter a time, like 14:30.';
  const minutes = /^\d{1,3}$/.test(typed.minutes.trim()) ? Number(typed.minutes) : 0;
  if (minutes < 15 || minutes > 120) errors.minutes = 'Enter whole minutes, from 15 to 120.';
  Object.assign(errors, rangeErrors(typed, today));
  if (Object.keys(errors).length > 0 || !first.success || !second.success || day === undefined || minute === undefined)
    return { ok: false, errors };
  const whose = typed.clock === 'second' ? ('other' as const) : ('requester' as const);
  const dateRange =
    typed.from === '' && typed.to === ''
      ? undefined
      : { startDate: typed.from || undefined, endDate: typed.to || undefined };
  return {
    ok: true,
    question: {
      attendees: [first.data, second.data],
      asked: { day, minute, whose, isLater: typed.which === 'second' },
      durationMinutes: minutes,
      context: CONTEXT_NAMES.find((name) => name === typed.context),
      dateRange,
      weekOf: shownWeek(typed.week, today),
      isFresh: typed.fresh === 'yes',
    },
  };
}

/** The Mondays that can be stepped to from a week, as dates; absent where there is nothing more to see. */
export function stepsFrom(monday: string, now: number): { before: string | undefined; after: string | undefined } {
  const today = Math.floor(now / DAY);
  const day = parseDate(monday) ?? today;
  return {
    before: day > mondayOf(today) ? formatDate(day - 7) : undefined,
    after: day + 7 <= today + DAYS_AHEAD ? formatDate(day + 7) : undefined,
  };
}

export const OVER =
  'This time is over. What stands against a time can be said only while it is to come, as calendars change.';

const tooFar = (today: number) =>
  `Choose a date up to ${sayDate(formatDate(today + DAYS_AHEAD))}: calendars are read ${DAYS_AHEAD} days ahead.`;

const addressError = (text: string) =>
  text.trim() === ''
    ? 'Enter the e-mail address of a connected person.'
    : 'Enter an e-mail address, like ada@example.com.';

const dateError = (text: string) => (text === '' ? 'Enter a date.' : 'Enter a date that exists, like 2027-03-15.');

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
  // To the end of the last week that can be seen.
  if (last !== undefined && last > today + DAYS_AHEAD + 6) errors.to = tooFar(today);
  if (last !== undefined && last < today - 1) errors.to = 'These dates are over: enter a later one.';
  if (first === undefined || last === undefined) return errors;
  if (last < first) errors.to = 'The last date lies before the first.';
  else if (last - Math.max(first, today) >= LONGEST_DAYS) errors.to = `A search covers at most ${LONGEST_DAYS} days.`;
  return errors;
}

/** A week that is over, or too far ahead, is not shown; then it is that of the time. */
function shownWeek(text: string, today: number): number | undefined {
  const day = parseDate(text);
  return day === undefined || day < mondayOf(today) || day > today + DAYS_AHEAD ? undefined : day;
}
