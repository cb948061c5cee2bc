import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../../schema/api/http-errors.ts';
import { accepted, acceptedBatch, batchIs, ended, mentoring, pair } from '../../support/people/batches.ts';
import { after, bodyFor, book, cancel, later, post, put } from '../../support/people/changing.ts';
import { freshPerson, freshPlatform, type TestPlatform } from '../../support/people/factories.ts';
import { bookable, booked, iso, PATCH_EVENT, pass } from '../../support/people/meetings.ts';
import { accept, passUntil, propose, proposed, proposing, withdraw } from '../../support/people/proposing.ts';
import { drain, emitMany, emitOne, hookOf } from '../../support/people/webhooks.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
import { REDIS_STATES } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

/** A request that is refused, and a function that removes the cause. */
interface Refused {
  platform: TestPlatform;
  ask: () => Promise<Answer>;
  /** The refused request, if it differs from the first request sent. */
  first?: () => Promise<Answer>;
  mend?: () => unknown;
}

type Conflict = { [Code in ErrorCode]: (typeof ERRORS)[Code]['status'] extends 409 ? Code : never }[ErrorCode];

/** Every 409 as schema/DECISIONS.md has it. `becomes` is `kept`, or the status of the same request once its cause is gone. */
const CONFLICTS: Record<Conflict, { becomes: 'kept' | number; arrange: (key: string) => Promise<Refused> }> = {
  slot_unavailable: {
    becomes: 'kept',
    async arrange(key) {
      const { platform, bob, body, start } = await bookable();
      const [eventId = ''] = world.google.addBusy([
        { email: bob.email, start: body.start_time, end: iso(start.getTime() + HOUR) },
      ]);
      return {
        platform,
        ask: () => platform.api.schedule({ ...body, require_free: true }, keyed(key)),
        mend: () => world.google.patchEvent({ email: bob.email, eventId, deleted: true }),
      };
    },
  },
  no_availability: {
    becomes: 'kept',
    async arrange(key) {
      const meeting = await book();
      const { platform, ada, end } = meeting;
      const [eventId = ''] = world.google.addBusy([{ email: ada.email, start: iso(end), end: iso(end + 2 * HOUR) }]);
      return {
        platform,
        ask: () => post(meeting, after(meeting), key),
        mend: () => world.google.patchEvent({ email: ada.email, eventId, deleted: true }),
      };
    },
  },
  reason_unclear: {
    becomes: 'kept',
    async arrange(key) {
      const meeting = await book();
      const unclear = { ...after(meeting), reason: 'the Friday after next', when_unclear: 'refuse' };
      return { platform: meeting.platform, ask: () => post(meeting, unclear, key) };
    },
  },
  unknown_time_zone: {
    becomes: 200,
    async arrange(key) {
      const { platform, body, setZone } = await withoutZone();
      return { platform, ask: () => platform.api.schedule({ ...body, require_free: true }, keyed(key)), mend: setZone };
    },
  },
  calendar_refused: {
    becomes: 200,
    async arrange(key) {
      const { platform, body } = await bookable();
      const match = 'POST /calendar/v3/calendars/primary/events';
      const error = {
        code: 403,
        message: '-',
        errors: [{ domain: 'calendar', reason: 'notACalendarUser', message: '-' }],
      };
      world.faults.add({ target: 'google', match, mode: 'status', status: 403, body: { error } });
      return { platform, ask: () => platform.api.schedule(body, keyed(key)), mend: () => world.faults.clear() };
    },
  },
  job_ended: {
    becomes: 404,
    async arrange(key) {
      const { platform, body } = await pair();
      const id = await accepted(platform, body);
      await ended(platform, id);
      return {
        platform,
        ask: () => platform.api.send('DELETE', `/v1/jobs/${id}`, undefined, keyed(key)),
        mend: () => world.neon.query('delete from jobs where id = $1', [id]),
      };
    },
  },
  batch_ended: {
    becomes: 404,
    async arrange(key) {
      const { platform, body } = await mentoring({ mentees: 1 });
      const id = await acceptedBatch(platform, body);
      await batchIs(platform, id, 'completed');
      return {
        platform,
        ask: () => platform.api.send('DELETE', `/v1/batches/${id}`, undefined, keyed(key)),
        mend: () => world.neon.query('delete from batches where id = $1', [id]),
      };
    },
  },
  batch_not_planned: {
    becomes: 202,
    async arrange(key) {
      const { platform, body } = await mentoring({ mentees: 1 });
      const id = await acceptedBatch(platform, { ...body, dry_run: true });
      return {
        platform,
        ask: () => platform.api.send('POST', `/v1/batches/${id}/commit`, undefined, keyed(key)),
        mend: () => batchIs(platform, id, 'planned'),
      };
    },
  },
  proposal_ended: {
    becomes: 404,
    async arrange(key) {
      const { platform, body } = await proposing();
      const { proposal_id: id, expires_at } = await proposed(platform, { ...body, expires_in_hours: 1 });
      await passUntil(expires_at);
      return {
        platform,
        ask: () => platform.api.send('DELETE', `/v1/proposals/${id}`, undefined, keyed(key)),
        mend: () => world.neon.query('delete from proposals where id = $1', [id]),
      };
    },
  },
  proposal_busy: {
    becomes: 200,
    async arrange(key) {
      const { platform, body } = await proposing();
      const { proposal_id: id, times } = await proposed(platform, body);
      const held = hold({ target: 'google', match: 'POST /calendar/v3/calendars', times: 1 });
      const accepting = accept(platform, id, times[0]?.id);
      await met(held);
      const ask = () => platform.api.send('POST', `/v1/proposals/${id}/accept`, { time_id: times[0]?.id }, keyed(key));
      async function mend() {
        held.release();
        await accepting;
      }
      return { platform, ask, first: () => whileTimePasses(ask()), mend };
    },
  },
  time_unavailable: {
    becomes: 404,
    async arrange(key) {
      const { platform, bob, body } = await proposing();
      const { proposal_id: id, times } = await proposed(platform, body);
      const [time] = times;
      world.google.addBusy({ email: bob.email, start: time?.start_time ?? '', end: time?.end_time ?? '' });
      return {
        platform,
        ask: () => platform.api.send('POST', `/v1/proposals/${id}/accept`, { time_id: time?.id }, keyed(key)),
        mend: () => world.neon.query('delete from proposals where id = $1', [id]),
      };
    },
  },
  too_many_proposals: {
    becomes: 201,
    async arrange(key) {
      const { platform, body } = await proposing();
      const at = (hours: number) => [iso(Date.parse(body.times[0] ?? '') + hours * HOUR)];
      const open = await Promise.all([1, 2, 3, -1, -2].map((n) => proposed(platform, { ...body, times: at(n) })));
      return {
        platform,
        ask: () => propose(platform, { ...body, times: at(0) }, keyed(key).headers),
        mend: () => withdraw(platform, open[0]?.proposal_id ?? ''),
      };
    },
  },
  webhook_disabled: {
    becomes: 202,
    async arrange(key) {
      const platform = await freshPlatform();
      await emitMany(platform, 1);
      const ask = await replaying(platform, key);
      await hookOf(platform).put({ enabled: false });
      return { platform, ask, mend: () => hookOf(platform).put({ enabled: true }) };
    },
  },
  delivery_in_progress: {
    becomes: 202,
    async arrange(key) {
      const platform = await freshPlatform();
      await emitOne(platform);
      return { platform, ask: await replaying(platform, key), mend: () => drain(platform) };
    },
  },
  secret_rotated: {
    becomes: 200,
    async arrange(key) {
      const platform = await freshPlatform();
      const ask = () => platform.api.send('POST', '/v1/platform/webhook/rotate-secret', undefined, keyed(key));
      async function first() {
        const held = hold({ target: 'neon', match: 'POST /', body_match: 'update \\\\"webhook_endpoints', times: 1 });
        const overtaken = ask();
        await met(held);
        await hookOf(platform).rotate();
        held.release();
        return overtaken;
      }
      return { platform, ask, first };
    },
  },
  idempotency_in_progress: {
    becomes: 200,
    async arrange(key) {
      const { platform, body } = await bookable();
      const ask = () => platform.api.schedule(body, keyed(key));
      const held = hold({ target: 'google', match: 'POST /calendar/v3/calendars', times: 1 });
      const running = ask();
      await met(held);
      async function mend() {
        held.release();
        await running;
      }
      return { platform, ask, first: () => whileTimePasses(ask()), mend };
    },
  },
  meeting_busy: {
    becomes: 200,
    async arrange(key) {
      const meeting = await booked();
      const lease = (until: number | null) =>
        world.neon.query('update meetings set lease_until = $2 where id = $1', [
          meeting.id,
          until === null ? null : iso(until),
        ]);
      await lease(world.clock.now() + 45_000);
      return { platform: meeting.platform, ask: () => cancel(meeting, key), mend: () => lease(null) };
    },
  },
};

/** Creates a booking whose second attendee has a calendar in an unknown time zone. */
async function withoutZone() {
  const { platform, ada, body } = await bookable();
  const bob = freshPerson({ timezone: 'Mars/Olympus' });
  const { api_key } = await world.connect(platform, bob.email);
  const headers = { authorization: `Bearer ${api_key}` };
  const setZone = () => platform.api.send('PUT', '/v1/user/preferences', { timezone: 'Europe/Berlin' }, { headers });
  return { platform, ada, body: { ...body, attendees: [ada.email, bob.email] }, setZone };
}

/**
 * Lets the world's clock go on while an answer is out, because no pause ends by itself while a call is held. It goes ten
 * times as fast as the machine's: a faster one would end the lease of the held request before a busy machine has waited.
 */
async function whileTimePasses(answer: Promise<Answer>): Promise<Answer> {
  let isOut = true;
  const answered = answer.finally(() => {
    isOut = false;
  });
  while (isOut) {
    await world.advance(100);
    await pause(10);
  }
  return answered;
}

/** Sends the platform's only delivery again. */
async function replaying(platform: TestPlatform, key: string) {
  const [row] = await world.neon.query('select id from deliveries where platform_id = $1', [platform.id]);
  return () => platform.api.send('POST', `/v1/platform/webhook/logs/${row?.id}/replay`, undefined, keyed(key));
}

const codeOf = ({ body }: Answer) => {
  const { error, code } = body as { error: { code?: string }; code?: string };
  return code ?? error.code;
};

const keptConflicts = ({ id }: TestPlatform) =>
  world.neon.query('select body from idempotency_keys where platform_id = $1 and status = 409', [id]);

describe.each(ERROR_CODES.filter((code) => ERRORS[code].status === 409))('409 %s', (code) => {
  test.each(REDIS_STATES)('is kept or not as the table says, with Redis $name', async ({ before, between }) => {
    const key = randomUUID();
    const { becomes, arrange } = CONFLICTS[code as Conflict];
    const { platform, ask, first = ask, mend } = await arrange(key);
    await before?.();
    const refused = await first();
    expect([refused.status, codeOf(refused), isReplay(refused)]).toEqual([409, code, false]);
    await mend?.();
    await between?.();
    const again = await ask();
    const row = ERRORS[code];
    expect('keeps' in row && row.keeps).toBe(becomes === 'kept');
    if (becomes === 'kept') {
      expect([again.status, again.text, isReplay(again)]).toEqual([409, refused.text, true]);
      expect(await keptConflicts(platform)).toEqual([{ body: refused.text }]);
    } else {
      expect([again.status, again.text]).toEqual([becomes, expect.not.stringContaining(code)]);
      expect(await keptConflicts(platform)).toEqual([]);
    }
  });
});

const UNKNOWN = { agenda: 'x' };
const WARNINGS = ['`agenda` is not a field of this request. Leave it out.'];

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
