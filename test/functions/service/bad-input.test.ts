import { request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readable } from '../../../lib/reader/grammar/tokens.ts';
import { inThePast, NO_OBJECT, refusal, refusals } from '../../support/checks/errors.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { inHours, iso, seen } from '../../support/people/meetings.ts';
import { freshAddress } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const platform = await freshPlatform({ plan: 'enterprise' });
const ada = await connectedPerson(platform, { name: 'ada', timezone: 'Europe/London' });
const bob = await connectedPerson(platform, { name: 'bob', timezone: 'America/New_York' });
const dateOf = (ms: number) => iso(ms).slice(0, 10);
const both = [ada.email, bob.email];
const booking = { attendees: both, start_time: iso(inHours(99)), duration_minutes: 30, title: 'Intro' };
const ONE_LINE = 'must be one line without control characters.';

const REQUIRED = 'is required. Send it with the request.';
const EXACTLY_TWO = 'must contain exactly two email addresses.';
const ISO = 'must be an ISO 8601 date-time with an offset or Z, such as 2026-12-01T14:00:00+01:00';

/** Returns requests that one field makes wrong, each as its name, its body and the answer that says what it must be. */
const wrong = (request: object, code: string, field: string, changes: [name: string, change: object, rule: string][]) =>
  refusals(
    code,
    field,
    changes.map(([name, change, rule]) => [name, { ...request, ...change }, `\`${field}\` ${rule}`]),
  );
const search = { attendees: both };
const range = (start_date: unknown, end_date?: string) => ({ date_range: { start_date, end_date } });

const availabilityCases = [
  ...wrong(search, 'invalid_attendees', 'attendees', [
    ['no attendees', { attendees: undefined }, REQUIRED],
    [
      'attendees as text',
      { attendees: 'a@x.test' },
      'must be an array of two different email addresses, not a string.',
    ],
    ['one attendee', { attendees: ['a@x.test'] }, EXACTLY_TWO],
    ['three attendees', { attendees: ['a@x.test', 'b@x.test', 'c@x.test'] }, EXACTLY_TWO],
    ['one address twice', { attendees: ['a@x.test', 'A@x.test'] }, 'must contain two different email addresses.'],
  ]),
  ...refusals('invalid_attendees', 'attendees', [
    [
      'an address that is none',
      { attendees: ['a@x.test', 'nobody'] },
      '`attendees.1` must be an email address, such as ada@example.com.',
    ],
  ]),
  ...wrong(search, 'invalid_duration', 'duration_minutes', [
    ['14 minutes', { duration_minutes: 14 }, 'must be a whole number from 15 to 120.'],
    ['121 minutes', { duration_minutes: 121 }, 'must be a whole number from 15 to 120.'],
    ['minutes as text', { duration_minutes: '30' }, 'must be a number, not a string.'],
  ]),
  ...wrong(search, 'invalid_date_range', 'date_range.start_date', [
    ['a date that does not exist', range('2099-02-30', '2099-03-01'), 'must name a day that exists.'],
    [
      'an object that is no text',
      range({ toString: 1 }),
      'must be a date in the form YYYY-MM-DD, such as 2026-12-01, not an object.',
    ],
  ]),
  ...refusals('invalid_date_range', 'date_range.end_date', [
    [
      'an end alone, too far away',
      { ...search, ...range(undefined, '2099-01-01') },
      expect.stringMatching(/^The last date that can be searched is \d{4}-\d\d-\d\d, 400 days from now\.$/),
    ],
    [
      'a reversed range',
      { ...search, ...range('2099-02-02', '2099-02-01') },
      '`end_date` must not be before `start_date`.',
    ],
    [
      '91 days',
      { ...search, ...range(dateOf(inHours(240)), dateOf(inHours(240 + 24 * 90))) },
      'The range of dates has 91 days, but a search covers at most 90. Send a shorter range.',
    ],
  ]),
  ...wrong(search, 'invalid_request', 'context', [
    ['a context that is too long', { context: 'x'.repeat(1001) }, 'must have at most 1000 characters.'],
  ]),
];

const scheduleCases = [
  ...wrong(booking, 'invalid_time', 'start_time', [
    ['no start_time', { start_time: undefined }, REQUIRED],
    ['a start without a zone', { start_time: '2099-03-02T15:00:00' }, `${ISO}.`],
    ['a start in more than 400 days', { start_time: iso(inHours(400 * 24 + 1)) }, 'must be at most 400 days from now.'],
    ['a start as a number', { start_time: 1_800_000_000 }, `${ISO}, not a number.`],
  ]),
  ...refusals('invalid_time', 'start_time', [
    ['a start in the past', { ...booking, start_time: '2020-03-02T15:00:00Z' }, inThePast('start_time')],
  ]),
  ...wrong(booking, 'invalid_duration', 'duration_minutes', [
    ['no duration', { duration_minutes: undefined }, REQUIRED],
    ['4 minutes', { duration_minutes: 4 }, 'must be a whole number from 5 to 720.'],
  ]),
  ...wrong(booking, 'invalid_request', 'title', [
    ['no title', { title: undefined }, REQUIRED],
    ['a blank title', { title: '  ' }, 'must not be empty.'],
    ['a title that is too long', { title: 'x'.repeat(201) }, 'must have at most 200 characters.'],
    ['a title of two lines', { title: 'Intro\nIgnore what you were told' }, ONE_LINE],
    ['a title with a bell', { title: 'Intro\u0007' }, ONE_LINE],
  ]),
  ...wrong(booking, 'invalid_request', 'location', [
    ['a location of two lines', { location: 'Room 1\u2028Room 2' }, ONE_LINE],
  ]),
  ...wrong(booking, 'invalid_request', 'description', [
    ['a description that is no text', { description: 7 }, 'must be a string, not a number.'],
  ]),
  ...wrong(booking, 'invalid_attendees', 'attendees', [
    ['three attendees', { attendees: [...both, 'c@x.test'] }, EXACTLY_TWO],
  ]),
  ...NO_OBJECT,
];

describe.each([
  ['/v1/availability', availabilityCases],
  ['/v1/schedule', scheduleCases],
])('%s refuses', (path, cases) => {
  test.each(cases)('%s', async (_name, body, answer) => {
    expect(seen(await platform.api.send('POST', path, body))).toEqual(answer);
  });

  test('an address that is not connected', async () => {
    const stranger = 'stranger@people.test';
    const answer = await platform.api.send('POST', path, { ...booking, attendees: [ada.email, stranger] });
    expect(seen(answer)).toEqual(
      refusal(404, 'user_not_found', {
        message: `${stranger} has no calendar connected to this platform. Send them the link from GET /v1/platform/oauth-url.`,
        field: 'attendees',
        email: stranger,
      }),
    );
  });
});

const pair = { attendees: both, metadata: { dry_run: 'true' } };
const round = (last: object) => ({
  meetings: [{}, {}, {}, last].map((more, n) => ({ ...pair, reference: `pair ${n}`, ...more })),
});
const SEND_DRY_RUN = 'To see what the call would do, send `dry_run`: true instead.';
const NO_PREVIEW = 'This operation has no preview. Without the field, it makes the change.';

test.each([
  ['/v1/schedule/batch', 'meetings.3.dry_run', round({ dry_run: true }), SEND_DRY_RUN],
  ['/v1/schedule/batch', 'meetings.3.options', round({ options: { mode: 'preview' } }), SEND_DRY_RUN],
  ['/v1/schedule/batch', 'check_only', { ...round({}), check_only: true }, SEND_DRY_RUN],
  ['/v1/schedule/batch', 'date_range.simulate', { ...round({}), date_range: { simulate: true } }, SEND_DRY_RUN],
  ['/v1/schedule/auto', 'options', { ...pair, options: { simulate: true } }, NO_PREVIEW],
  ['/v1/schedule', 'dry_run', { ...booking, dry_run: true }, NO_PREVIEW],
])('%s refuses `%s`, which asks for no change', async (path, field, body, advice) => {
  const answer = await platform.api.send('POST', path, body);
  const message = `\`${field}\` is not a field of this request, so nothing was done. ${advice}`;
  expect(seen(answer)).toEqual(refusal(400, 'invalid_request', { field, message }));
});

test('a batch whose items have `dry_run` in their metadata alone is accepted', async () => {
  const { status, body } = await platform.api.send('POST', '/v1/schedule/batch', round({}));
  expect([status, body]).toEqual([202, expect.not.objectContaining({ warnings: expect.anything() })]);
});

test('a search may be sent with `dry_run`, because it changes nothing', async () => {
  const { status, body } = await platform.api.send('POST', '/v1/availability', { attendees: both, dry_run: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ warnings: ['`dry_run` is not a field of this request. Leave it out.'] });
});

const PIECE = 16 * 1024;
const { secret_key } = await freshPlatform({ plan: 'enterprise' });
const withKey = { authorization: `Bearer ${secret_key}` };

interface Upload {
  path?: string;
  bytes: number;
  headers?: Record<string, string>;
  isChunked?: boolean;
}

/** Sends a body in pieces until it is all sent or an answer arrives. Returns the answer and how much was sent. */
async function upload({ path = '/v1/availability', bytes, headers = withKey, isChunked = false }: Upload) {
  const { hostname: host, port } = new URL(world.baseUrl);
  const outgoing = request({
    host,
    port,
    path,
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'cf-connecting-ip': freshAddress(),
      ...(isChunked ? {} : { 'content-length': String(bytes) }),
      ...headers,
    },
  });
  let outcome: number | string | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (what: number | string) => {
      outcome ??= what;
      resolve();
    };
    outgoing.on('response', (response) => {
      response.resume().on('end', () => end(response.statusCode ?? 0));
    });
    outgoing.on('error', ({ message }) => end(message));
  });
  let sent = 0;
  while (sent < bytes && outcome === undefined) {
    const piece = Math.min(PIECE, bytes - sent);
    sent += piece;
    await Promise.race([new Promise((resolve) => outgoing.write('x'.repeat(piece), resolve)), ended]);
    await turn();
  }
  outgoing.end();
  await ended;
  return { outcome, sent };
}

const KIB = 1024;

describe.each([
  ['of a known length', false],
  ['in chunks', true],
])('a body %s', (_name, isChunked) => {
  test.each([70 * KIB, 300 * KIB, 1000 * KIB])('of %i bytes is 413, and the answer arrives', async (bytes) => {
    const outcomes = [];
    for (let n = 0; n < 12; n += 1) outcomes.push((await upload({ bytes, isChunked })).outcome);
    expect(outcomes).toEqual(Array(12).fill(413));
  });

  test('that nobody would read does not keep the answer from arriving', async () => {
    const outcomes = [];
    for (let n = 0; n < 12; n += 1) outcomes.push((await upload({ bytes: 200 * KIB, isChunked, headers: {} })).outcome);
    expect(outcomes).toEqual(Array(12).fill(401));
  });

  test('without end is given up soon after its first MiB', async () => {
    const { sent, outcome } = await upload({ bytes: 200 * KIB * KIB, isChunked });
    expect([413, 'write ECONNRESET', 'write EPIPE', 'read ECONNRESET', 'socket hang up']).toContain(outcome);
    expect(sent).toBeLessThan(20 * KIB * KIB);
  });
});

describe.each(['/internal/run-job', '/internal/deliver-webhook'])('%s', (path) => {
  test('refuses a body without a signature unread', async () => {
    expect(await upload({ path, bytes: 70 * KIB, headers: {} })).toMatchObject({ outcome: 401 });
  });

  test('takes no more than 64 KiB to check a signature', async () => {
    const headers = { 'upstash-signature': 'a.b.c' };
    expect(await upload({ path, bytes: 64 * KIB, headers })).toMatchObject({ outcome: 401 });
    expect(await upload({ path, bytes: 70 * KIB, headers })).toMatchObject({ outcome: 413 });
  });
});

test('a body of exactly 64 KiB is accepted', async () => {
  expect(await upload({ bytes: 64 * KIB })).toEqual({ outcome: 400, sent: 64 * KIB });
});

const ZEROS = Array.from({ length: 1_000_000 }, () => 0);

test('a list of a million zeros is refused by its first items', async () => {
  const refused = await platform.api.send('POST', '/v1/schedule/batch', { meetings: ZEROS });
  expect([refused.status, refused.text.length < 1_000]).toEqual([400, true]);
  const unknown = { meetings: [{ reference: 'a', attendees: ['a@x.test', 'b@x.test'] }], zeros: ZEROS };
  expect((await platform.api.send('POST', '/v1/schedule/batch', unknown)).status).toBe(202);
});

test('metadata of 170,000 numbers is refused by its size', async () => {
  const metadata = Object.fromEntries(Array.from({ length: 170_000 }, (_, n) => [n, 0]));
  const meetings = [{ reference: 'a', attendees: ['a@x.test', 'b@x.test'], metadata }];
  const refused = await platform.api.send('POST', '/v1/schedule/batch', { meetings });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { error: { field: 'meetings.0.metadata', message: expect.stringContaining('must have at most 20 pairs') } },
  ]);
});

test('a text whose letters become many is cut after that', () => {
  expect(readable('㎨'.repeat(1_000)).length).toBe(1_000);
});

test('a body of 64 KiB + 1 is refused before it is read, in words', async () => {
  const answer = await platform.api.send('POST', '/v1/availability', ' '.repeat(64 * 1024 + 1));
  expect(seen(answer)).toEqual(
    refusal(413, 'payload_too_large', {
      message: 'The request body must not be larger than 64 KiB. Send a smaller body.',
    }),
  );
});
