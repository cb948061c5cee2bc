/** What a change was to be, as its settlement keeps it: all that one who did not see the request needs. */
export type Intent = CancelIntent | UpdateIntent | RescheduleIntent;

export interface CancelIntent {
  kind: 'cancel';
}

/** Epoch milliseconds; `other` is the second attendee from then on. */
export interface UpdateIntent {
  kind: 'update';
  start: number;
  end: number;
  other?: string | undefined;
  reason: string;
}

/** The meeting that takes the place, and what the answer says. */
export interface RescheduleIntent {
  kind: 'reschedule';
  newId: string;
  start: number;
  end: number;
  reasoning: string;
  learnedFrom: string;
}
