import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GROUPS } from '../../../functions/http/groups.ts';
import { type ClientOptions, createTandem, TandemConnectionError, TandemError } from '../../../lib/client/tandem.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

type Step = Response | Error;

interface Sent {
  at: number;
  method: string;
  url: string;
  headers: Headers;
  body: unknown;
}

function clientOf(steps: Step[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const send: typeof fetch = async (url, init = {}) => {
    const { method = 'GET', headers, body } = init;
    sent.push({ at: Date.now(), method, url: String(url), headers: new Headers(headers), body });
    const step = steps[sent.length - 1];
    if (step === undefined) return new Promise((_, reject) => rejectOnAbort(init.signal, reject));
    if (step instanceof Error) throw step;
    return step;
  };
  const tandem = createTandem({ apiKey: 'sk_live_x', baseUrl: 'https://api.test/', fetch: send, ...options });
  return { tandem, sent };
}

const rejectOnAbort = (signal: AbortSignal | null | undefined, reject: (reason: unknown) => void) =>
  signal?.addEventListener('abort', () => reject(signal.reason));

const ok = (body: object = {}) => Response.json(body);
const refused = (status: number, code: string, headers: Record<string, string> = {}, nested = true) =>
  Response.json(
    nested
      ? { error: { code, message: `It is ${code}.`, request_id: 'req_1' } }
      : { error: 'No', code, message: `It is ${code}.` },
    { status, headers },
  );
const lost = () => new TypeError('fetch failed');

/** Returns the result of a call once all pauses are over. */
async function end<T>(promise: Promise<T>): Promise<T | unknown> {
  const settled = promise.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
}

const BOOKING = {
  attendees: ['a@x.test', 'b@x.test'],
  start_time: '2030-01-07T10:00Z',
  duration_minutes: 30,
  title: 'T',
};

test('a request carries the key, its body and its query', async () => {
  const { tandem, sent } = clientOf([ok({ slots: [] })]);
  await tandem.findAvailability({ attendees: ['a@x.test', 'b@x.test'] }, { fresh: true });
  expect(sent[0]).toMatchObject({
    method: 'POST',
    url: 'https://api.test/v1/availability?fresh=true',
    body: '{"attendees":["a@x.test","b@x.test"]}',
  });
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer sk_live_x');
  expect(sent[0]?.headers.get('content-type')).toBe('application/json');
});

test('path parameters are escaped, and absent parameters are left out of the query', async () => {
  const { tandem, sent } = clientOf([ok(), ok()]);
  await tandem.getUserStatus('a/b?c#d@x.test');
  await tandem.listUserMeetings('a@x.test', { status: 'scheduled', cursor: undefined });
  expect(sent.map(({ url }) => url)).toEqual([
    'https://api.test/v1/users/a%2Fb%3Fc%23d%40x.test/status',
    'https://api.test/v1/users/a%40x.test/meetings?status=scheduled',
  ]);
});

describe('what passes is tried again', () => {
  test.each<[string, () => Step]>([
    ['no answer', lost],
    ['a failing calendar', () => refused(500, 'calendar_unavailable')],
    ['a proxy in trouble', () => new Response('<html>', { status: 502 })],
    ['a success cut short', () => new Response('{"meeting_', { status: 200 })],
    ['a request still under way', () => refused(409, 'idempotency_in_progress')],
    ['a meeting in other hands', () => refused(409, 'meeting_busy')],
    ['a limit of the minute', () => refused(429, 'rate_limited', {}, false)],
  ])('%s, under the same Idempotency-Key', async (_name, step) => {
    const { tandem, sent } = clientOf([step(), step(), ok({ meeting_id: 'meet_1' })]);
    expect(await end(tandem.scheduleMeeting(BOOKING))).toEqual({ meeting_id: 'meet_1' });
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  });

  test('no more often than asked, and the last failure is what is thrown', async () => {
    const { tandem, sent } = clientOf([lost(), lost(), refused(500, 'calendar_unavailable')], { retries: 2 });
    expect(await end(tandem.getMeeting('meet_1'))).toMatchObject({ status: 500, code: 'calendar_unavailable' });
    expect(sent).toHaveLength(3);
  });

  test('after growing pauses', async () => {
    const { tandem, sent } = clientOf([lost(), lost(), lost(), ok()]);
    await end(tandem.getMeeting('meet_1'));
    const pauses = sent.slice(1).map(({ at }, n) => at - (sent[n]?.at ?? 0));
    expect(pauses.map((pause, n) => pause >= 250 * 2 ** n && pause <= 500 * 2 ** n)).toEqual([true, true, true]);
  });

  test('after Retry-After, where it says so', async () => {
    const { tandem, sent } = clientOf([refused(429, 'rate_limited', { 'retry-after': '9' }, false), ok()]);
    await end(tandem.getMeeting('meet_1'));
    expect(sent[1]?.at).toBe(9_000);
  });

  test.each([
    [11, undefined],
    [61, 60],
    [1, 0],
  ])('but not after a Retry-After of %i s where %s s are allowed', async (seconds, maxRetryAfterSeconds) => {
    const step = refused(429, 'rate_limited', { 'retry-after': String(seconds) }, false);
    const { tandem, sent } = clientOf([step], { maxRetryAfterSeconds });
    expect(await end(tandem.getMeeting('meet_1'))).toMatchObject({ status: 429, retryAfterSeconds: seconds });
    expect(sent).toHaveLength(1);
  });
});

describe('what would be no use, or do twice what was asked once, is not', () => {
  test.each([
    [400, 'invalid_attendees'],
    [401, 'unauthorized'],
    [404, 'meeting_not_found'],
    [409, 'slot_unavailable'],
    [422, 'idempotency_key_reused'],
    [429, 'quota_exceeded'],
    [409, 'calendar_refused'],
  ])('%i %s', async (status, code) => {
    const { tandem, sent } = clientOf([refused(status, code)]);
    expect(await end(tandem.scheduleMeeting(BOOKING))).toMatchObject({ status, code });
    expect(sent).toHaveLength(1);
  });

  test.each<[string, (tandem: ReturnType<typeof createTandem>) => Promise<unknown>]>([
    ['a new key', (tandem) => tandem.regeneratePlatformKey()],
    ['a new secret', (tandem) => tandem.rotateWebhookSecret()],
    ['a new URL, which makes a secret', (tandem) => tandem.configureWebhook({ url: 'https://a.test/' })],
    ['a new URL among the settings', (tandem) => tandem.updateSettings({ webhook_url: 'https://a.test/' })],
    ['a test event', (tandem) => tandem.testWebhook()],
    ['a replay', (tandem) => tandem.replayDelivery('wh_del_1')],
    ['an end of a connection', (tandem) => tandem.disconnectCalendar('a@x.test')],
    ['an end of a person', (tandem) => tandem.deleteUser()],
  ])('%s without an answer', async (_name, ask) => {
    const { tandem, sent } = clientOf([lost()]);
    expect(await end(ask(tandem))).toBeInstanceOf(TandemConnectionError);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.headers.has('idempotency-key')).toBe(false);
  });
});

test.each([
  ['order-7', 'order-7'],
  ['order 7, item 2', '"order 7, item 2"'],
])('the key %s is sent as %s', async (idempotencyKey, header) => {
  const { tandem, sent } = clientOf([ok()]);
  await tandem.cancelMeeting('meet_1', { idempotencyKey });
  expect(sent[0]?.headers.get('idempotency-key')).toBe(header);
});

describe('a refusal', () => {
  test('nested, with all it says', async () => {
    const body = {
      code: 'slot_unavailable',
      message: 'It is taken.',
      field: 'start_time',
      alternatives: [],
      docs: 'https://d',
      request_id: 'req_1',
    };
    const { tandem } = clientOf([Response.json({ error: body }, { status: 409 })]);
    const error = await end(tandem.scheduleMeeting(BOOKING));
    expect(error).toBeInstanceOf(TandemError);
    expect(error).toMatchObject({
      name: 'TandemError',
      message: 'It is taken.',
      status: 409,
      code: 'slot_unavailable',
      facts: { field: 'start_time', alternatives: [], docs: 'https://d', request_id: 'req_1' },
      request_id: 'req_1',
    });
  });

  test('flat, with its limit', async () => {
    const body = {
      error: 'Monthly meeting limit reached',
      code: 'quota_exceeded',
      message: 'Used up.',
      limit: 5,
      used: 5,
    };
    const { tandem } = clientOf([Response.json(body, { status: 429, headers: { 'retry-after': '90' } })]);
    expect(await end(tandem.scheduleMeeting(BOOKING))).toMatchObject({
      message: 'Used up.',
      code: 'quota_exceeded',
      facts: { limit: 5, used: 5 },
      retryAfterSeconds: 90,
    });
  });

  test.each(['null', '[]', '"no"', '{"error":null}', '', '<html>'])('that is none of ours: %s', async (text) => {
    const headers = { 'x-request-id': 'req_7' };
    const { tandem } = clientOf([new Response(text, { status: 404, headers })]);
    expect(await end(tandem.getMeeting('meet_1'))).toMatchObject({
      code: 'unknown',
      status: 404,
      message: expect.stringMatching(
        /^The server answered with status 404 and no (?:JSON|error message)\. Check that `baseUrl` is the address of the Tandem API\.$/,
      ),
      request_id: 'req_7',
    });
  });

  test('a page with the status of a success is one, at once', async () => {
    const { tandem, sent } = clientOf([new Response('<!doctype html>Sign in to the guest network', { status: 200 })]);
    const error = await end(tandem.getMeeting('meet_1'));
    expect(error).toBeInstanceOf(TandemError);
    expect(error).toMatchObject({ status: 200, code: 'unknown' });
    expect(sent).toHaveLength(1);
  });
});

describe('patience', () => {
  test('a caller who gives up is not kept, neither in a call nor in a pause', async () => {
    const stop = new AbortController();
    const hanging = clientOf([]);
    const pausing = clientOf([refused(429, 'rate_limited', { 'retry-after': '30' }, false)], {
      maxRetryAfterSeconds: 30,
    });
    const both = [hanging, pausing].map(({ tandem }) =>
      tandem.getMeeting('meet_1', { signal: stop.signal }).catch((error: unknown) => error),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    stop.abort(new Error('enough'));
    expect(await Promise.all(both)).toEqual([new Error('enough'), new Error('enough')]);
    expect([hanging, pausing].map(({ sent }) => sent.length)).toEqual([1, 1]);
  });

  test('a job is asked for until it has ended', async () => {
    const processing = () => ok({ job_id: 'job_1', status: 'processing', result: null });
    const { tandem, sent } = clientOf([processing(), processing(), ok({ job_id: 'job_1', status: 'failed' })]);
    expect(await end(tandem.waitForJob('job_1'))).toEqual({ job_id: 'job_1', status: 'failed' });
    expect(sent.map(({ at }) => at)).toEqual([0, 1_000, 3_000]);
  });

  test('but not for ever', async () => {
    const { tandem } = clientOf(Array.from({ length: 9 }, () => ok({ status: 'processing' })));
    expect(await end(tandem.waitForJob('job_1', { timeoutSeconds: 10 }))).toMatchObject({
      name: 'JobTimeoutError',
      jobId: 'job_1',
      message:
        'Job job_1 is still processing after 10 seconds. Call getJob later, or wait for the webhook event of the job.',
    });
  });
});

test.each([
  [{ apiKey: 'sk_live_x' }, 'createTandem needs the address of the Tandem service. Pass it as `baseUrl`'],
  [{ apiKey: 'sk_live_x', baseUrl: 'api.test' }, 'Pass it as `baseUrl`, for example https://api.example.com.'],
  [{ baseUrl: 'https://api.test' }, 'createTandem needs an API key. Pass it as `apiKey`.'],
  [{ apiKey: 'sk_live_x', baseUrl: 'localhost:8787' }, 'Pass it as `baseUrl`'],
  [{ apiKey: 'sk_live_x', baseUrl: 'https://api.test/v1' }, 'Pass it as `baseUrl`'],
  [{ apiKey: 'sk_live_x\n', baseUrl: 'https://api.test' }, '`apiKey` has a character that is in no API key'],
  [{ apiKey: 'sk_live_…', baseUrl: 'https://api.test' }, '`apiKey` has a character that is in no API key'],
  [{ apiKey: '"sk_live_x"', baseUrl: 'https://api.test' }, '`apiKey` has a character that is in no API key'],
  [{ apiKey: 'k', baseUrl: 'https://api.test', timeoutSeconds: Number.NaN }, '`timeoutSeconds` must be a number'],
  [{ apiKey: 'k', baseUrl: 'https://api.test', timeoutSeconds: '30' }, '`timeoutSeconds` must be a number'],
  [{ apiKey: 'k', baseUrl: 'https://api.test', retries: -1 }, '`retries` must be a whole number'],
  [{ apiKey: 'k', baseUrl: 'https://api.test', maxRetryAfterSeconds: Number.NaN }, '`maxRetryAfterSeconds` must be'],
  [{ apiKey: 'k', baseUrl: 'https://api.test', fetch: {} }, '`fetch` must be a function'],
])('a client made with %j says at once what is wrong, without the key', (options, message) => {
  const made = () => createTandem(options as never);
  expect(made).toThrow(TypeError);
  expect(made).toThrow(message);
  expect(made).not.toThrow('sk_live_');
});

describe('a call that no request could be made of is a TypeError, and sends nothing', () => {
  test.each<[string, (tandem: ReturnType<typeof createTandem>) => Promise<unknown>]>([
    ['without an ID', (tandem) => tandem.getMeeting(undefined as never)],
    ['with an empty ID', (tandem) => tandem.cancelMeeting('')],
    ['with dots for an ID, which a URL would resolve', (tandem) => tandem.cancelMeeting('..')],
    ['with a dot for an address', (tandem) => tandem.listUserMeetings('.')],
    ['with dots before the end of its path', (tandem) => tandem.replayDelivery('..')],
    ['without an address', (tandem) => tandem.getUserAvailability(null as never, {})],
    ['with an object for an address', (tandem) => tandem.getPlatformUserStatus({} as never)],
    ['with an object for an ID', (tandem) => tandem.getJob({} as never)],
    ['with a line break in its key', (tandem) => tandem.cancelMeeting('meet_1', { idempotencyKey: 'a\nb' })],
    ['with a blank after its key', (tandem) => tandem.cancelMeeting('meet_1', { idempotencyKey: 'a ' })],
    ['with a body that is no JSON', (tandem) => tandem.scheduleMeeting({ duration_minutes: 1n } as never)],
    ['with a time limit that is no number', (tandem) => tandem.waitForJob('job_1', { timeoutSeconds: Number.NaN })],
  ])('%s', async (_name, ask) => {
    const { tandem, sent } = clientOf([lost()]);
    expect(await end(ask(tandem))).toBeInstanceOf(TypeError);
    expect(sent).toHaveLength(0);
  });
});

test('without AbortSignal.any, a request ends by its time limit and by its caller', async () => {
  const { any } = AbortSignal;
  Reflect.deleteProperty(AbortSignal, 'any');
  try {
    const { tandem } = clientOf([], { retries: 0, timeoutSeconds: 5 });
    expect(await end(tandem.getMeeting('meet_1'))).toMatchObject({ cause: { name: 'TimeoutError' } });
    const stop = new AbortController();
    const asked = clientOf([]).tandem.getMeeting('meet_1', { signal: stop.signal });
    stop.abort(new Error('enough'));
    expect(await end(asked)).toEqual(new Error('enough'));
  } finally {
    AbortSignal.any = any;
  }
});

/** Operations without a client method, because browsers open them or tools read them. */
const NO_METHOD = ['authorizeCalendar', 'getOpenapi'];
const NO_OPERATION = ['waitForJob', 'waitForBatch', 'listBatchMeetings'];

const OPERATIONS = GROUPS.flatMap(({ operations }) => operations).filter(({ id }) => !NO_METHOD.includes(id));

test('every operation is a method of its name, and no other method is there', () => {
  const methods = Object.keys(createTandem({ apiKey: 'k', baseUrl: 'https://api.test' }));
  const named = OPERATIONS.map(({ id }) => id);
  expect(methods.toSorted()).toEqual([...named, ...NO_OPERATION].toSorted());
});

test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  '%s asks for its path, with a key where the operation takes one',
  async (id, { method, path, takesIdempotencyKey = false }) => {
    const sent: [string | undefined, string, boolean][] = [];
    const send: typeof fetch = async (url, init) => {
      const { pathname } = new URL(String(url));
      sent.push([init?.method, pathname, new Headers(init?.headers).has('idempotency-key')]);
      return Response.json({});
    };
    const tandem = createTandem({ apiKey: 'k', baseUrl: 'https://api.test', fetch: send });
    // Every method takes the path's parameters first.
    const ask = tandem[id as keyof typeof tandem] as (...args: unknown[]) => Promise<unknown>;
    await ask(...(path.includes('{') || id === 'getPlatformUserStatus' ? ['x1'] : []));
    expect(sent).toEqual([[method.toUpperCase(), path.replace(/\{\w+\}/, 'x1'), takesIdempotencyKey]]);
  },
);
