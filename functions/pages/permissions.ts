import type { SCOPES } from '../../lib/adapters/google-oauth.ts';

type Scope = (typeof SCOPES)[number];
type Short<Name extends string> = Name extends `https://www.googleapis.com/auth/${infer Rest}` ? Rest : Name;

/** The permissions that Tandem asks Google for by their short names, each with what Tandem does with it. */
export const PERMISSIONS: Record<Short<Scope>, string> = {
  openid: 'Recognizes the Google account.',
  email: "Reads the account's address.",
  'calendar.events': 'Creates, moves and cancels the meetings it booked, and sees who accepted them.',
  'calendar.freebusy': 'Reads when somebody is busy: starts and ends, without titles, places or guests.',
  'calendar.settings.readonly': "Reads the calendar's time zone.",
  'calendar.calendarlist.readonly': 'Lists the calendars, so that people can choose which ones count.',
};
