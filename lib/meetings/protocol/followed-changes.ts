import { VISIBLE, withoutHidden } from '../../../schema/api/hidden-text.ts';
import { DEFAULT_LOCATION } from '../../../schema/api/schedule.ts';
import type { CalendarEvent } from '../../kit/calendar-ports.ts';
import { oneLine } from '../../words/title.ts';
import type { Meeting } from './meeting.ts';
import { MAIN, shownTime } from './own-event.ts';

/** Longest title and place of a meeting, in characters, as the API takes them. */
const LONGEST = { title: 200, location: 500 };
/** Title that the calendar shows for an event whose title a person deleted. */
const UNTITLED = '(No title)';

export type Shown = Pick<Meeting, 'title' | 'location' | 'meetLink'>;

/** Returns one line of visible text, as the API takes it for a title or a place. */
// A cut through a flag leaves hidden text, so the rule holds for the cut text too.
const line = (text: string, longest: number): string =>
  withoutHidden(oneLine(withoutHidden(text)).slice(0, longest).toWellFormed());

function titleOf({ title }: { title: string }): string {
  const shown = line(title, LONGEST.title);
  return VISIBLE.test(shown) ? shown : UNTITLED;
}

const placeOf = ({ location }: { location: string }) => line(location, LONGEST.location);

/** A video call that the event no longer has is no place. */
function placeShown(event: CalendarEvent): string {
  const isGone = event.meetLink === null && !event.linkPending && event.location === DEFAULT_LOCATION;
  return isGone ? '' : placeOf(event);
}

/** Returns a meeting's title, place and link as its calendar event shows them, each as the meeting has it if it is equal. */
export const shownIn = (event: CalendarEvent, meeting: Shown): Shown => ({
  title: titleOf(event) === titleOf(meeting) ? meeting.title : titleOf(event),
  location: placeShown(event) === placeOf(meeting) ? meeting.location : placeShown(event),
  meetLink: event.meetLink,
});

export const differences = (before: Shown, now: Shown) =>
  (['title', 'location', 'meetLink'] as const)
    .filter((name) => before[name] !== now[name])
    .map((name) => ({ name, before: before[name], now: now[name] }));

export const invites = ({ attendees }: Pick<CalendarEvent, 'attendees'>, email: string): boolean =>
  attendees.some((attendee) => attendee.email.toLowerCase() === email);

/** An event that a person moved to another calendar has none: the copy on their main one is only an invitation. */
export const tagOf = ({ calendar, etag }: CalendarEvent): string | null => (calendar === MAIN ? etag : null);

interface Known extends Shown {
  providerEventId: string;
  start: number;
  end: number;
  attendees: [string, string];
}

/** Null unless the event shows the meeting just as stored, so that the next read finds what a person changed in it. */
export function seenTag(event: CalendarEvent, meeting: Known, timeZone: string | undefined): string | null {
  const { start, end } = shownTime(event, meeting, timeZone);
  const isSame =
    event.id === meeting.providerEventId &&
    start === meeting.start &&
    end === meeting.end &&
    differences(meeting, shownIn(event, meeting)).length === 0 &&
    invites(event, meeting.attendees[1]);
  return isSame ? tagOf(event) : null;
}
