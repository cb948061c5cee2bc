import { strangeAnswers } from './model/answers.ts';
import { strangeCalendar } from './model/calendar.ts';
import { strangeGrants } from './model/grants.ts';
import { overlaps } from './model/holds.ts';
import { strangeJobs } from './model/jobs.ts';
import { meetingsIn, strangeLives } from './model/meetings.ts';
import { strangeDeliveries, toldIn } from './model/told.ts';
import type { Trace } from './trace.ts';

/**
 * A small model of meeting, hold, job, delivery and grant that knows the interface and nothing of the product's code. It
 * must account for what clients were answered, what calendars were asked to do, what platforms were told and what is
 * shown in the end; answers what it cannot account for, as sentences.
 */
export function unaccounted(trace: Trace): string[] {
  const told = toldIn(trace);
  const meetings = meetingsIn(told);
  return [
    ...strangeDeliveries(trace),
    ...strangeLives(trace, meetings),
    ...strangeAnswers(trace, meetings),
    ...overlaps(trace, meetings),
    ...strangeCalendar(trace, meetings),
    ...strangeJobs(trace, told, meetings),
    ...strangeGrants(trace, told),
  ];
}
