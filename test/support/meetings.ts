import { expect } from 'vitest';
import type { Answer } from './client.ts';
import { wholeError } from './errors.ts';
import { connectedPerson, freshPlatform, type TestPerson, type TestPlatform } from './factories.ts';
import { world } from './world.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** An instant as the API writes it. */
export const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

/** The next full hour so many hours from now. */
export const inHours = (hours: number) => Math.ceil(world.clock.now() / HOUR) * HOUR + hours * HOUR;

/** To where a minute of the limits begins, so that none ends between the requests of a test. */
export const toNextMinute = () => world.advance(MINUTE - (world.clock.now() % MINUTE));

/** To the 10th of next month at noon, whatever day it is. */
export async function toNextMonth(): Promise<void> {
  const now = new Date(world.clock.now());
  await world.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10, 12) - now.getTime());
}

/** To the coming Monday at six in the morning UTC: what is picked depends on the hour and the day of the week it is asked at. */
export async function toMonday(): Promise<void> {
  const now = new Date(world.clock.now());
  const days = 7 - ((now.getUTCDay() + 6) % 7);
  await world.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 6) - now.getTime());
}

/** How many calls of this kind a request of ours made itself. */
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
  /** What the platform was answered. */
  answer: Record<string, unknown>;
};

/** A platform with two connected people. */
export async function freshPair(plan = 'enterprise'): Promise<Pair> {
  const platform = await freshPlatform({ plan });
  const ada = await connectedPerson(platform, { name: 'ada', timezone: 'Europe/London' });
  const bob = await connectedPerson(platform, { name: 'bob', timezone: 'America/New_York' });
  return { platform, ada, bob };
}

/** A meeting of half an hour the two have, booked through the API. */
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

/** The event as it stands on one person's calendar. */
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

/** What Postgres holds of a meeting: its row, who holds which time for it, and what is pending. */
export async function rowOf(id: string) {
  const [row] = await world.neon.query(
    `select status, lease_until is null as unlocked, starts_at, ends_at,
      (select coalesce(json_agg(json_build_array(u.email, lower(h.during), upper(h.during)) order by u.email, h.during), '[]')
        from holds h join users u on u.id = h.user_id where h.meeting_id = m.id) as holds,
      (select coalesce(json_agg(p.kind order by p.kind), '[]') from pending_operations p where p.meeting_id = m.id) as pending
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

/** An answer as tests compare it. */
export const seen = ({ status, body }: Answer) => ({ status, body });

/** What is answered for a meeting that is not there, or not any more. */
export const NOT_FOUND = {
  status: 404,
  body: wholeError({
    error: {
      code: 'meeting_not_found',
      message: 'There is no meeting of this id, or it was cancelled or rescheduled.',
    },
  }),
};

const EVENTS = '/calendar/v3/calendars/primary/events';
export const DELETE_EVENT = { target: 'google', match: `DELETE ${EVENTS}` } as const;
export const PATCH_EVENT = { target: 'google', match: `PATCH ${EVENTS}` } as const;
export const GET_EVENT = { target: 'google', match: `GET ${EVENTS}` } as const;
export const FREE_BUSY = { target: 'google', match: 'POST /calendar/v3/freeBusy' } as const;

/** The ways a calendar gives no answer. */
export const NO_ANSWER = [
  ['answers 500', { mode: 'status', status: 500 }],
  ['drops the connection', { mode: 'reset' }],
  ['hangs', { mode: 'hang' }],
] as const;

/** The answer when the calendar gave none to a change that may have reached it. */
export const outcomeUnknown = (email: string) => ({
  status: 500,
  body: wholeError({
    error: {
      code: 'calendar_unavailable',
      message: expect.stringContaining(`The calendar of ${email} did not answer.`),
    },
  }),
});
