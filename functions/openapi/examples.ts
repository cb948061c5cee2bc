import type * as serviceApi from '../../schema/api/service.ts';
import { calendars } from './examples/calendars.ts';
import type { Example, ExamplesOf } from './examples/example.ts';
import { meetings, proposals } from './examples/meetings.ts';
import { platform, webhooks } from './examples/platform.ts';
import { batches, scheduling } from './examples/scheduling.ts';
import { user } from './examples/user.ts';

const service: ExamplesOf<typeof serviceApi> = {
  getHealth: { answer: { status: 'ok', version: '1.0.0' } },
  getOpenapi: { answer: { openapi: '3.1.0', info: { title: 'Tandem', version: '1.0.0' } } },
};

/** By operation id. Read in order, the examples tell one story. */
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
