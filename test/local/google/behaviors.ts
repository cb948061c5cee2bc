import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

interface Answer {
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
interface Hand {
  /** Calls the Calendar API: `call('POST', '/freeBusy', …)`. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Returns an instant on a day of next month, in UTC: `at('10:00')`. */
  at(time: string): string;
  /** Returns a new id for an event. */
  id(): string;
}

interface Behavior {
  title: string;
  /** Support for the claim: documented, seen by others in live traffic, from source, or inferred. */
  evidence: string;
  /** Result of `play` at the stand-in, and as far as the evidence reaches at Google. */
  expected: unknown;
  /** Calls the API and returns what distinguishes this behavior. The ids and times of a run do not appear in it. */
  play(hand: Hand): Promise<unknown>;
}

const EVENTS = '/calendars/primary/events';

/** Creates an event from 10:00 to 11:00 on the day, or with other fields. Returns the answer. */
const insert = (hand: Hand, fields: object = {}, query: Record<string, string> = {}) =>
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

const refusal = ({ status, body }: Answer) => [status, body.error?.errors?.[0]?.reason];

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

interface BusyAnswer {
  timeMin: string;
  calendars: Record<string, { busy?: { start: string; end: string }[]; errors?: unknown }>;
  groups?: unknown;
}

const NOBODY = 'nobody@unknown.example.com';

async function ask(hand: Hand, more: object = {}) {
  const body = { timeMin: hand.at('00:00'), timeMax: hand.at('23:00'), items: [{ id: 'primary' }], ...more };
  const answer = await hand.call('POST', '/freeBusy', { body });
  return { ...answer, body: answer.body as unknown as BusyAnswer };
}

const refused = async (hand: Hand, more: object) => {
  const { status, body } = await ask(hand, more);
  return refusal({ status, body: body as never });
};

const formOf = (time: string | undefined) => time?.replaceAll(/\d/g, '0');

const FREE_BUSY: Behavior[] = [
  {
    title: 'free/busy of an unknown calendar is 200, with `errors` and an empty `busy`',
    evidence: 'documented (`freebusy.query`, field `errors`); the empty `busy` beside it seen by others',
    expected: [200, { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] }],
    async play(hand) {
      const { status, body } = await ask(hand, { items: [{ id: NOBODY }] });
      return [status, body.calendars[NOBODY]];
    },
  },
  {
    title: 'free/busy repeats its bounds in UTC with milliseconds, gives busy times without, and no `groups`',
    evidence: 'seen by others (answers in issues of client libraries)',
    expected: ['0000-00-00T00:00:00.000Z', '0000-00-00T00:00:00Z', undefined],
    async play(hand) {
      await insert(hand);
      const { body } = await ask(hand);
      return [formOf(body.timeMin), formOf(body.calendars.primary?.busy?.[0]?.start), body.groups];
    },
  },
  {
    title: 'an event marked free does not make busy',
    evidence: 'documented (`events`, field `transparency`)',
    expected: [],
    async play(hand) {
      const times = { start: { dateTime: hand.at('03:00') }, end: { dateTime: hand.at('04:00') } };
      await insert(hand, { ...times, transparency: 'transparent' });
      const { body } = await ask(hand, { timeMin: hand.at('03:00'), timeMax: hand.at('04:00') });
      return body.calendars.primary?.busy;
    },
  },
  {
    title: 'a span that ends when it starts is 400 `timeRangeEmpty`',
    evidence: 'documented (guide "Handle API errors")',
    expected: [400, 'timeRangeEmpty'],
    play: (hand) => refused(hand, { timeMax: hand.at('00:00') }),
  },
  {
    title: 'a span of many months is 400 `timeRangeTooLong`',
    evidence: 'seen by others (calcom/cal.com, pull requests 11696 and 11962); the limit is not published',
    expected: [400, 'timeRangeTooLong'],
    play: (hand) => refused(hand, { timeMax: new Date(Date.parse(hand.at('00:00')) + 400 * 86_400_000).toISOString() }),
  },
  {
    title: 'a bound without an offset is 400, even with `timeZone`',
    evidence: 'seen by others (googleapis/google-api-nodejs-client, issue 3145)',
    expected: 400,
    play: async (hand) => (await ask(hand, { timeMin: hand.at('00:00').slice(0, 19), timeZone: 'UTC' })).status,
  },
];

interface List {
  items: { id: string; status: string }[];
  nextPageToken?: string;
  nextSyncToken?: string;
}

const list = async (hand: Hand, query: Record<string, string>) => {
  const { status, body } = await hand.call('GET', EVENTS, { query });
  return { status, body: body as unknown as List };
};

/** Lists events to the last page, and returns the token with which to ask for later changes. */
async function syncTokenOf(hand: Hand): Promise<string> {
  for (let query: Record<string, string> = { timeMin: hand.at('00:00') }; ; ) {
    const { body } = await list(hand, query);
    if (body.nextSyncToken !== undefined) return body.nextSyncToken;
    if (body.nextPageToken === undefined) throw new Error('A list ended without a sync token.');
    query = { ...query, pageToken: body.nextPageToken };
  }
}

const LISTS: Behavior[] = [
  {
    title: '`timeMin` bounds the end of events and `timeMax` their start, both exclusive',
    evidence: 'documented (`events.list`, parameters `timeMin` and `timeMax`)',
    expected: { endsAtMin: false, overlaps: true, startsAtMax: false },
    async play(hand) {
      const event = async (start: string, end: string) => {
        const times = { start: { dateTime: hand.at(start) }, end: { dateTime: hand.at(end) } };
        return String((await insert(hand, times)).body.id);
      };
      const ids = [await event('04:00', '05:00'), await event('04:30', '06:30'), await event('06:00', '07:00')];
      const { body } = await list(hand, { timeMin: hand.at('05:00'), timeMax: hand.at('06:00') });
      const [endsAtMin, overlaps, startsAtMax] = ids.map((id) => body.items.some((item) => item.id === id));
      return { endsAtMin, overlaps, startsAtMax };
    },
  },
  {
    title: 'a `fields` parameter leaves everything else out of the answer',
    evidence: 'documented (guide "Improve performance", partial responses)',
    expected: ['end', 'id'],
    async play(hand) {
      await insert(hand);
      const query = { timeMin: hand.at('00:00'), maxResults: '1', fields: 'items(id,end)' };
      const { body } = await list(hand, query);
      return Object.keys(body.items[0] ?? {}).sort();
    },
  },
  {
    title: 'a `fields` parameter with an unknown field is 400 `invalidParameter`',
    evidence: 'documented (guide "Improve performance"); the reason seen by others',
    expected: [400, 'invalidParameter'],
    play: async (hand) => refusal(await hand.call('GET', EVENTS, { query: { fields: 'items(nothing)' } })),
  },
  {
    title: 'the changes since a sync token include deletions',
    evidence: 'documented (guide "Synchronize resources efficiently")',
    expected: 'cancelled',
    async play(hand) {
      const { body: event } = await insert(hand);
      const syncToken = await syncTokenOf(hand);
      await hand.call('DELETE', `${EVENTS}/${String(event.id)}`);
      const { body } = await list(hand, { syncToken });
      return body.items.find(({ id }) => id === event.id)?.status;
    },
  },
  {
    title: 'a sync token together with `timeMin` is 400',
    evidence: 'documented (`events.list`, parameter `syncToken`)',
    expected: 400,
    async play(hand) {
      const syncToken = await syncTokenOf(hand);
      return (await list(hand, { syncToken, timeMin: hand.at('00:00') })).status;
    },
  },
  {
    title: 'the time zone of the calendar is the setting `timezone`',
    evidence: 'documented (`settings.get`)',
    expected: ['calendar#setting', 'timezone', 'string'],
    async play(hand) {
      const { body } = await hand.call('GET', '/users/me/settings/timezone');
      return [body.kind, body.id, typeof body.value];
    },
  },
];

async function deleted(hand: Hand): Promise<{ path: string; id: string; first: Answer }> {
  const { body } = await insert(hand);
  const path = `${EVENTS}/${String(body.id)}`;
  return { path, id: String(body.id), first: await hand.call('DELETE', path) };
}

const isLater = (one: unknown, other: unknown) => Date.parse(String(one)) < Date.parse(String(other));

const EVENT_BEHAVIORS: Behavior[] = [
  {
    title: 'deleting an event is 204 without a body, and deleting it again is 410 `deleted`',
    evidence: 'documented (guide "Handle API errors"); seen by others (google-api-python-client, issue 210)',
    expected: [204, {}, [410, 'deleted']],
    async play(hand) {
      const { path, first } = await deleted(hand);
      return [first.status, first.body, refusal(await hand.call('DELETE', path))];
    },
  },
  {
    title: 'reading a deleted event is 200 with `status: "cancelled"`',
    evidence: 'seen by others (google-api-ruby-client, issue 1811); others saw 404 or 410',
    expected: [200, 'cancelled'],
    async play(hand) {
      const { status, body } = await hand.call('GET', (await deleted(hand)).path);
      return [status, body.status];
    },
  },
  {
    title: 'inserting an id that is taken is 409 `duplicate`',
    evidence: 'documented (guide "Handle API errors")',
    expected: [409, 'duplicate'],
    async play(hand) {
      const { body } = await insert(hand);
      return refusal(await insert(hand, { id: body.id }));
    },
  },
  {
    title: 'inserting the id of a deleted event is 409 `duplicate` too',
    evidence: 'seen by others (google-api-ruby-client, issue 1811; google-api-python-client, issues 210 and 846)',
    expected: [409, 'duplicate'],
    play: async (hand) => refusal(await insert(hand, { id: (await deleted(hand)).id })),
  },
  {
    title: 'patching a deleted event with `status: "confirmed"` brings it back',
    evidence: 'seen by others (answers to google-api-ruby-client, issue 1811)',
    expected: [200, 'confirmed'],
    async play(hand) {
      const { path } = await deleted(hand);
      const { status, body } = await hand.call('PATCH', path, { body: { status: 'confirmed' } });
      return [status, body.status];
    },
  },
  {
    title: 'reading an id that never existed is 404 `notFound`',
    evidence: 'documented (guide "Handle API errors")',
    expected: [404, 'notFound'],
    play: async (hand) => refusal(await hand.call('GET', `${EVENTS}/${hand.id()}`)),
  },
  {
    title: "a client's id has 5 to 1,024 characters of a to v and 0 to 9",
    evidence: 'documented (`events`, field `id`)',
    expected: [400, 400, 400, 400, 200],
    async play(hand) {
      const ids = ['abcd', 'a'.repeat(1_025), `${hand.id()}w`, hand.id().toUpperCase(), hand.id().slice(-12)];
      return Promise.all(ids.map(async (id) => (await insert(hand, { id })).status));
    },
  },
  {
    title: 'an insert never looks for conflicts',
    evidence: 'documented: no parameter asks for it, and no error of it is listed',
    expected: [200, 200],
    play: async (hand) => [(await insert(hand)).status, (await insert(hand)).status],
  },
  {
    title: 'a change whose `If-Match` is out of date is 412 `conditionNotMet`',
    evidence: 'documented (guide "Handle API errors")',
    expected: [200, [412, 'conditionNotMet']],
    async play(hand) {
      const { body } = await insert(hand);
      const change = (summary: string) =>
        hand.call('PATCH', `${EVENTS}/${String(body.id)}`, {
          body: { summary },
          headers: { 'If-Match': String(body.etag) },
        });
      return [(await change('First')).status, refusal(await change('Second'))];
    },
  },
  {
    title: 'a move changes `etag` and `updated`, and raises `sequence`',
    evidence: 'documented (`events`, fields `etag`, `updated` and `sequence`)',
    expected: { etag: true, updated: true, sequence: true },
    async play(hand) {
      const { body: before } = await insert(hand);
      const times = { start: { dateTime: hand.at('12:00') }, end: { dateTime: hand.at('13:00') } };
      const { body: after } = await hand.call('PATCH', `${EVENTS}/${String(before.id)}`, { body: times });
      return {
        etag: before.etag !== after.etag,
        updated: before.updated === after.updated || isLater(before.updated, after.updated),
        sequence: Number(after.sequence) > Number(before.sequence),
      };
    },
  },
  {
    title: 'a patch replaces the whole list of attendees',
    evidence: 'documented (`events.patch`: "Array fields, if specified, overwrite the existing arrays")',
    expected: ['b@guest.example.com'],
    async play(hand) {
      const { body } = await insert(hand, { attendees: [{ email: 'a@guest.example.com' }] });
      const change = { attendees: [{ email: 'b@guest.example.com' }] };
      const { body: after } = await hand.call('PATCH', `${EVENTS}/${String(body.id)}`, { body: change });
      return (after.attendees as { email: string }[]).map(({ email }) => email);
    },
  },
  {
    title: 'private properties come back to whoever reads the event from that calendar',
    evidence: 'documented (guide "Extended properties")',
    expected: { tandem_meeting_id: 'meet_check' },
    async play(hand) {
      const extendedProperties = { private: { tandem_meeting_id: 'meet_check' } };
      const { body } = await insert(hand, { extendedProperties });
      const { body: read } = await hand.call('GET', `${EVENTS}/${String(body.id)}`);
      return (read.extendedProperties as { private?: object } | undefined)?.private;
    },
  },
  {
    title: 'a Meet link is made only with `conferenceDataVersion=1`; without it the request is dropped silently',
    evidence: 'documented (`events.insert`, parameter `conferenceDataVersion`)',
    expected: [200, false, 200, true],
    async play(hand) {
      const createRequest = { requestId: hand.id(), conferenceSolutionKey: { type: 'hangoutsMeet' } };
      const conferenceData = { createRequest };
      const without = await insert(hand, { conferenceData });
      const version = await insert(hand, { conferenceData }, { conferenceDataVersion: '1' });
      const isAsked = ({ body }: Answer) => body.conferenceData !== undefined;
      return [without.status, isAsked(without), version.status, isAsked(version)];
    },
  },
];

interface FrontEndBody {
  errors?: { reason: string }[];
  status?: string;
  details?: { reason?: string }[];
}

function errorOf({ status, body }: Answer) {
  const { errors, status: name, details } = (body.error ?? {}) as FrontEndBody;
  return [status, errors?.[0]?.reason, name, details?.[0]?.reason];
}

const REFUSALS: Behavior[] = [
  {
    title: "an error of the calendar has no `status` key: that is the front end's",
    evidence: 'documented (guide "Handle API errors"); seen by others (compass-calendar, issue 335)',
    expected: [404, 'notFound', undefined, undefined],
    play: async (hand) => errorOf(await hand.call('GET', `${EVENTS}/${hand.id()}`)),
  },
  {
    title: 'a token that the front end does not know is 401, with `status` and `details`',
    evidence: 'seen by others (issues of client libraries); the reason in `details` varies',
    expected: [401, 'authError', 'UNAUTHENTICATED'],
    play: async (hand) => errorOf(await hand.call('GET', EVENTS, { token: 'ya29.unknown' })).slice(0, 3),
  },
  {
    title: 'a method that the scopes do not allow is 403, with `ACCESS_TOKEN_SCOPE_INSUFFICIENT` in `details`',
    evidence: 'seen by others (GeneralTask/task-manager, pull request 2160)',
    expected: [403, 'insufficientPermissions', 'PERMISSION_DENIED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'],
    // The scopes of our consent do not allow this method.
    play: async (hand) => errorOf(await hand.call('GET', '/calendars/primary')),
  },
];

/** Behaviors of Google that any account can show. */
export const BEHAVIORS: Behavior[] = [...FREE_BUSY, ...LISTS, ...EVENT_BEHAVIORS, ...REFUSALS];
