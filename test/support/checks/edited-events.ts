/** What people of a history put between a meeting's title and what they append to it. */
export const EDITED = ' · ';

/** Returns the title under which a client asked for a meeting, without what a person appended to it. */
export const askedTitle = (title: string): string => title.split(EDITED, 1)[0] ?? title;

/** Returns the id of the event from which a series and its occurrences come. All their ids begin with it. */
export const rootOf = (eventId: string): string => eventId.split('_', 1)[0] ?? eventId;
