import type * as serviceApi from '../../schema/api/service.ts';
import { batches } from './examples/batches.ts';
import { calendars } from './examples/calendars.ts';
import type { Example, ExamplesOf } from './examples/example.ts';
import { meetings } from './examples/meetings.ts';
import { platform } from './examples/platform.ts';
import { proposals } from './examples/proposals.ts';
import { scheduling } from './examples/scheduling.ts';
import { user } from './examples/user.ts';
import { webhooks } from './examples/webhooks.ts';

const service: ExamplesOf<typeof serviceApi> = {
  getHealth: { answer: { status: 'ok', version: '1.0.0' } },
  getOpenapi: { answer: { openapi: '3.1.0', info: { title: 'Tandem', version: '1.0.0' } } },
};

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
