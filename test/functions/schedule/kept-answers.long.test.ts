import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cancel } from '../../support/people/cancelling.ts';
import { bookable, booked, PATCH_EVENT, pass } from '../../support/people/meetings.ts';
import { after, book, post } from '../../support/people/rescheduling.ts';
import { bodyFor, later, put } from '../../support/people/updating.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { REDIS_STATES } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

const UNKNOWN = { agenda: 'x' };
const WARNINGS = ['`agenda` is not a field of this request. Leave it out.'];
/** At three in London both people are outside their work hours. */
const OUTSIDE = expect.stringMatching(/is outside \S+'s work hours/);
type Ask = () => Promise<Answer>;

interface Keyed {
  warnings?: string[];
  arrange: (key: string) => Promise<Ask>;
}

/** Operations that take an idempotency key, each sent an unknown field if it has a body. */
const OPERATIONS = {
  schedule: {
    warnings: WARNINGS,
    async arrange(key) {
      const { platform, body } = await bookable();
      return () => platform.api.schedule({ ...body, ...UNKNOWN }, keyed(key));
    },
  },
  'schedule, only if free': {
    warnings: [...WARNINGS, OUTSIDE, OUTSIDE],
    async arrange(key) {
      const { platform, body } = await bookable();
      const outside = { ...body, start_time: `${body.start_time.slice(0, 10)}T03:00:00Z` };
      return () => platform.api.schedule({ ...outside, ...UNKNOWN, require_free: true }, keyed(key));
    },
  },
  auto: {
    warnings: WARNINGS,
    async arrange(key) {
      const { platform, body } = await bookable();
      const wish = { attendees: body.attendees, ...UNKNOWN };
      return () => platform.api.send('POST', '/v1/schedule/auto', wish, keyed(key));
    },
  },
  update: {
    warnings: WARNINGS,
    async arrange(key) {
      const meeting = await booked();
      return () => put(meeting, { ...bodyFor(later(meeting)), ...UNKNOWN }, key);
    },
  },
  reschedule: {
    warnings: WARNINGS,
    async arrange(key) {
      const meeting = await book();
      const wish = { ...after(meeting), ...UNKNOWN };
      return () => post(meeting, wish, key);
    },
  },
  cancel: {
    async arrange(key) {
      const meeting = await booked();
      return () => cancel(meeting, key);
    },
  },
} satisfies Record<string, Keyed>;

const warningsIn = ({ body }: Answer) => (body as { warnings?: string[] }).warnings;

describe.each(Object.entries<Keyed>(OPERATIONS))('the answer to %s', (_name, { warnings, arrange }) => {
  test.each(REDIS_STATES)('is replayed byte for byte, warnings included, with Redis $name', async (redis) => {
    const ask = await arrange(randomUUID());
    await redis.before?.();
    const first = await ask();
    expect([first.status < 300, warningsIn(first), isReplay(first)]).toEqual([true, warnings, false]);
    await redis.between?.();
    const again = await ask();
    expect([again.status, again.text, isReplay(again)]).toEqual([first.status, first.text, true]);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
  });
});

const INSERT_EVENT = { target: 'google', match: 'POST /calendar/v3/calendars' } as const;

test.each([
  ['schedule', INSERT_EVENT],
  ['schedule, only if free', INSERT_EVENT],
  ['update', PATCH_EVENT],
  ['reschedule', PATCH_EVENT],
] as const)(
  '%s: a request that died at the calendar has its whole answer once it was swept',
  async (name, calendar) => {
    const { arrange } = OPERATIONS[name];
    const uncut = await (await arrange(randomUUID()))();
    const key = randomUUID();
    const ask = await arrange(key);
    world.faults.add({ ...calendar, mode: 'kill_after', times: 1 });
    await expect(ask()).rejects.toThrow();
    await world.worker.ready();
    await pass(61);
    const [kept] = await world.neon.query('select status, body from idempotency_keys where key = $1', [key]);
    const first = await ask();
    expect([first.status, isReplay(first), warningsIn(first)]).toEqual([200, true, OPERATIONS[name].warnings]);
    expect(kept).toEqual({ status: 200, body: first.text });
    expect(Object.keys(first.body as object)).toEqual(Object.keys(uncut.body as object));
    for (const { between } of REDIS_STATES) {
      await between?.();
      expect((await ask()).text).toBe(first.text);
      world.faults.clear();
    }
  },
);

test('an automatic scheduling whose Worker died right after it was accepted keeps its warnings', async () => {
  const ask = await OPERATIONS.auto.arrange('auto-died');
  world.faults.add({
    target: 'neon',
    match: 'POST /sql',
    body_match: 'insert into .{1,3}jobs',
    mode: 'kill_after',
    times: 1,
  });
  await expect(ask()).rejects.toThrow();
  await world.worker.ready();
  const retry = await ask();
  expect([retry.status, warningsIn(retry), isReplay(retry)]).toEqual([202, WARNINGS, true]);
});
