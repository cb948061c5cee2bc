import { strangeAnswers } from './model/answers.ts';
import { strangeBatches } from './model/batches.ts';
import { strangeCalendar } from './model/calendar.ts';
import { strangeGrants } from './model/grants.ts';
import { overlaps } from './model/holds.ts';
import { strangeJobs } from './model/jobs.ts';
import { strangeKeys } from './model/keys.ts';
import { meetingsIn, strangeLives } from './model/meetings.ts';
import { strangeProposals } from './model/proposals.ts';
import { strangeResponses } from './model/responses.ts';
import { strangeDeliveries, toldIn } from './model/told.ts';
import type { Trace } from './trace.ts';

/**
 * Models meetings, holds, proposals, batches, jobs, deliveries and grants by the interface alone, without the product's code. The model
 * must explain every answer to a client, calendar call, webhook event and final state. Returns one sentence for each
 * thing it cannot explain.
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
    ...strangeResponses(trace, told, meetings),
    ...strangeProposals(trace, told, meetings),
    ...strangeBatches(trace, told, meetings),
    ...strangeGrants(trace, told),
    ...strangeKeys(trace),
  ];
}
