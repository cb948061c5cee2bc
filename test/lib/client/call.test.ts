import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTandem, TandemConnectionError, TandemError } from '../../../lib/client/tandem.ts';

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

/** Creates a client whose server answers with these steps, in order. */
function clientOf(steps: Step[], options: { retries?: number; timeoutSeconds?: number } = {}) {
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
    {
      status,
      headers,
    },
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
    const { tandem, sent } = clientOf([refused(429, 'rate_limited', { 'retry-after': '17' }, false), ok()]);
    await end(tandem.getMeeting('meet_1'));
    expect(sent[1]?.at).toBe(17_000);
  });

  test('but not after a Retry-After of hours', async () => {
    const { tandem, sent } = clientOf([refused(500, 'calendar_unavailable', { 'retry-after': '7200' })]);
    expect(await end(tandem.getMeeting('meet_1'))).toMatchObject({ retryAfterSeconds: 7200 });
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

test('the key that is given is the one that is sent', async () => {
  const { tandem, sent } = clientOf([ok()]);
  await tandem.cancelMeeting('meet_1', { idempotencyKey: 'order-7' });
  expect(sent[0]?.headers.get('idempotency-key')).toBe('order-7');
});

describe('a refusal', () => {
  test('nested, with all it says', async () => {
    const body = {
      code: 'slot_unavailable',
      message: 'It is taken.',
      field: 'start_time',
      alternatives: [],
      docs: 'https://d',
    };
    const { tandem } = clientOf([Response.json({ error: body }, { status: 409 })]);
    const error = await end(tandem.scheduleMeeting(BOOKING));
    expect(error).toBeInstanceOf(TandemError);
    expect(error).toMatchObject({
      name: 'TandemError',
      message: 'It is taken.',
      status: 409,
      code: 'slot_unavailable',
      facts: { field: 'start_time', alternatives: [], docs: 'https://d' },
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

  test.each(['', 'null', '[]', '"no"', '<html>', '{"error":null}'])('that is none of ours: %s', async (text) => {
    const { tandem } = clientOf([new Response(text, { status: 404 })]);
    expect(await end(tandem.getMeeting('meet_1'))).toMatchObject({
      code: 'unknown',
      status: 404,
      message:
        'The server answered with status 404 and no error message. Check that the base URL is the address of the Tandem API.',
    });
  });
});

describe('patience', () => {
  test('a caller who gives up is not kept, neither in a call nor in a pause', async () => {
    const stop = new AbortController();
    const hanging = clientOf([]);
    const pausing = clientOf([refused(429, 'rate_limited', { 'retry-after': '30' }, false)]);
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
])('a client made with %j says what is missing', (options, message) => {
  expect(() => createTandem(options as never)).toThrow(message);
});
