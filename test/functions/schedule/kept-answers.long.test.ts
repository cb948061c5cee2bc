import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { ERRORS } from '../../../schema/api/http-errors.ts';
import { codeOf } from '../../support/people/calendars.ts';
import { after, bodyFor, book, cancel, later, post, put } from '../../support/people/changing.ts';
import type { TestPlatform } from '../../support/people/factories.ts';
import { bookable, booked, iso, PATCH_EVENT, pass } from '../../support/people/meetings.ts';
import { propose, proposed, proposing, withdraw } from '../../support/people/proposing.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { REDIS_STATES } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

/** A request that is refused, and a function that removes the cause. */
interface Refused {
  platform: TestPlatform;
  ask: () => Promise<Answer>;
  mend?: () => unknown;
}

/** Conflicts of some operations. `becomes` is `kept`, or the status of the same request once its cause is gone. */
const CONFLICTS: Record<string, { becomes: 'kept' | number; arrange: (key: string) => Promise<Refused> }> = {
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
  reason_unclear: {
    becomes: 'kept',
    async arrange(key) {
      const meeting = await book();
      const unclear = { ...after(meeting), reason: 'the Friday after next', when_unclear: 'refuse' };
      return { platform: meeting.platform, ask: () => post(meeting, unclear, key) };
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
        ask: () =>
          propose(platform, { ...body, attendees: body.attendees.toReversed(), times: at(0) }, keyed(key).headers),
        mend: () => withdraw(platform, open[0]?.proposal_id ?? ''),
      };
    },
  },
};

const keptConflicts = ({ id }: TestPlatform) =>
  world.neon.query('select body from idempotency_keys where platform_id = $1 and status = 409', [id]);

test('of all errors three are kept, which a retry would get again', () => {
  const kept = Object.entries(ERRORS).filter(([, row]) => 'keeps' in row && row.keeps);
  expect(kept.map(([code]) => code)).toEqual(['no_availability', 'slot_unavailable', 'reason_unclear']);
});

describe.each(Object.entries(CONFLICTS))('409 %s', (code, { becomes, arrange }) => {
  test.each(REDIS_STATES)('is kept or not by its code, with Redis $name', async ({ before, between }) => {
    const { platform, ask, mend } = await arrange(randomUUID());
    await before?.();
    const refused = await ask();
    expect([refused.status, codeOf(refused), isReplay(refused)]).toEqual([409, code, false]);
    await mend?.();
    await between?.();
    const again = await ask();
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
