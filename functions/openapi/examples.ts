import { batches } from './examples/batches.ts';
import { calendars } from './examples/calendars.ts';
import type { Example } from './examples/example.ts';
import { meetings } from './examples/meetings.ts';
import { platform } from './examples/platform.ts';
import { proposals } from './examples/proposals.ts';
import { scheduling } from './examples/scheduling.ts';
import { service } from './examples/service.ts';
import { user } from './examples/user.ts';
import { webhooks } from './examples/webhooks.ts';

/**
 * Example requests and answers of every operation, keyed by operation id. Read in order, the examples tell one story.
 */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...scheduling,
  ...batches,
  ...proposals,
  ...meetings,
  ...calendars,
  ...platform,
  ...user,
  ...webhooks,
  ...service,
};
