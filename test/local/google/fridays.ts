import type { GoogleWorld, Joined } from './world.ts';

export const calendarId = 'primary';
const timeMin = '2026-03-01T00:00:00Z';
const timeMax = '2026-04-11T00:00:00Z';
export const SIX_WEEKS = { timeMin, timeMax };

/**
 * Creates a person with an event on Fridays from 09:00 to 10:00 in Berlin from 20 March. The clocks change on the 29th.
 */
export async function fridays(world: GoogleWorld, more: object = {}) {
  const host = await world.join('Europe/Berlin');
  const seriesId = world.google.addEvent({
    email: host.email,
    summary: 'Weekly',
    start: '2026-03-20T09:00:00',
    end: '2026-03-20T10:00:00',
    recurrence: ['RRULE:FREQ=WEEKLY'],
    ...more,
  });
  return { host, seriesId, second: `${seriesId}_20260327T080000Z`, third: `${seriesId}_20260403T070000Z` };
}

/** Returns the free/busy of those weeks. */
export async function busy({ api }: Joined) {
  const { data } = await api.freebusy.query({ requestBody: { timeMin, timeMax, items: [{ id: 'primary' }] } });
  return data.calendars?.primary?.busy?.map(({ start, end }) => [start, end]);
}

export async function listed({ api }: Joined, more: object = {}) {
  const { data } = await api.events.list({ calendarId, timeMin, timeMax, ...more });
  return (data.items ?? []).map(({ id, status, start }) => [id, status, start?.dateTime]);
}

/** Returns one hour of 2026 in UTC. */
export function hour(day: string, from: string) {
  const until = String(Number(from) + 1).padStart(2, '0');
  return [`2026-${day}T${from}:00:00Z`, `2026-${day}T${until}:00:00Z`];
}
