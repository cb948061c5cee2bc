import { availability } from './availability.ts';
import { batches } from './batches.ts';
import { calendarOauth } from './calendar-oauth.ts';
import { calendars } from './calendars.ts';
import { keys } from './keys.ts';
import { learning } from './learning.ts';
import { meetingChanges } from './meeting-changes.ts';
import { meetings } from './meetings.ts';
import { ownUser } from './own-user.ts';
import { platform } from './platform.ts';
import { platformUsers } from './platform-users.ts';
import { preferences } from './preferences.ts';
import { proposalEnds } from './proposal-ends.ts';
import { proposals } from './proposals.ts';
import { schedule } from './schedule.ts';
import { usersByEmail } from './users-by-email.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhookEndpoint } from './webhook-endpoint.ts';

/** Handlers of the endpoints that require an API key. The app mounts them behind the check of that key. */
export const ROUTES = [
  availability,
  schedule,
  batches,
  proposals,
  proposalEnds,
  meetings,
  meetingChanges,
  calendarOauth,
  usersByEmail,
  calendars,
  platform,
  platformUsers,
  preferences,
  learning,
  ownUser,
  keys,
  webhookEndpoint,
  webhookDeliveries,
];
