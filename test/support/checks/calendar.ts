import type { TestPlatform } from '../people/factories.ts';
import { world } from '../worlds/world.ts';
import { rootOf } from './edited-events.ts';
import { isLive, type MeetingRow, meetingsOf, peopleOf } from './rows.ts';

type GoogleEvent = ReturnType<typeof world.google.events>[number];

/**
 * Checks Google's view: each live meeting has its one event on both calendars, and every event of ours has its meeting.
 */
export async function calendarViolations(
  platforms: TestPlatform[],
  { closed = new Set(), changed = new Set() }: { closed?: Set<string>; changed?: Set<string> } = {},
): Promise<string[]> {
  const live = (await meetingsOf(platforms)).filter(isLive);
  const open = (await peopleOf(platforms)).filter((email) => !closed.has(email));
  const ours = live.filter(
    (meeting) => open.includes(meeting.organizer) && !changed.has(rootOf(meeting.provider_event_id)),
  );
  return [...ours.flatMap(eventViolations), ...open.flatMap((email) => orphans(email, live, changed))];
}

function eventViolations(meeting: MeetingRow): string[] {
  return meeting.people.flatMap((email) => {
    const event = world.google.events(email).find(({ id }) => id === meeting.provider_event_id);
    if (event === undefined || event.status === 'cancelled')
      return [`meeting ${meeting.id} has no event on the calendar of ${email}`];
    const times = `${iso(event.start)}/${iso(event.end)}`;
    const due = `${meeting.starts_at.toISOString()}/${meeting.ends_at.toISOString()}`;
    const guests = addressesOf(event);
    return [
      ...(times === due ? [] : [`the event of ${meeting.id} is at ${times} for ${email}, the meeting at ${due}`]),
      ...(event.organizer?.email === meeting.organizer
        ? []
        : [`the event of ${meeting.id} is ${event.organizer?.email}'s, not ${meeting.organizer}'s`]),
      ...(guests.join() === [...meeting.people].sort().join() ? [] : [`the event of ${meeting.id} invites ${guests}`]),
    ];
  });
}

/** Finds events on the organizer's calendar that carry our mark and have no live meeting. */
function orphans(email: string, live: MeetingRow[], changed: Set<string>): string[] {
  return world.google
    .events(email)
    .filter(({ id, status }) => status !== 'cancelled' && !changed.has(rootOf(id ?? '')))
    .flatMap((event) => {
      const mark = event.extendedProperties?.private?.tandem_meeting_id;
      if (mark === undefined) return [];
      const isOwn = live.some(({ provider_event_id }) => provider_event_id === event.id);
      return isOwn ? [] : [`event ${event.id} of ${email} is marked ${mark} and has no live meeting`];
    });
}

const iso = (time: GoogleEvent['start']) => new Date(time?.dateTime ?? 0).toISOString();

const addressesOf = (event: GoogleEvent) => (event.attendees ?? []).map(({ email }) => email).sort();
