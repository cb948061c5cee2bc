/** One of the two in a story; busy times are ISO with an offset. */
export interface Who {
  name: string;
  zone: string;
  busy?: [start: string, end: string][];
  /** As `PUT /v1/user/preferences` takes them. */
  preferences?: Record<string, unknown>;
}

interface Meeting {
  start: string;
  minutes: number;
}

type Question =
  | { auto: Record<string, unknown> }
  | { search: Record<string, unknown> }
  | { book: Meeting }
  | { move: Meeting; by: 0 | 1; reasons: string[]; range?: { start: string; end: string } };

/** What two people ask, and what they are to be told. */
export interface Story {
  title: string;
  /** When it is asked; stories are told in the order of these. */
  now: string;
  people: [Who, Who];
  /** Meetings the two have had or will have. */
  earlier?: Meeting[];
  asks: Question;
  /** The chosen start on the first one's clock, "none" without one, and the words that come with it. */
  chosen: string;
  said: string;
}

export const BERLIN = 'Europe/Berlin';
export const LONDON = 'Europe/London';
export const NEW_YORK = 'America/New_York';
export const LOS_ANGELES = 'America/Los_Angeles';
export const TOKYO = 'Asia/Tokyo';
export const SYDNEY = 'Australia/Sydney';
export const KOLKATA = 'Asia/Kolkata';

export const ada = (some: Partial<Who> = {}): Who => ({ name: 'ada.adams', zone: BERLIN, ...some });
export const bob = (some: Partial<Who> = {}): Who => ({ name: 'bob.brown', zone: BERLIN, ...some });

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

/** Work hours from Monday to Friday. */
export const hours = (start: string, end: string) => ({
  work_hours: Object.fromEntries(WEEKDAYS.map((day) => [day, { enabled: true, start, end }])),
});
