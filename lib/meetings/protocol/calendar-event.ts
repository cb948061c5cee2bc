import { VISIBLE, withoutHidden } from '../../../schema/api/hidden-text.ts';
import { DEFAULT_LOCATION } from '../../../schema/api/schedule.ts';
import type { Account } from '../../calendars/calls.ts';
import { retryTransient, withCalendar } from '../../calendars/calls.ts';
import { DAY, parseDate } from '../../engine/time/dates.ts';
import { startOfDay } from '../../engine/time/zone.ts';
import type { Interval } from '../../engine/types.ts';
import {
  type CalendarAttendee,
  CalendarError,
  type CalendarEvent,
  CalendarLimit,
  type ListedEvent,
  type NewEvent,
} from '../../kit/calendar-ports.ts';
import type { Ctx } from '../../kit/context.ts';
import { eventDeleted, hasCode } from '../../kit/errors.ts';
import { sha256 } from '../../kit/ids.ts';
import { oneLine } from '../../words/title.ts';
import type { Meeting } from './meeting.ts';
import type { Trace } from './operation.ts';

/** Its time is that at which the meeting was last known to be. */
export interface OwnEvent extends Interval {
  id: string;
}

export const MAIN = 'primary';
/** Days before and after a meeting within which its occurrence is sought, if a person made its event a series. */
const SOUGHT_DAYS = 8;

export const isGone = (error: unknown): boolean =>
  error instanceof CalendarError && ['not_found', 'gone'].includes(error.kind);

/** Returns true if the error says that Tandem has lost access to the calendar, so no event there can be changed. */
export function isClosed(error: unknown): boolean {
  if (error instanceof CalendarError) return ['forbidden', 'invalid'].includes(error.kind);
  return hasCode(error, 'calendar_reconnect_required', 'user_not_found');
}

/** Returns the id of the event from which a series and its occurrences come. All their ids begin with it. */
export const rootOf = (id: string): string => id.split('_', 1)[0] ?? id;

/** If a person made the event a series, or split or moved it, the meeting is the occurrence nearest to its time. */
export async function readOwnEvent(ctx: Ctx, token: string, own: OwnEvent): Promise<CalendarEvent> {
  const root = rootOf(own.id);
  try {
    const event = await ctx.calendar.getEvent(token, own.id);
    if (!event.isSeries) return event;
  } catch (error) {
    if (!isGone(error) || own.id === root) throw error;
  }
  const reach = SOUGHT_DAYS * DAY;
  const listed = await ctx.calendar.listEvents(token, own.start - reach, own.end + reach);
  const distance = (event: ListedEvent) => Math.abs(startOf(event) - own.start);
  const [nearest] = listed
    .filter(({ id }) => id.startsWith(`${root}_`))
    .sort((one, other) => distance(one) - distance(other));
  if (nearest === undefined) throw new CalendarError('gone', 'No occurrence of the series is near the meeting.');
  return ctx.calendar.getEvent(token, nearest.id);
}

/** The id of an occurrence ends with the date, or the date and time, at which the series has it. */
const startOf = ({ id, start }: ListedEvent): number =>
  start ?? Date.parse(id.replace(/^.*_(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3'));

export const readEvent = (ctx: Ctx, requester: Account, own: OwnEvent): Promise<CalendarEvent> =>
  withCalendar(ctx, requester, (token) => readOwnEvent(ctx, token, own));

/** Returns `gone` for a deleted event, and `closed` without access to the calendar. Throws if it cannot be read now. */
export async function lookUpEvent(ctx: Ctx, requester: Account, own: OwnEvent) {
  try {
    const event = await readEvent(ctx, requester, own);
    return event.status === 'cancelled' ? 'gone' : event;
  } catch (error) {
    if (isGone(error)) return 'gone';
    if (isClosed(error)) return 'closed';
    throw error;
  }
}

/** Largest difference at which two event times count as equal, because calendars drop fractions of a second. */
const SAME_TIME_MS = 1_000;

/** An all-day event lasts from midnight to midnight in `timeZone`. Returns `asked` within a second of it. */
export function shownTime(event: CalendarEvent, asked: Interval, timeZone = 'UTC'): Interval {
  const midnight = (date: string) => startOfDay(timeZone, parseDate(date) ?? 0);
  const { dates } = event;
  const { start, end } = dates ? { start: midnight(dates.start), end: midnight(dates.end) } : event;
  if (start === undefined || end === undefined || end < start) return asked;
  const isSame = Math.abs(start - asked.start) < SAME_TIME_MS && Math.abs(end - asked.end) < SAME_TIME_MS;
  return isSame ? asked : { start, end };
}

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

const locationOf = ({ location }: { location: string }) => line(location, LONGEST.location);

/** A video call that the event no longer has is no place. */
function placeShown(event: CalendarEvent): string {
  const isGone = event.meetLink === null && !event.linkPending && event.location === DEFAULT_LOCATION;
  return isGone ? '' : locationOf(event);
}

/** Returns a meeting's title, place and link as its calendar event shows them, each as the meeting has it if it is equal. */
export const shownIn = (event: CalendarEvent, meeting: Shown): Shown => ({
  title: titleOf(event) === titleOf(meeting) ? meeting.title : titleOf(event),
  location: placeShown(event) === locationOf(meeting) ? meeting.location : placeShown(event),
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

type Known = Shown & Pick<Meeting, 'providerEventId' | 'start' | 'end' | 'attendees'>;

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

const LINK_WAIT_MS = 3_000;
const LINK_POLL_MS = 500;
const MOVE_TRIES = 3;

/** Derived from the meeting's id, so that a retry finds the event. The calendar accepts 40 hex digits as an id. */
export const eventIdOf = async (meetingId: string): Promise<string> =>
  (await sha256(`event:${meetingId}`)).slice(0, 40);

/** Waits up to 3 s for the video link. If the meeting's event already exists, returns that. */
export async function putEvent(ctx: Ctx, requester: Account, event: NewEvent, trace: Trace): Promise<CalendarEvent> {
  let stored = await retryTransient(ctx, () =>
    withCalendar(ctx, requester, (token) => insertOrFind(ctx, token, event, trace)),
  );
  const giveUpAt = ctx.clock.now() + LINK_WAIT_MS;
  while (stored.linkPending && stored.meetLink === null && ctx.clock.now() + LINK_POLL_MS < giveUpAt) {
    await ctx.sleep(LINK_POLL_MS);
    // The meeting is booked even if this read fails. Only its link is still unknown.
    stored = await readEvent(ctx, requester, event).catch(() => stored);
  }
  return stored;
}

/** A call that a limit refuses changed nothing, so the operation is undone at once and holds nobody's time. */
async function sent<T>(trace: Trace, call: () => Promise<T>): Promise<T> {
  const { requestSent } = trace;
  trace.requestSent = true;
  try {
    return await call();
  } catch (error) {
    if (error instanceof CalendarLimit) trace.requestSent = requestSent;
    throw error;
  }
}

async function insertOrFind(ctx: Ctx, token: string, event: NewEvent, trace: Trace): Promise<CalendarEvent> {
  try {
    return await sent(trace, () => ctx.calendar.insertEvent(token, event));
  } catch (error) {
    if (!(error instanceof CalendarError) || error.kind !== 'duplicate') throw error;
    const found = await ctx.calendar.getEvent(token, event.id);
    if (found.status === 'cancelled' || found.meetingId !== event.meetingId)
      throw new CalendarError('invalid', 'Another calendar event already has this event id.', undefined, error);
    return found;
  }
}

/** `other` is invited, and replaces the attendee `instead`. */
export interface Wanted extends Interval {
  other?: string | undefined;
  instead?: string | undefined;
}

/** Throws `meeting_not_found` if the event was deleted in the calendar. */
export const findEvent = (ctx: Ctx, requester: Account, own: OwnEvent): Promise<CalendarEvent> =>
  retryTransient(ctx, () =>
    readEvent(ctx, requester, own).catch((error: unknown) => {
      throw isGone(error) ? eventDeleted() : error;
    }),
  );

/**
 * Everyone else stays, with their responses. An event in the target state is left alone, and `found` is read again only
 * if it has changed since. Throws `meeting_not_found` if the event was deleted.
 */
export const moveEvent = (
  ctx: Ctx,
  requester: Account,
  own: OwnEvent,
  wanted: Wanted,
  trace: Trace,
  found?: CalendarEvent,
): Promise<CalendarEvent> =>
  retryTransient(ctx, () => withCalendar(ctx, requester, (token) => move(ctx, token, own, wanted, trace, found)));

async function move(ctx: Ctx, token: string, own: OwnEvent, wanted: Wanted, trace: Trace, found?: CalendarEvent) {
  for (let tries = MOVE_TRIES, known = found; ; tries--, known = undefined) {
    try {
      const event = known ?? (await readOwnEvent(ctx, token, own));
      if (event.status === 'cancelled') throw eventDeleted();
      if (isAsWanted(event, wanted)) return event;
      return await sent(trace, () => patch(ctx, token, event, wanted));
    } catch (error) {
      if (isGone(error)) throw eventDeleted();
      if (!(error instanceof CalendarError) || error.kind !== 'changed' || tries === 1) throw error;
    }
  }
}

export function isAsWanted(event: CalendarEvent, wanted: Wanted): boolean {
  return event.start === wanted.start && event.end === wanted.end && attendeesOf(event, wanted) === undefined;
}

/** Undefined if the list does not change. A list that is sent to the calendar replaces the old one. */
function attendeesOf({ attendees }: CalendarEvent, { other, instead }: Wanted): CalendarAttendee[] | undefined {
  const is = (email: string | undefined) => (attendee: CalendarAttendee) => attendee.email.toLowerCase() === email;
  const kept = instead === other ? attendees : attendees.filter((attendee) => !is(instead)(attendee));
  const isMissing = other !== undefined && !attendees.some(is(other));
  if (!isMissing && kept.length === attendees.length) return undefined;
  return isMissing ? [...kept, { email: other }] : kept;
}

/** Throws `CalendarError` `changed` if the event has changed since it was looked up. */
export const putBack = (ctx: Ctx, requester: Account, event: CalendarEvent, wanted: Wanted): Promise<unknown> =>
  withCalendar(ctx, requester, (token) => patch(ctx, token, event, wanted));

function patch(ctx: Ctx, token: string, event: CalendarEvent, wanted: Wanted): Promise<CalendarEvent> {
  const { start, end } = wanted;
  return ctx.calendar.patchEvent(token, event.id, { ...event, start, end, attendees: attendeesOf(event, wanted) });
}

/**
 * An event that may have changed is read first, because a person may have made it a series: then only the meeting's own
 * occurrence is deleted.
 */
export const deleteEvent = (
  ctx: Ctx,
  requester: Account,
  own: OwnEvent & { eventEtag?: string | null },
  trace: Trace = { requestSent: false },
): Promise<void> =>
  retryTransient(ctx, () =>
    withCalendar(ctx, requester, async (token) => {
      const seen = own.eventEtag ? { id: own.id, calendar: MAIN, etag: own.eventEtag } : undefined;
      try {
        await remove(seen ?? (await readOwnEvent(ctx, token, own)));
      } catch (error) {
        const isChanged = error instanceof CalendarError && error.kind === 'changed';
        if (!isChanged && !(isGone(error) && rootOf(own.id) !== own.id)) throw error;
        await remove({ ...(await readOwnEvent(ctx, token, own)), etag: undefined });
      }
      function remove({ id, ...event }: { id: string; calendar: string; etag?: string | undefined }) {
        return sent(trace, () => ctx.calendar.deleteEvent(token, id, event));
      }
    }).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    }),
  );
