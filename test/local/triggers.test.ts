import { expect, test } from 'vitest';
import { USAGE } from '../../lib/client/cli/usage.ts';
import { EVENT_TYPES } from '../../schema/api/webhook-events/schemas.ts';
import { EVENTS } from './triggers.ts';

test('every event of the product can be triggered, and the command line lists it', () => {
  expect([...EVENTS].sort()).toEqual([...EVENT_TYPES].sort());
  for (const event of EVENTS) expect(USAGE).toContain(event);
});
