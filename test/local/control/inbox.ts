import { Hono } from 'hono';
import { type Inbox, InboxAnswer } from '../inbox.ts';
import { readBody } from './input.ts';

/** Serves `/inbox`: lists what the platform's webhook endpoint received, and sets what it answers. */
export function inboxRoutes(inbox: Inbox) {
  return new Hono()
    .get('/inbox', (c) => c.json({ deliveries: inbox.deliveries() }))
    .delete('/inbox', (c) => {
      inbox.clear();
      return c.body(null, 204);
    })
    .post('/inbox/answer', async (c) => {
      const answer = await readBody(c, InboxAnswer);
      inbox.answer(answer);
      return c.json(answer);
    });
}
