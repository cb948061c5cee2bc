import { Hono } from 'hono';
import * as z from 'zod';
import type { GoogleControl } from '../google/index.ts';
import { Instant, readBody, readQuery, refuse } from './input.ts';

const Timezone = z.string().refine(isTimezone, 'an IANA time zone');
const Person = z.strictObject({ email: z.email(), timezone: Timezone });
const Busy = z
  .strictObject({ email: z.email(), start: Instant, end: Instant })
  .refine(({ start, end }) => Date.parse(start) < Date.parse(end), { path: ['end'], message: 'must be after start' });
const Change = z.strictObject({
  email: z.email(),
  event_id: z.string().min(1),
  start: Instant.optional(),
  end: Instant.optional(),
  response_status: z.enum(['accepted', 'declined', 'tentative', 'needsAction']).optional(),
  deleted: z.literal(true).optional(),
});
const ByEmail = z.object({ email: z.email() });

type Hand = Pick<GoogleControl, 'addUser' | 'addBusy' | 'events' | 'patchEvent' | 'revoke'>;

/** `/google/*`: people and their calendars, changed as the person would in the calendar itself. */
export function googleRoutes(google: Hand) {
  return new Hono()
    .post('/google/users', async (c) => {
      const person = await readBody(c, Person);
      await google.addUser(person);
      return c.json(person, 201);
    })
    .post('/google/busy', async (c) => {
      const busy = await readBody(c, Busy);
      await known(() => google.addBusy(busy));
      return c.json(busy, 201);
    })
    .get('/google/events', async (c) => {
      const { email } = readQuery(c, ByEmail);
      return c.json({ events: await known(() => google.events(email)) });
    })
    .patch('/google/events', async (c) => {
      const { event_id, response_status, ...change } = await readBody(c, Change);
      await known(() => google.patchEvent({ ...change, eventId: event_id, responseStatus: response_status }));
      return c.body(null, 204);
    })
    .post('/google/revoke', async (c) => {
      const { email } = await readBody(c, ByEmail);
      await known(() => google.revoke(email));
      return c.body(null, 204);
    });
}

async function known<T>(ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    return refuse(404, error instanceof Error ? error.message : String(error));
  }
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
