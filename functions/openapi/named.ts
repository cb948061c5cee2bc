import type * as z from 'zod';
import * as meetings from '../../schema/api/answers/meetings.ts';
import * as people from '../../schema/api/answers/people.ts';
import * as scheduling from '../../schema/api/answers/scheduling.ts';
import * as user from '../../schema/api/answers/user.ts';
import * as webhooks from '../../schema/api/answers/webhooks.ts';
import { AvailabilityRequest, ExplainRequest } from '../../schema/api/availability.ts';
import { RescheduleRequest, UpdateMeetingRequest } from '../../schema/api/meetings.ts';
import { PreferencesRequest } from '../../schema/api/preferences.ts';
import { AutoScheduleRequest, ScheduleRequest } from '../../schema/api/schedule.ts';
import { WebhookReplayRequest, WebhookRequest, WebhookTestRequest } from '../../schema/api/webhooks.ts';
import { FlatError, LimitError, NestedError } from './error-schemas.ts';

/** The schemas the document gives a name. */
export const NAMED: Record<string, z.ZodType> = {
  ...{
    AvailabilityRequest,
    ExplainRequest,
    ScheduleRequest,
    AutoScheduleRequest,
    UpdateMeetingRequest,
    RescheduleRequest,
  },
  ...{ PreferencesRequest, WebhookRequest, WebhookTestRequest, WebhookReplayRequest },
  ...scheduling,
  ...meetings,
  ...people,
  ...user,
  ...webhooks,
  ...{ NestedError, FlatError, LimitError },
};
