import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Google } from '../index.ts';

export interface Answer {
  status: number;
  // A behavior reads answers of any method, so their bodies have no one type.
  body: Record<string, unknown> & { error?: { code?: unknown; status?: unknown; errors?: { reason?: string }[] } };
}

interface CallOptions {
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

export const refusal = ({ status, body }: Answer) => [status, body.error?.errors?.[0]?.reason];

const DAYS_AHEAD = 30;

interface Account {
  /** Address of the API, such as https://www.googleapis.com. */
  rootUrl: string;
  accessToken: string;
  now: number;
}

/** Creates the hand of an account. `clean` deletes every event that the hand has inserted. */
export function createHand({ rootUrl, accessToken, now }: Account): Hand & { clean(): Promise<void> } {
  const day = new Date(now + DAYS_AHEAD * 86_400_000).toISOString().slice(0, 10);
  const inserted = new Set<string>();

  const call: Hand['call'] = async (method, path, { query = {}, body, headers = {}, token = accessToken } = {}) => {
    const search = new URLSearchParams(query).toString();
    const response = await fetch(`${rootUrl}/calendar/v3${path}${search === '' ? '' : `?${search}`}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    const answer: Answer = { status: response.status, body: text === '' ? {} : bodyOf(text) };
    if (method === 'POST' && path === EVENTS && response.ok) inserted.add(String(answer.body.id));
    return answer;
  };

  return {
    call,
    at: (time) => `${day}T${time}:00Z`,
    id: () => `tandem${randomBytes(16).toString('hex')}`,
    async clean() {
      for (const id of inserted) await call('DELETE', `${EVENTS}/${id}`);
      inserted.clear();
    },
  };
}

function bodyOf(text: string): Answer['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

/** Numbers of behaviors that are as the table says, that differ, and that could not be played. */
interface Tally {
  same: number;
  differs: number;
  failed: number;
}

/** Plays behaviors on an account and prints a row for each, with what differs from the table. */
export async function reportBehaviors(
  hand: Hand,
  behaviors: readonly Behavior[],
  print: (line: string) => void,
): Promise<Tally> {
  const tally: Tally = { same: 0, differs: 0, failed: 0 };
  for (const { title, evidence, expected, play } of behaviors) {
    try {
      const got = await play(hand);
      const isSame = isDeepStrictEqual(plain(got), plain(expected));
      tally[isSame ? 'same' : 'differs'] += 1;
      print(`${isSame ? 'same   ' : 'DIFFERS'}  ${title}`);
      if (isSame) continue;
      print(`           expected ${show(expected)}`);
      print(`           got      ${show(got)}`);
      print(`           evidence ${evidence}`);
    } catch (error) {
      tally.failed += 1;
      print(`FAILED   ${title}`);
      print(`           ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const { same, differs, failed } = tally;
  print('');
  print(`${behaviors.length} behaviors: ${same} as the table says, ${differs} differ, ${failed} could not be played.`);
  return tally;
}

const show = (value: unknown) => JSON.stringify(value) ?? 'nothing';

/** Returns a value as JSON keeps it, because a field that is missing and one that is undefined are the same. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');
