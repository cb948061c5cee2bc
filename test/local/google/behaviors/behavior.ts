import type { Google } from '../index.ts';

export interface Answer {
  status: number;
  // A behavior reads answers of any method, so their bodies have no one type.
  body: Record<string, unknown> & { error?: { code?: unknown; status?: unknown; errors?: { reason?: string }[] } };
}

/** Parts of a call that most calls leave out. */
export interface CallOptions {
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
  /** Access token in place of the account's own. */
  token?: string;
}

/** Account on which behaviors are played: the stand-in's, or a real one. */
export interface Hand {
  /** Calls the Calendar API: `call('POST', '/freeBusy', …)`. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Returns an instant on a day of next month, in UTC: `at('10:00')`. */
  at(time: string): string;
  /** Returns a new id for an event. */
  id(): string;
}

/** One thing that Google does, with what supports the claim. */
export interface Behavior {
  title: string;
  /** Support for the claim: documented, seen by others in live traffic, from source, or inferred. */
  evidence: string;
  /** Result of `play` at the stand-in, and as far as the evidence reaches at Google. */
  expected: unknown;
  /** Calls the API and returns what distinguishes this behavior. The ids and times of a run do not appear in it. */
  play(hand: Hand): Promise<unknown>;
}

/** Behavior that no client can bring about at will, so that only the stand-in can show it. */
export interface ArrangedBehavior extends Omit<Behavior, 'play'> {
  play(hand: Hand, google: Google, email: string): Promise<unknown>;
}

export const EVENTS = '/calendars/primary/events';

/** Creates an event from 10:00 to 11:00 on the day, or with other fields. Returns the answer. */
export const insert = (hand: Hand, fields: object = {}, query: Record<string, string> = {}) =>
  hand.call('POST', EVENTS, {
    query,
    body: {
      id: hand.id(),
      summary: 'Tandem check',
      start: { dateTime: hand.at('10:00') },
      end: { dateTime: hand.at('11:00') },
      ...fields,
    },
  });

/** Returns the status of an answer, and the reason of its error. */
export const refusal = ({ status, body }: Answer) => [status, body.error?.errors?.[0]?.reason];
