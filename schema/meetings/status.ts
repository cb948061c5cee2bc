/** `pending` until the calendar has the event; `failed` when it never came to be. */
export const MEETING_STATUSES = ['pending', 'failed', 'scheduled', 'updated', 'cancelled', 'rescheduled'] as const;
export type MeetingStatus = (typeof MEETING_STATUSES)[number];

/** The meeting takes place. */
export const LIVE_STATUSES = ['scheduled', 'updated'] as const satisfies MeetingStatus[];

/** The meeting was seen outside. */
export const SHOWN_STATUSES = [...LIVE_STATUSES, 'cancelled', 'rescheduled'] as const satisfies MeetingStatus[];
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

const isOneOf =
  <T extends MeetingStatus>(statuses: readonly T[]) =>
  (status: MeetingStatus): status is T =>
    statuses.some((one) => one === status);

export const isLive = isOneOf(LIVE_STATUSES);
export const isShown = isOneOf(SHOWN_STATUSES);
