/** What a change was to be, as its settlement keeps it: all that one who did not see the request needs. */
export type Intent = CancelIntent | UpdateIntent;

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
