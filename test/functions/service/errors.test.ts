import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { GROUPS } from '../../../functions/http/groups.ts';
import { check } from '../../../functions/http/input.ts';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { AppError } from '../../../lib/kit/errors.ts';
import { ERROR_CODES, ERRORS } from '../../../schema/api/http-errors.ts';
import { type Browser, createBrowser, type Page } from '../../local/browser.ts';
import { wholeError } from '../../support/checks/errors.ts';
import { noteLostGrant } from '../../support/people/calendars.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { booked, FORBIDDEN, inHours, iso } from '../../support/people/meetings.ts';
import { authorizeUrl } from '../../support/people/signing-in.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();
const platform = await freshPlatform();
const ada = await connectedPerson(platform);
const bob = await connectedPerson(platform);
const pair = [ada.email, bob.email];
const booking = { attendees: pair, start_time: iso(inHours(1_000)), duration_minutes: 30, title: 'Tea' };
const headers = { 'x-request-id': 'this-very-request' };

const FREE_BUSY = { target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 500 } as const;
const INSERT = { target: 'google', match: 'POST /calendar/v3/calendars', mode: 'status' } as const;

describe('an error says which it is, whose request it answers, and where it is explained', () => {
  test('in the nested format', async () => {
    const answer = await platform.api.send('POST', '/v1/availability', { attendees: [ada.email] }, { headers });
    expect(answer.body).toEqual({
      error: {
        code: 'invalid_attendees',
        message: '`attendees` must contain exactly two email addresses.',
        field: 'attendees',
        request_id: 'this-very-request',
        docs: `${world.baseUrl}/docs/errors#invalid_attendees`,
      },
    });
  });

  test('in the flat format', async () => {
    const answer = await platform.api.send('GET', '/v1/platform/oauth-url', undefined, { headers });
    expect(answer.body).toEqual({
      error: 'Invalid request',
      code: 'invalid_request',
      message: '`user_email` is required. Send it with the request.',
      field: 'user_email',
      request_id: 'this-very-request',
      docs: `${world.baseUrl}/docs/errors#invalid_request`,
    });
  });

  test('and an unknown path is flat also where its neighbours are nested', async () => {
    const answer = await platform.api.send('GET', '/v1/meetings/a/b');
    expect([answer.status, answer.body]).toEqual([
      404,
      wholeError({
        error: 'Not found',
        message: 'There is nothing at /v1/meetings/a/b. GET /openapi.json lists every path.',
      }),
    ]);
  });
});

test.each([
  ['GET', '/v1/schedule', 'POST'],
  ['POST', '/v1/platform/webhook', 'GET, HEAD, PUT'],
  ['PATCH', '/v1/meetings/meet_x', 'DELETE, GET, HEAD, PUT'],
  ['DELETE', '/health', 'GET, HEAD'],
  ['GET', '/oauth/authorize', 'POST'],
])('405 to %s %s names what is taken', async (method, path, allow) => {
  const answer = await platform.api.send(method, path);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
});

const LOOK_FIRST = 'The requested change may have been made anyway. Check whether it was made before you try again.';

describe('a message is true of its request', () => {
  const messageOf = ({ body }: { body: unknown }) => {
    const { error, message } = body as { error: string | { message: string }; message?: string };
    return typeof error === 'string' ? message : error.message;
  };

  test.each([
    ['a search', () => platform.api.availability({ attendees: pair })],
    ['an explanation', () => platform.api.send('POST', '/v1/availability/explain', booking)],
    ["a person's free time", () => platform.api.send('GET', `/v1/users/${ada.email}/availability`)],
  ])('%s whose calendar fails speaks of no change', async (_name, ask) => {
    world.faults.add(FREE_BUSY);
    expect(messageOf(await ask())).toMatch(
      /^The calendar of \S+ could not be reached\. Try again in a minute\. The request ID is [\w-]+\.$/,
    );
  });

  test('a booking the calendar never heard of says that nothing was booked', async () => {
    world.faults.add({ ...INSERT, status: 403, body: FORBIDDEN });
    expect(messageOf(await platform.api.schedule(booking))).toMatch(
      `The calendar of ${ada.email} refused the request. Check that ${ada.email} may still use that calendar. Nothing was booked.`,
    );
  });

  test.each([
    [
      'with a key, that sending it again is safe',
      'k1',
      'You can safely send the same request again in a minute, with the same Idempotency-Key.',
    ],
    [
      'without, where to look first',
      undefined,
      `In a few minutes, look in GET /v1/users/${ada.email}/meetings. Book again only if the meeting is not there.`,
    ],
  ])('a booking of unknown end says %s', async (_name, key, advice) => {
    world.faults.add({ ...INSERT, mode: 'after' });
    const options = key === undefined ? {} : { headers: { 'idempotency-key': key } };
    const answer = await platform.api.schedule({ ...booking, start_time: iso(inHours(1_024)) }, options);
    expect(messageOf(answer)).toMatch(
      `The calendar of ${ada.email} did not respond. Tandem will finish or undo the booking within minutes. ${advice}`,
    );
  });

  test('what never got past its key that fails on our side gets the advice that fits it', async () => {
    const { api } = await freshPlatform();
    world.faults.add({ target: 'neon', body_match: 'api_keys', mode: 'reset' });
    const answer = await api.schedule(booking, { headers: { ...headers, 'idempotency-key': 'k0' } });
    expect([answer.status, messageOf(answer)]).toEqual([
      500,
      'Something went wrong on our side. Try again in a minute. The request ID is this-very-request. If it happens again, write to support@tandem.test with this ID.',
    ]);
  });

  test.each([
    ['a read', 'GET', '/v1/calendars', undefined, undefined, 'connections', 'Try again in a minute.'],
    ['a search', 'POST', '/v1/availability', { attendees: pair }, 'k2', 'calendar_accounts', 'Try again in a minute.'],
    [
      'a booking with a key',
      'POST',
      '/v1/schedule',
      booking,
      'k3',
      'usage',
      'Try again in a minute with the same Idempotency-Key.',
    ],
    ['a booking without', 'POST', '/v1/schedule', booking, undefined, 'usage', LOOK_FIRST],
    ['a setting', 'PUT', '/v1/platform/webhook', { enabled: true }, undefined, 'webhook_endpoints', LOOK_FIRST],
  ])(
    '%s that fails on our side gets the advice that fits it',
    async (_name, method, path, body, key, about, advice) => {
      await platform.api.calendars();
      world.faults.add({ target: 'neon', body_match: about, mode: 'reset' });
      const options = { headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) } };
      const answer = await platform.api.send(method, path, body, options);
      expect([answer.status, messageOf(answer)]).toEqual([
        500,
        `Something went wrong on our side. ${advice} The request ID is this-very-request. If it happens again, write to support@tandem.test with this ID.`,
      ]);
    },
  );

  test('a person who must consent again is no field of a request that did not name them', async () => {
    const { platform, ada, id, start } = await booked();
    await noteLostGrant(ada.email);
    const times = { start_time: iso(start + HOUR), end_time: iso(start + 2 * HOUR) };
    const moved = await platform.api.send('PUT', `/v1/meetings/${id}`, times);
    expect([moved.status, moved.body]).toEqual([
      404,
      wholeError({ error: { code: 'calendar_reconnect_required', message: expect.any(String), email: ada.email } }),
    ]);
  });
});

test('the page of errors explains every code, with its status, at the anchor errors name', async () => {
  const { status, text, headers: shown } = await createClient(world.baseUrl).send('GET', '/docs/errors');
  expect(status).toBe(200);
  expect(shown.get('content-type')).toMatch('text/html');
  const parts = text.split('<h3 id="');
  for (const code of ERROR_CODES) {
    const [part = '', ...others] = parts.filter((one) => one.startsWith(`${code}"`));
    expect(others).toEqual([]);
    const [, status, help] = /<p><strong>(\d+)<\/strong> (.*?)<\/p>/s.exec(part) ?? [];
    expect(status, code).toBe(String(ERRORS[code].status));
    expect(help, code).toMatch(/^[A-Z<].+\.$/s);
  }
});

const open = () => createBrowser([new URL(world.baseUrl).host, new URL(world.worldUrl).host]);

async function atConsent(): Promise<{ browser: Browser; consent: Page; email: string }> {
  const browser = open();
  const { email } = freshPerson();
  const asked = await browser.open(authorizeUrl(await freshPlatform(), email));
  const consent = await browser.submit(asked, '/authorize');
  return { browser, consent, email };
}

describe.each(['neon', 'redis'] as const)('while %s is down a person gets a page', (target) => {
  const stop = () => world.faults.add({ target, mode: 'reset' });

  test('at the link to connect a calendar', async () => {
    const browser = open();
    const asked = await browser.open(authorizeUrl(await freshPlatform(), freshPerson().email));
    stop();
    expectApology(await browser.submit(asked, '/authorize'));
  });

  test('at the link to sign in', async () => {
    const { email } = freshPerson();
    stop();
    expectApology(await open().open(`${world.baseUrl}/oauth/login?user_id=${email}`));
  });

  test('on the way back from the consent', async () => {
    const { browser, consent, email } = await atConsent();
    stop();
    expectApology(await browser.submit(consent, '/consent', { email, action: 'allow' }));
  });
});

test('while the database is down a signed-in person gets a page instead of their own and of a key', async () => {
  const { browser, consent, email } = await atConsent();
  await browser.submit(consent, '/consent', { email, action: 'allow' });
  const own = await browser.submit(await browser.open(`${world.baseUrl}/oauth/login?user_id=${email}`), '/consent', {
    email,
    action: 'allow',
  });
  expect(own.status).toBe(200);
  world.faults.add({ target: 'neon', mode: 'reset' });
  expectApology(await browser.open(`${world.baseUrl}/me`));
  expectApology(await browser.submit(own, '/me/api-key'));
});

function expectApology({ status, html, url }: Page): void {
  expect(status, url).toBe(500);
  expect(html).toMatch(/^<!doctype html>/i);
  expect(html).toContain('<h1>Something went wrong</h1>');
  expect(html).toMatch(
    /try again in a moment\. If it happens again, write to <a href="mailto:support@tandem\.test">support@tandem\.test<\/a> with this ID:<br\/?><code>[\w-]+<\/code>/,
  );
}

const Body = z.object({
  name: z.string(),
  count: z.number(),
  flag: z.boolean(),
  list: z.array(z.string()),
  inner: z.object({ kind: z.enum(['a', 'b']) }),
});
const RIGHT = { name: 'x', count: 1, flag: true, list: ['x'], inner: { kind: 'a' } };

/** Returns the message with which a schema refuses a value, or undefined if it accepts the value. */
function refusal(schema: z.ZodType, value: unknown): string | undefined {
  try {
    check(schema, value);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

test.each([
  [{ flag: 'yes' }, '`flag` must be true or false, not a string.'],
  [{ list: 'x' }, '`list` must be an array, not a string.'],
  [{ list: ['x', true] }, '`list.1` must be a string, not true.'],
  [{ inner: [] }, '`inner` must be an object, not an array.'],
  [{ inner: { kind: 'c' } }, '`inner.kind` must be a or b.'],
  [{ name: null }, '`name` must be a string, not null.'],
])('a value of the wrong type is named with the type that is expected and the one that came: %j', (part, message) => {
  expect(refusal(Body, { ...RIGHT, ...part })).toBe(message);
});

test('every field of every body says what it must be', () => {
  const operations = GROUPS.flatMap((group) => group.operations);
  const told = operations.flatMap(({ body }) => {
    const shape = body && shapeOf(body);
    return Object.entries(shape ?? {}).flatMap(([name, field]) =>
      [5.5, 'x', true, ['x'], [5], {}, { x: {} }].flatMap(
        (value) => refusal(z.object({ [name]: field }), { [name]: value }) ?? [],
      ),
    );
  });
  expect(told.length).toBeGreaterThan(100);
  for (const message of told)
    expect(message).toMatch(/^(?:`[^`]+` (?:must |is required)|`[^`]+`(?:, `[^`]+`)* and `[^`]+` are required)/);
});

function shapeOf(schema: z.ZodType): z.ZodRawShape {
  if (schema instanceof z.ZodObject) return schema.shape as z.ZodRawShape;
  if (schema instanceof z.ZodPipe) return shapeOf(schema.def.in as z.ZodType);
  throw new Error('A body is an object.');
}
