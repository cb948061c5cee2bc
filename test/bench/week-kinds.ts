export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Accounts whose people behave alike. */
export interface Kind {
  name: string;
  /** Share of all accounts that are of this kind. */
  share: number;
  asksADay: number;
  hasMeeting: boolean;
  /** True if somebody asks once for each of them, although they are idle. */
  isWoken?: boolean;
}

export const KINDS: Kind[] = [
  { name: 'idle', share: 0.83, asksADay: 0, hasMeeting: false },
  { name: 'idle, asked for once', share: 0.04, asksADay: 0, hasMeeting: false, isWoken: true },
  { name: 'active: asked for', share: 0.08, asksADay: 10, hasMeeting: false },
  { name: 'watched: a meeting ahead', share: 0.03, asksADay: 0, hasMeeting: true },
  { name: 'both', share: 0.02, asksADay: 10, hasMeeting: true },
];

/** Times within which Tandem promises to see what people change, unless Google is down. */
export const PROMISED = {
  /** Longest time for which a search may be answered from a snapshot that lacks a change. */
  stale: 5 * MINUTE,
  /** A move of a meeting's event, or an answer to its invitation, even if its push is lost. */
  meeting: 15 * MINUTE,
  /** A revoked consent of somebody with a meeting ahead, of somebody asked for, and of an idle person. */
  revoked: { watched: 15 * MINUTE, active: DAY, idle: 7 * DAY },
};

export const promisedRevoked = ({ hasMeeting, asksADay }: Kind): number =>
  PROMISED.revoked[hasMeeting ? 'watched' : asksADay > 0 ? 'active' : 'idle'];

/** What a person of one kind uses a day, as `cost.ts` reads it. */
export interface Measured {
  name: string;
  share: number;
  google: number;
  /** Requests of Postgres without the tick's own, of which there is one a minute whoever is there. */
  postgres: number;
  pushes: number;
  /** Times that the tick reads or follows the calendar. */
  swept: number;
  searches: number;
}

/** What one of the processes is to play. */
export interface Part {
  kind: Kind;
  count: number;
  days: number;
  seed: number;
  postgres?: string | undefined;
}
