import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { createFaults, type Fault } from './faults.ts';
import { startRelayWorld } from './fixtures/relay-world.ts';
import { HOSTS } from './targets.ts';

const INSERT = `https://${HOSTS.googleApis}/calendar/v3/calendars/primary/events`;
const LOST = 'Network connection lost.';

const world = await startRelayWorld();
afterAll(() => world.close());
afterEach(() => {
  world.faults.clear();
  world.worked.length = 0;
});

describe('what the Worker sees', () => {
  test('`status` answers without doing the work', async () => {
    world.faults.add({ target: 'google', mode: 'status', status: 503, body: { error: 'backendError' } });
    expect(await world.relay(INSERT)).toEqual({ status: 503, body: '{"error":"backendError"}' });
    expect(world.worked).toEqual([]);
  });

  test('`reset` is a network failure before the work', async () => {
    world.faults.add({ target: 'google', mode: 'reset' });
    expect(await world.relay(INSERT)).toEqual({ failed: LOST });
    expect(world.worked).toEqual([]);
  });

  test('`after` is a network failure after the work was done', async () => {
    world.faults.add({ target: 'google', mode: 'after' });
    expect(await world.relay(INSERT)).toEqual({ failed: LOST });
    expect(world.worked).toHaveLength(1);
  });

  test('`delay` does the work later', async () => {
    world.faults.add({ target: 'google', mode: 'delay', delay_ms: 5 });
    expect(await world.relay(INSERT)).toMatchObject({ status: 200 });
    expect(world.worked).toHaveLength(1);
  });

  test('`hold` does the work once it is released, and at once from then on', async () => {
    const held = world.faults.add({ target: 'google', mode: 'hold' });
    const call = world.relay(INSERT);
    await vi.waitFor(() => expect(held.hits()).toBe(1));
    expect(world.worked).toEqual([]);
    held.release();
    expect(await call).toMatchObject({ status: 200 });
    expect(await world.relay(INSERT)).toMatchObject({ status: 200 });
    expect(world.worked).toHaveLength(2);
  });

  test('what is held goes on when the faults are cleared', async () => {
    const held = world.faults.add({ target: 'google', mode: 'hold' });
    const call = world.relay(INSERT);
    await vi.waitFor(() => expect(held.hits()).toBe(1));
    world.faults.clear();
    expect(await call).toMatchObject({ status: 200 });
  });

  test('`hang` never answers', async () => {
    world.faults.add({ target: 'google', mode: 'hang' });
    const gone = world.relay(INSERT, { signal: AbortSignal.timeout(300) });
    await expect(gone).rejects.toThrow('aborted due to timeout');
    expect(world.worked).toEqual([]);
  });

  test('`late` never answers, and the work is done once its time has come on the world’s clock', async () => {
    world.faults.add({ target: 'google', mode: 'late', delay_ms: 60_000, times: 1 });
    await expect(world.relay(INSERT, { signal: AbortSignal.timeout(300) })).rejects.toThrow('aborted due to timeout');
    await world.relay(`https://${HOSTS.googleApis}/token`);
    expect(world.worked).toHaveLength(1);
    world.clock.advance(60_000);
    await world.relay(`https://${HOSTS.googleApis}/token`);
    expect(world.worked.map((call) => call.split('/').at(-1))).toEqual(['token', 'events', 'token']);
  });

  test.each<[Fault['mode'], number]>([
    ['kill', 0],
    ['kill_after', 1],
  ])('`%s` ends the Worker, and a new one takes over the port', async (mode, done) => {
    world.faults.add({ target: 'google', mode, times: 1 });
    await expect(world.relay(INSERT)).rejects.toThrow('fetch failed');
    expect(world.worked).toHaveLength(done);
    await world.worker.ready();
    expect(await world.relay(INSERT)).toMatchObject({ status: 200 });
  });
});

describe('which calls meet a fault', () => {
  const call = { target: 'google' as const, method: 'POST', path: '/calendar/v3/freeBusy', bodyText: '{"x":"ann"}' };
  const fault: Fault = { target: 'google', mode: 'reset' };

  test.each<[string, Partial<Fault>, boolean]>([
    ['any call to the target', {}, true],
    ['another target', { target: 'neon' }, false],
    ['method and path prefix', { match: 'POST /calendar/v3' }, true],
    ['a method alone', { match: 'POST' }, true],
    ['another method', { match: 'GET /calendar/v3' }, false],
    ['any method', { match: '* /calendar' }, true],
    ['another path', { match: 'POST /token' }, false],
    ['a body that fits', { body_match: 'an+' }, true],
    ['a body that does not fit', { body_match: 'bob' }, false],
    ['a certain probability', { probability: 1 }, true],
    ['no probability', { probability: 0 }, false],
  ])('%s', (_name, more, meets) => {
    const faults = createFaults(() => 0.5);
    faults.add({ ...fault, ...more });
    expect(faults.take(call) !== undefined).toBe(meets);
  });

  test('a fault with `times` is spent after so many calls, then the next one is met', () => {
    const faults = createFaults();
    faults.add({ ...fault, mode: 'reset', times: 2 });
    faults.add({ ...fault, mode: 'hang' });
    expect([1, 2, 3].map(() => faults.take(call)?.mode)).toEqual(['reset', 'reset', 'hang']);
    expect(faults.list()).toMatchObject([
      { mode: 'reset', hits: 2 },
      { mode: 'hang', hits: 1 },
    ]);
  });
});
