export interface Who {
  name: string;
  zone: string;
  /** Work hours such as "Tue-Thu 9:00-13:00, Fri 9:00-12:00"; Monday to Friday from 8:00 to 18:00 if absent. */
  hours?: string;
  /**
   * Busy times on the person's own clock: "Tue 9 Jan 9:00-10:00", the same on each workday of "Mon 8 Jan - Fri 12 Jan
   * 9:00-10:00", or one span "Tue 9 Jan 12:00 to Fri 26 Jan 18:00".
   */
  busy?: string[];
  /** Focus blocks such as "Mon-Fri 8:00-9:00". */
  focus?: string[];
  /** The person's preferences in their own words. */
  says?: string;
  energy?: 'morning_person' | 'afternoon_person' | 'evening_person';
  mostMeetingsADay?: number;
  /** True if the person has no calendar connected. */
  isAbsent?: boolean;
}

/** A time on the first person's clock, such as "Tue 9 Jan 10:00". */
type Time = string;

interface Meeting {
  at: Time;
  minutes?: number;
}

export type Question =
  | { search: { minutes?: number; from?: string; to?: string } }
  | { auto: { context?: string; minutes?: number } }
  | { preview: { context?: string; minutes?: number } }
  | { propose: { count?: number; minutes?: number } }
  | { book: Meeting }
  | { explain: Meeting; only?: string }
  | { move: Meeting; by: 0 | 1; reason: string };

/** Request of two people, and what they should read as the answer. */
export interface Story {
  title: string;
  /** Time of the request on the first person's clock. Stories are told in the order of these times. */
  now: Time;
  people: [Who, Who];
  /** Meetings that the two already have with each other. */
  earlier?: Meeting[];
  asks: Question;
  /** The sentences of the answer. Somebody has read and judged each of them. Absent in a file of new stories. */
  answer?: string[];
}

export const BERLIN = 'Europe/Berlin';
export const LONDON = 'Europe/London';
export const LISBON = 'Europe/Lisbon';
export const ATHENS = 'Europe/Athens';
export const NEW_YORK = 'America/New_York';
export const DENVER = 'America/Denver';
export const TOKYO = 'Asia/Tokyo';
export const SINGAPORE = 'Asia/Singapore';
export const SYDNEY = 'Australia/Sydney';

export const ada = (some: Partial<Who> = {}): Who => ({ name: 'Ada Adams', zone: BERLIN, ...some });
export const ben = (some: Partial<Who> = {}): Who => ({ name: 'Ben Brown', zone: BERLIN, ...some });
export const chloe = (some: Partial<Who> = {}): Who => ({ name: 'Chloe Clark', zone: LONDON, ...some });
export const noah = (some: Partial<Who> = {}): Who => ({ name: 'Noah North', zone: NEW_YORK, ...some });
