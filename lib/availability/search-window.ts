import { formatDate } from '../engine/time/dates.ts';
import {
  type DateRange,
  HORIZON_DAYS,
  horizonOf,
  LONGEST_DAYS,
  searchWindow,
  type WindowProblem,
} from '../engine/time/window.ts';
import { localDay } from '../engine/time/zone.ts';
import type { DateWindow, Interval } from '../engine/types.ts';
import { AppError } from '../kit/errors.ts';
import type { PersonInZone } from '../person/person.ts';

/**
 * `dates` is the request's range, or without one as many days as the requester's preferences say. `dates_beside_week`
 * adds a week that a page draws. `instants` are the requester's dates that a span touches.
 */
export type Where =
  | { kind: 'dates'; range?: DateRange | undefined }
  | { kind: 'dates_beside_week'; range?: DateRange | undefined; week: Interval }
  | { kind: 'instants'; span: Interval };

/** The dates are the requester's. Throws `invalid_date_range` or `invalid_time`. */
export function windowOf(requester: PersonInZone, where: Where, now: number): DateWindow {
  const { timeZone, availabilityWindowDays: windowDays } = requester;
  const dateRange = where.kind === 'instants' ? datesOf(timeZone, where.span) : where.range;
  const found = searchWindow({ now, timeZone, windowDays, dateRange });
  if (found.ok) return found.window;
  if (where.kind !== 'instants') throw datesRefused(found, 'date_range.');
  const code = found.problem === 'too_far' ? 'invalid_date_range' : 'invalid_time';
  throw new AppError(code, messageOf(found), { field: 'preferred_time_range' });
}

/** Throws `invalid_time`, which names `field`, for a start of more than 400 days ahead. */
export function assertWithinHorizon(start: number, now: number, field = 'start_time'): void {
  if (start > horizonOf(now))
    throw new AppError('invalid_time', `\`${field}\` must be at most ${HORIZON_DAYS} days from now.`, { field });
}

const FIELDS = { start: 'start_date', end: 'end_date' };

/** `prefix` names the request field that contains the two date fields, if there is one. */
export const datesRefused = (problem: WindowProblem, prefix = '') =>
  new AppError('invalid_date_range', messageOf(problem), { field: prefix + FIELDS[problem.bound] });

function messageOf(refused: WindowProblem): string {
  switch (refused.problem) {
    case 'not_a_date':
      return `\`${FIELDS[refused.bound]}\` must be a date in the form YYYY-MM-DD, such as 2026-12-01.`;
    case 'reversed':
      return `\`${FIELDS.end}\` must not be before \`${FIELDS.start}\`.`;
    case 'past':
      return `All dates to search are in the past. Send dates from ${refused.today} on.`;
    case 'too_far':
      return `The last date that can be searched is ${refused.latest}, ${HORIZON_DAYS} days from now.`;
    case 'too_long':
      return `The range of dates has ${refused.days} days, but a search covers at most ${LONGEST_DAYS}. Send a shorter range.`;
  }
}

const datesOf = (timeZone: string, { start, end }: Interval): DateRange => ({
  startDate: formatDate(localDay(timeZone, start)),
  endDate: formatDate(localDay(timeZone, end - 1)),
});
