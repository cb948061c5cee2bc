import { Hono } from 'hono';
import * as z from 'zod';
import { GoogleError } from '../google/errors.ts';
import type { GoogleControl } from '../google/index.ts';
import { Instant, readBody, readQuery, refuse } from './input.ts';

/** Permissions that a person may leave unticked on the consent page. */
const TICKABLE = [
  'calendar.calendarlist.readonly',
  'calendar.events',
  'calendar.freebusy',
  'calendar.settings.readonly',
] as const;
export const Timezone = z.string().refine(isTimezone, 'must be an IANA time zone');
const Person = z.strictObject({ email: z.email(), timezone: Timezone, unticked: z.array(z.enum(TICKABLE)).optional() });
const Busy = z
  .strictObject({ email: z.email(), start: Instant, end: Instant })
  .refine(({ start, end }) => Date.parse(start) < Date.parse(end), { path: ['end'], message: 'must be after start' });

// A date is a whole day. Times of a series may lack an offset, and are then on the calendar's own clock.
const When = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], 'must be a date or a time');
const What = z.strictObject({
  email: z.email(),
  calendar: z.string().optional(),
  summary: z.string().optional(),
  recurrence: z.array(z.string()).optional(),
  transparency: z.enum(['opaque', 'transparent']).optional(),
});
const NewEvent = What.extend({
  event_id: z.string().optional(),
  start: When,
  end: When,
  attendees: z.array(z.email()).optional(),
});
const Change = What.extend({
  event_id: z.string().min(1),
  location: z.string().optional(),
  attendees: z.array(z.email()).optional(),
  conference: z.boolean().optional(),
  move_to: z.string().optional(),
  restored: z.literal(true).optional(),
  start: When.optional(),
  end: When.optional(),
  response_status: z.enum(['accepted', 'declined', 'tentative', 'needsAction']).optional(),
  deleted: z.literal(true).optional(),
  following: z.literal(true).optional(),
});
const ByEmail = z.object({ email: z.email() });
const ById = z.strictObject({ id: z.string().min(1) });
const NewCalendar = ById.extend({ owner: z.email(), summary: z.string().min(1), timezone: Timezone }).partial({
  id: true,
  timezone: true,
});
const OtherZone = ById.extend({ timezone: Timezone });
const Reader = z.strictObject({ calendar: z.string().min(1), reader: z.email() });
const Share = Reader.extend({
  role: z.enum(['freeBusyReader', 'reader', 'writer', 'owner']).optional(),
  is_listed: z.boolean().optional(),
});

export function googleRoutes(google: GoogleControl) {
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
    .post('/google/events', async (c) => {
      const { event_id, ...event } = await readBody(c, NewEvent);
      const id = await known(() => google.addEvent({ ...event, id: event_id }));
      return c.json({ event_id: id }, 201);
    })
    .patch('/google/events', async (c) => {
      const {
        event_id: eventId,
        response_status: responseStatus,
        move_to: moveTo,
        attendees,
        ...change
      } = await readBody(c, Change);
      const invited = attendees?.map((email) => ({ email }));
      await known(() => google.patchEvent({ ...change, eventId, responseStatus, moveTo, attendees: invited }));
      return c.body(null, 204);
    })
    .post('/google/calendars', async (c) => {
      const calendar = await readBody(c, NewCalendar);
      return c.json({ id: await known(() => google.addCalendar(calendar)) }, 201);
    })
    .patch('/google/calendars', async (c) => {
      const { id, timezone } = await readBody(c, OtherZone);
      await known(() => google.setZone({ calendar: id, timezone }));
      return c.body(null, 204);
    })
    .delete('/google/calendars', async (c) => {
      const { id } = await readBody(c, ById);
      await known(() => google.removeCalendar(id));
      return c.body(null, 204);
    })
    .post('/google/shares', async (c) => {
      const { is_listed, ...share } = await readBody(c, Share);
      await known(() => google.share({ ...share, isListed: is_listed }));
      return c.body(null, 204);
    })
    .delete('/google/shares', async (c) => {
      const share = await readBody(c, Reader);
      await known(() => google.unshare(share));
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
    if (error instanceof GoogleError) return refuse(error.status === 400 ? 400 : 409, error.message);
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
