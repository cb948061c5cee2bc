import { availability } from './availability.ts';
import { batches } from './batches.ts';
import { calendars } from './calendars.ts';
import { keys } from './keys.ts';
import { meetings } from './meetings.ts';
import { platform } from './platform.ts';
import { proposals } from './proposals.ts';
import { schedule } from './schedule.ts';
import { user } from './user.ts';
import { webhooks } from './webhooks.ts';

/** Handlers of the endpoints that require an API key. The app mounts them behind the check of that key. */
export const ROUTES = [availability, schedule, batches, proposals, meetings, calendars, platform, user, keys, webhooks];
