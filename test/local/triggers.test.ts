import { expect, test } from 'vitest';
import { USAGE } from '../../lib/client/cli/usage.ts';
import { EVENT_TYPES } from '../../schema/api/webhook-events/schemas.ts';
import { triggerRoutes } from './control.ts';
import { EVENTS } from './triggers.ts';

test('every event of the product can be triggered, and the command line lists it', () => {
  expect([...EVENTS].sort()).toEqual([...EVENT_TYPES].sort());
  for (const event of EVENTS) expect(USAGE).toContain(event);
});

test('the name under which a webhook subscribes to moves triggers a move', async () => {
  const app = triggerRoutes({ trigger: async (_key, event) => `did ${event}`, firstKey: async () => 'sk_live_any' });
  const post = (event: string) =>
    app.request('/trigger', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ event }),
    });
  const answer = await post('meeting.rescheduled');
  expect(await answer.json()).toEqual({ event: 'meeting.updated', did: 'did meeting.updated' });
  expect((await post('meeting.moved')).status).toBe(400);
});
