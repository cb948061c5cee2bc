/** What the world asks of the calendar provider's stand-in beside its wire; times are ISO 8601 with an offset. */
export interface GoogleHandles {
  addUser(person: { email: string; timezone: string }): unknown;
  addBusy(busy: { email: string; start: string; end: string }): unknown;
  events(email: string): unknown;
  patchEvent(change: {
    email: string;
    eventId: string;
    start?: string | undefined;
    end?: string | undefined;
    responseStatus?: 'accepted' | 'declined' | 'tentative' | 'needsAction' | undefined;
    deleted?: boolean | undefined;
  }): unknown;
  revoke(email: string): unknown;
}
