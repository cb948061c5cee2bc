const CALENDAR = 'https://www.googleapis.com/auth/calendar';

/** Permission that Tandem asks for at Google, and what Tandem does with it, as people read it. */
export interface Permission {
  scope: string;
  does: string;
  isNeeded: boolean;
}

export const FREE_BUSY = `${CALENDAR}.freebusy`;

/** The request to Google, the consent page, `/privacy` and the documentation are all made from this list. */
export const PERMISSIONS: readonly Permission[] = [
  { scope: 'openid', does: 'knows you by the ID of your Google account', isNeeded: true },
  { scope: 'email', does: 'reads your email address', isNeeded: true },
  {
    scope: `${CALENDAR}.events`,
    does: 'adds, moves and cancels the meetings that it arranged, and sees whether guests accept them',
    isNeeded: true,
  },
  { scope: FREE_BUSY, does: 'reads when you are busy', isNeeded: true },
  { scope: `${CALENDAR}.settings.readonly`, does: 'reads your time zone', isNeeded: false },
  {
    scope: `${CALENDAR}.calendarlist.readonly`,
    does: 'reads the list of your calendars, so that you can choose which ones count; without it, only your main calendar does',
    isNeeded: false,
  },
];
