import type { ErrorCode } from '../../lib/errors.ts';
import {
  AcceptedJob,
  AvailabilityAnswer,
  BookedMeeting,
  ExplainAnswer,
  Job,
} from '../../schema/api/answers/scheduling.ts';
import { AvailabilityRequest, ExplainRequest } from '../../schema/api/availability.ts';
import { AutoScheduleRequest, ScheduleRequest } from '../../schema/api/schedule.ts';
import type { Group } from './operation.ts';

const PEOPLE: ErrorCode[] = ['user_not_found', 'calendar_reconnect_required', 'unknown_time_zone'];
const CALENDARS: ErrorCode[] = ['calendar_unavailable', 'calendar_refused'];

export const scheduling: Group = {
  tag: 'Scheduling',
  description: 'Finding mutual free time and booking it. The first attendee is the requester.',
  operations: [
    {
      ...{ method: 'post', path: '/v1/availability', id: 'findAvailability', key: 'platform' },
      summary: 'Find mutual free slots of two people',
      description:
        "Dates and slots are in the requester's zone. Without date_range the search covers the requester's availability_window_days from today.",
      body: AvailabilityRequest,
      answer: {
        is: 'At most 5 slots, best first; none is no error and comes with a message.',
        schema: AvailabilityAnswer,
      },
      errors: [...PEOPLE, ...CALENDARS],
    },
    {
      ...{ method: 'post', path: '/v1/availability/explain', id: 'explainAvailability', key: 'platform' },
      summary: 'Say what the search makes of one time',
      description: 'Whether the time would be offered and how it ranks, or which rules of whom stand against it.',
      body: ExplainRequest,
      answer: { is: 'The rules against the time, or its rank and slot.', schema: ExplainAnswer },
      errors: [...PEOPLE, ...CALENDARS],
    },
    {
      ...{ method: 'post', path: '/v1/schedule', id: 'scheduleMeeting', key: 'platform' },
      summary: 'Book a meeting at a given time',
      description:
        'Books the time whether it is free or not; with require_free both calendars are read again and a busy time is refused with alternatives. Counts toward the monthly limit and emits meeting.scheduled.',
      body: ScheduleRequest,
      takesIdempotencyKey: true,
      answer: { is: 'The meeting, which stands on the calendars.', schema: BookedMeeting },
      errors: [...PEOPLE, 'slot_unavailable', 'quota_exceeded', ...CALENDARS],
    },
    {
      ...{ method: 'post', path: '/v1/schedule/auto', id: 'scheduleAutomatically', key: 'platform' },
      summary: 'Let the service pick and book a time',
      description:
        'The result comes as meeting.scheduling.completed or meeting.scheduling.failed with the same job_id, and is read with getJob.',
      body: AutoScheduleRequest,
      takesIdempotencyKey: true,
      answer: { status: 202, is: 'The accepted job; it runs in the background.', schema: AcceptedJob },
      errors: ['user_not_found', 'calendar_reconnect_required', 'quota_exceeded'],
    },
    {
      ...{ method: 'get', path: '/v1/jobs/{job_id}', id: 'getJob', key: 'platform' },
      summary: 'Read a scheduling job',
      params: { job_id: 'As answered by scheduleAutomatically' },
      answer: { is: 'The job, with its result once it has ended.', schema: Job },
      errors: ['job_not_found'],
    },
  ],
};
