import { expect } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { wholeError } from '../checks/errors.ts';
import type { Answer } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { connectedPerson, freshPlatform, type TestPerson, type TestPlatform } from './factories.ts';

/** Writes an instant as the API does. */
export const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

export const inHours = (hours: number) => Math.ceil(world.clock.now() / HOUR) * HOUR + hours * HOUR;

/**
 * Moves the clock to the start of the next minute of the rate limits, so that no minute ends between a test's requests.
 */
export const toNextMinute = () => world.advance(MINUTE - (world.clock.now() % MINUTE));

export async function toNextMonth(): Promise<void> {
  const now = new Date(world.clock.now());
  await world.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10, 12) - now.getTime());
}

/**
 * Moves the clock to 06:00 UTC on the coming Monday, because the chosen time depends on the hour and the weekday of the
 * request.
 */
export async function toMonday(): Promise<void> {
  const now = new Date(world.clock.now());
  const days = 7 - ((now.getUTCDay() + 6) % 7);
  await world.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 6) - now.getTime());
}

/** Counts the calls to a target that the Worker made while it answered this request. */
export function callsOf({ headers }: Answer, target: string): number {
  const id = headers.get('x-request-id');
  return world.traffic.list().filter((call) => call.target === target && call.request_id === id).length;
}

export interface Pair {
  platform: TestPlatform;
  ada: TestPerson;
  bob: TestPerson;
}

export type Booked = Pair & {
  id: string;
  start: number;
  end: number;
  eventId: string;
  link: string;
  /** Answer to the platform's booking. */
  answer: Record<string, unknown>;
};

export async function freshPair(plan = 'enterprise'): Promise<Pair> {
  const platform = await freshPlatform({ plan });
  const ada = await connectedPerson(platform, { name: 'ada', timezone: 'Europe/London' });
  const bob = await connectedPerson(platform, { name: 'bob', timezone: 'America/New_York' });
  return { platform, ada, bob };
}

export async function booked(options: { start?: number; pair?: Pair; metadata?: unknown } = {}): Promise<Booked> {
  const { start = inHours(48), metadata } = options;
  const pair = options.pair ?? (await freshPair());
  const { platform, ada, bob } = pair;
  const answer = await platform.api.schedule({
    attendees: [ada.email, bob.email],
    start_time: iso(start),
    duration_minutes: 30,
    title: 'Intro',
    metadata,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  const { meeting_id: id, meet_link: link } = answer.body as { meeting_id: string; meet_link: string };
  const [row] = await world.neon.query('select provider_event_id from meetings where id = $1', [id]);
  const body = answer.body as Record<string, unknown>;
  return { ...pair, id, link, start, end: start + 30 * MINUTE, eventId: String(row?.provider_event_id), answer: body };
}

export function eventOf({ email }: TestPerson, eventId: string) {
  const event = world.google.events(email).find(({ id }) => id === eventId);
  return (
    event && {
      status: event.status,
      start: iso(Date.parse(event.start?.dateTime ?? '')),
      end: iso(Date.parse(event.end?.dateTime ?? '')),
      attendees: (event.attendees ?? []).map((attendee) => [attendee.email, attendee.responseStatus]),
      link: event.hangoutLink,
    }
  );
}

export async function rowOf(id: string) {
  const [row] = await world.neon.query(
    `select status, lease_until is null as unlocked, starts_at, ends_at,
      (select coalesce(json_agg(json_build_array(u.email, lower(h.during), upper(h.during)) order by u.email, h.during), '[]')
        from holds h join users u on u.id = h.user_id where h.meeting_id = m.id) as holds,
      (select coalesce(json_agg(p.kind order by p.kind), '[]') from pending_operations p where p.event_id = m.provider_event_id) as pending
    from meetings m where id = $1`,
    [id],
  );
  if (row === undefined) return undefined;
  const at = (value: unknown) => iso(Date.parse(String(value)));
  return {
    status: row.status,
    unlocked: row.unlocked,
    start: at(row.starts_at),
    end: at(row.ends_at),
    holds: (row.holds as [string, string, string][]).map(([email, start, end]) => [email, at(start), at(end)]),
    pending: row.pending,
  };
}

export const seen = ({ status, body }: Answer) => ({ status, body });

const meetingNotFound = (message: string) => ({
  status: 404,
  body: wholeError({ error: { code: 'meeting_not_found', message } }),
});

/** Answer about a meeting that never existed. */
export const NOT_FOUND = meetingNotFound(
  'No meeting has the ID in the request. Use an ID from the response to a booking or from GET /v1/meetings.',
);
export const ENDED = meetingNotFound(
  'This meeting was cancelled or rescheduled, so it can no longer be changed. If it was rescheduled, GET /v1/meetings/{id} gives the ID of the new meeting.',
);
export const EVENT_DELETED = meetingNotFound(
  "This meeting's event was deleted in the calendar, so the meeting can no longer be changed. Book a new meeting instead.",
);

/** Answer to a platform that reads or changes another platform's meeting. */
export const FOREIGN = {
  status: 403,
  body: wholeError({
    error: 'Forbidden',
    message:
      'Another platform created this meeting, so you cannot read or change it. Use the ID of a meeting that your platform booked.',
  }),
};

const EVENTS = '/calendar/v3/calendars/primary/events';
export const DELETE_EVENT = { target: 'google', match: `DELETE ${EVENTS}` } as const;
export const PATCH_EVENT = { target: 'google', match: `PATCH ${EVENTS}` } as const;
/** Body of Google's 403 for a calendar that the person no longer lets Tandem change. */
export const FORBIDDEN = {
  error: {
    code: 403,
    message: 'Forbidden',
    errors: [{ domain: 'calendar', reason: 'forbidden', message: 'Forbidden' }],
  },
};
export const GET_EVENT = { target: 'google', match: `GET ${EVENTS}` } as const;
/** Makes Tandem read the meeting's event before the next change, as after a change that Tandem has not seen. */
export const forgetEvent = ({ id }: { id: string }) =>
  world.neon.query('update meetings set event_etag = null where id = $1', [id]);
export const FREE_BUSY = { target: 'google', match: 'POST /calendar/v3/freeBusy' } as const;

/** Ways in which a calendar fails to respond. */
export const NO_ANSWER = [
  ['answers 500', { mode: 'status', status: 500 }],
  ['drops the connection', { mode: 'reset' }],
  ['hangs', { mode: 'hang' }],
] as const;

/** Answer when the calendar did not respond to a change that may have reached it. */
export const outcomeUnknown = (email: string) => ({
  status: 500,
  body: wholeError({
    error: {
      code: 'calendar_unavailable',
      message: expect.stringContaining(`The calendar of ${email} did not respond.`),
      email,
    },
  }),
});

/** Creates a platform and two people with empty calendars, and the body that books them two days from now. */
export async function bookable({ plan = 'enterprise' } = {}) {
  const { platform, ada, bob } = await freshPair(plan);
  const start = new Date(inHours(48));
  const body = {
    attendees: [ada.email, bob.email],
    start_time: start.toISOString(),
    duration_minutes: 30,
    title: 'Intro',
  };
  return { platform, ada, bob, body, start };
}

/** Returns a start time some hours after the body's, for a second meeting of the same two people. */
export const hoursLater = (start: Date, hours: number) => new Date(start.getTime() + hours * 3_600_000).toISOString();

export const liveEvents = (email: string) => world.google.events(email).filter(({ status }) => status !== 'cancelled');

/** Moves the clock and runs everything due in the minute's tick and the queue. */
export async function pass(seconds: number): Promise<void> {
  await world.advance(seconds * 1_000);
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
}

/** Makes bookings, `each` of every platform, whose writers died a minute ago between the calendar and the commit. */
export async function unfinishedBookings({ platforms, each }: { platforms: number; each: number }) {
  const made: { id: string; eventId: string }[] = [];
  for (let n = 0; n < platforms; n += 1) {
    const pair = await freshPair();
    for (let m = 0; m < each; m += 1) {
      const { id, eventId } = await booked({ pair });
      made.push({ id, eventId });
      await world.neon.query(
        `with booking as (update meetings set status = 'pending', owner = 'own_dead', lease_until = updated_at where id = $1 returning *),
        unconfirmed as (update usage u set confirmed = confirmed - 1 from booking where u.platform_id = booking.platform_id and u.month = booking.usage_month)
        insert into pending_operations (event_id, platform_id, kind, intent, due_at, created_at)
        select provider_event_id, platform_id, 'book', '{"kind":"book"}', updated_at, updated_at from booking`,
        [id],
      );
    }
  }
  await world.advance(61_000);
  return made;
}

/** Has a platform with a quota of 25 meetings a month use so many of them. */
export const useQuota = ({ id }: { id: string }, used: number) =>
  world.neon.query('insert into usage (platform_id, month, used, confirmed, quota) values ($1, $2, $3, $3, 25)', [
    id,
    new Date(world.clock.now()).toISOString().slice(0, 7),
    used,
  ]);

export const usageOf = ({ id }: { id: string }) =>
  world.neon.query('select used, confirmed from usage where platform_id = $1', [id]);

export const setPreferences = (email: string, preferences: object) =>
  world.neon.query('update users set preferences = $2::jsonb where email = $1', [email, JSON.stringify(preferences)]);

export const heldBy = async (id: string) =>
  (
    await world.neon.query(
      'select u.email from holds h join users u on u.id = h.user_id where h.meeting_id = $1 order by u.email',
      [id],
    )
  ).map(({ email }) => String(email));

/** Connections a Worker may have open at once. */
export const CONNECTIONS = 6;

export const mostAtOnce = (calls: { start: number; end: number | null }[]): number =>
  Math.max(
    0,
    ...calls.map(
      ({ start: at }) =>
        calls.filter(({ start, end }) => start <= at && (end ?? Number.POSITIVE_INFINITY) >= at).length,
    ),
  );
