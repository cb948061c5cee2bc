import { beforeAll, describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { violations } from '../checks/checker.ts';
import { isFinal } from '../checks/said.ts';
import { takeShare } from '../fuzz/seeded.ts';
import { readByTick, useByTick } from '../people/calendars.ts';
import { connectedPerson, type TestPerson } from '../people/factories.ts';
import { forgetEvent } from '../people/meetings.ts';
import { moveAcceptance, offerInstead, offerMove } from '../people/move-proposals.ts';
import {
  autoBooking,
  booking,
  cancellation,
  madeMeeting,
  newKey,
  previewedCancellation,
  type Request,
  request,
  reschedule,
  type Scene,
  scene,
  update,
} from '../people/operations.ts';
import { countering } from '../people/proposal-pages.ts';
import { acceptance, type Offer, offer, offering, refusal, strangersAddress, subscribe } from '../people/proposing.ts';
import { CRASH_POINTS, type CrashPoint, type Operation } from './crash-points.ts';
import { callsEnded, quiet } from './quiet.ts';
import { expectPeace } from './race.ts';
import { healAfterEach, world } from './world.ts';

const LEASE_MS = 60_000;
const EVENTS = '/calendar/v3/calendars/primary/events';

/**
 * A client's request, and the act during which the Worker dies: sending the request, unless `act` names a later one.
 */
interface Prepared {
  wish: Request;
  act?: () => Promise<unknown>;
}

const PREPARE: Record<Operation, (at: Scene) => Prepared | Promise<Prepared>> = {
  schedule: (at) => ({ wish: booking(at) }),
  'schedule with a key': (at) => ({ wish: booking(at, { key: newKey() }) }),
  'schedule, only if free': (at) => ({ wish: booking(at, { key: newKey(), requireFree: true }) }),
  auto: (at) => ({ wish: autoBooking(at) }),
  'auto with a key': (at) => ({ wish: autoBooking(at, { key: newKey() }) }),
  'run-job': (at) => accepted(autoBooking(at, { key: newKey() })),
  'run-job in vain': (at) => {
    const from = world.clock.now();
    const [start, end] = [from - 3_600_000, from + 40 * 86_400_000].map((ms) => new Date(ms).toISOString());
    world.google.addBusy({ email: at.people[1]?.email ?? '', start: start ?? '', end: end ?? '' });
    return accepted(autoBooking(at, { key: newKey() }));
  },
  'sweep that finishes': (at) => interrupted(booking(at, { key: newKey() }), 'kill_after'),
  'sweep that gives up': (at) => interrupted(booking(at, { key: newKey() }), 'kill'),
  propose: async (at) => ({ wish: await offering(at, newKey()) }),
  accept: async (at) => ({ wish: acceptance(await offer(at)) }),
  'accept with a guest': async (at) => ({ wish: acceptance(await offer(at, forStranger(at))) }),
  decline: async (at) => ({ wish: refusal(await offer(at)) }),
  counter: async (at) => ({ wish: countering(await offer(at)) }),
  'counter to a move': async (at) => ({ wish: countering({ at, proposal: await offerMove(at), title: '' }) }),
  'sweep that offers times after a decline': declined,
  'sweep that books at expiry': async (at) => expiring(await offer(at, { on_expiry: 'book_first' })),
  'sweep that expires': async (at) => expiring(await offer(at)),
  'sweep that finishes an acceptance': async (at) => interrupted(acceptance(await offer(at)), 'kill_after'),
  'sweep that finishes an acceptance with a guest': async (at) =>
    interrupted(acceptance(await offer(at, forStranger(at))), 'kill_after'),
  'sweep that undoes an acceptance with a guest': async (at) =>
    interrupted(acceptance(await offer(at, forStranger(at))), 'kill'),
  'sweep that undoes an acceptance': async (at) => interrupted(acceptance(await offer(at)), 'kill'),
  'reschedule that proposes': async (at) => ({ wish: await offerInstead(at, newKey()) }),
  'accept a move': async (at) => ({ wish: moveAcceptance(at, await offerMove(at)) }),
  'sweep that moves at expiry': async (at) => {
    const proposal = await offerMove(at, { on_expiry: 'book_first' });
    await world.advance(Date.parse(proposal.expires_at) - world.clock.now() + 1_000);
    return { wish: moveAcceptance(at, proposal), act: () => world.worker.runScheduled(world.clock.now()) };
  },
  'sweep that finishes a move': async (at) =>
    interrupted(moveAcceptance(at, await offerMove(at)), 'kill_after', `PATCH ${EVENTS}`),
  'sweep that undoes a move': async (at) =>
    interrupted(moveAcceptance(at, await offerMove(at)), 'kill', `PATCH ${EVENTS}`),
  'cancel a meeting that is to be moved': async (at) => {
    const { moves_meeting_id } = await offerMove(at);
    return { wish: cancellation(at, moves_meeting_id ?? '', { key: newKey() }) };
  },
  cancel: async (at) => ({ wish: cancellation(at, await madeMeeting(at), { key: newKey() }) }),
  'cancel as previewed': async (at) => ({ wish: await previewedCancellation(at, await madeMeeting(at)) }),
  'cancel as previewed, of a moved event': async (at) => {
    const id = await madeMeeting(at);
    const wish = await previewedCancellation(at, id);
    const [row] = await world.neon.query('select provider_event_id as event from meetings where id = $1', [id]);
    const from = at.slot();
    const [start, end] = [from, from + HOUR / 2].map((ms) => new Date(ms).toISOString());
    world.google.patchEvent({ email: at.people[0]?.email ?? '', eventId: String(row?.event), start, end });
    return { wish };
  },
  update: async (at) => ({ wish: update(at, await madeMeeting(at), { key: newKey() }) }),
  'update of an event that may have changed': async (at) => {
    const id = await madeMeeting(at);
    await forgetEvent({ id });
    return { wish: update(at, id, { key: newKey() }) };
  },
  'update to another person': async (at) => {
    const attendees = [at.people[0], await connectedPerson(at.platform)] as [TestPerson, TestPerson];
    return { wish: update(at, await madeMeeting(at), { key: newKey(), attendees }) };
  },
  reschedule: async (at) => ({ wish: reschedule(at, await madeMeeting(at), { key: newKey() }) }),
  'sweep that cancels': async (at) =>
    interrupted(cancellation(at, await madeMeeting(at), { key: newKey() }), 'kill_after', `DELETE ${EVENTS}`),
  'sweep that updates': async (at) =>
    interrupted(update(at, await madeMeeting(at), { key: newKey() }), 'kill_after', `PATCH ${EVENTS}`),
  'sweep that undoes an update': async (at) =>
    interrupted(update(at, await madeMeeting(at), { key: newKey() }), 'kill', `PATCH ${EVENTS}`),
  'sweep that reschedules': async (at) =>
    interrupted(reschedule(at, await madeMeeting(at), { key: newKey() }), 'kill_after', `PATCH ${EVENTS}`),
  'sweep that undoes a reschedule': async (at) =>
    interrupted(reschedule(at, await madeMeeting(at), { key: newKey() }), 'kill', `PATCH ${EVENTS}`),
  'delayed verification': async (at) => {
    const given = await interrupted(booking(at, { key: newKey() }), 'kill');
    await given.act();
    await world.advance(5 * LEASE_MS + 1_000);
    return given;
  },
};

/** Returns the attendees of an offer for somebody who is not connected. */
const forStranger = ({ people: [requester] }: Scene) => ({ attendees: [requester?.email, strangersAddress()] });

/** Has an attendee decline a meeting, of which Tandem reads. The act is the tick that offers other times. */
async function declined(at: Scene): Promise<Prepared> {
  await subscribe(at.platform);
  await at.platform.api.send('PUT', '/v1/platform/settings', { on_decline: 'propose' });
  // New people, because the end of each test deletes the snapshots of the calendars that Tandem follows.
  const [requester, other] = [await connectedPerson(at.platform), await connectedPerson(at.platform)];
  const id = await madeMeeting(at, { people: [requester, other] });
  const [row] = await world.neon.query('select provider_event_id as event from meetings where id = $1', [id]);
  await readByTick(requester.email, other.email);
  // One tick alone finds the decline, without a push: the next one would already answer it.
  world.google.settings.pushes = 'lost';
  world.google.patchEvent({ email: other.email, eventId: String(row?.event), responseStatus: 'declined' });
  await useByTick(requester.email, other.email);
  await world.google.settled();
  return {
    wish: request({ platform: at.platform }, () => at.platform.api.send('GET', `/v1/meetings/${id}`)),
    act: () => world.worker.runScheduled(world.clock.now()),
  };
}

async function accepted(wish: Request): Promise<Prepared> {
  expect((await wish.send())?.status).toBe(202);
  return { wish, act: () => world.qstash.deliverDue() };
}

/** Lets a proposal expire. The act is the tick that ends it. */
async function expiring(offer: Offer): Promise<Prepared> {
  await world.advance(Date.parse(offer.proposal.expires_at) - world.clock.now() + 1_000);
  return { wish: acceptance(offer), act: () => world.worker.runScheduled(world.clock.now()) };
}

/** Sends a request whose Worker dies at the calendar, and lets its lease expire. */
async function interrupted(wish: Request, mode: 'kill' | 'kill_after', match = `POST ${EVENTS}`) {
  await crash({ wish }, { target: 'google', match, mode, times: 1 });
  await world.worker.ready();
  await world.advance(LEASE_MS + 1_000);
  return { wish, act: () => world.worker.runScheduled(world.clock.now()) };
}

const POINTS = takeShare(CRASH_POINTS, process.env.TEST_SHARE ?? '1/1');

/** Declares the tests of an operation: the Worker dies at each crash point in turn, and the result is checked. */
export function crashSuite(all: Operation[]): void {
  healAfterEach();

  const operations = all.filter((one) => POINTS.some(({ operation }) => operation === one));
  describe.each(operations)('when the Worker dies during %s', (operation) => {
    const points = POINTS.filter((point) => point.operation === operation);
    let at: Scene;
    beforeAll(async () => {
      at = await scene();
    });

    test.each(points)('$name: nobody retries, and nothing half done is left', async ({ fault }) => {
      const prepared = await PREPARE[operation](at);
      await crash(prepared, fault);
      await expectPeace({ platforms: [at.platform], wishes: [prepared.wish] });
    });

    // A client sees only the lease of a sweep that died, and the lease is the same at every crash point.
    const isSweep = /^(?:sweep|delayed)/.test(operation);
    const retried = points.filter(({ name }) => !isSweep || name.endsWith('.after-claim'));
    const isKeyed = operation !== 'schedule' && operation !== 'auto';
    if (!isKeyed) return;
    test.each(retried)('$name: a retry with the key ends well, once', async ({ fault }) => {
      const prepared = await PREPARE[operation](at);
      const { wish } = prepared;
      await crash(prepared, fault);
      await world.worker.ready();
      const atOnce = wish.send();
      await world.advance(LEASE_MS + 1_000);
      await atOnce;
      const last = await wish.send();
      expect(last && isFinal(last), last?.text).toBe(true);
      await quiet([at.platform]);
      expect((await wish.send())?.text).toBe(last?.text);
      expect(await violations({ platforms: [at.platform], wishes: [wish] })).toEqual([]);
    });
  });
}

/** Acts while the crash point is armed, and checks that the Worker died there exactly once. */
async function crash({ wish, act }: Prepared, fault: CrashPoint['fault']): Promise<void> {
  world.faults.add(fault);
  if (act === undefined) expect(await wish.send()).toBeUndefined();
  else await act().catch(() => undefined);
  await callsEnded();
  expect(world.faults.list().map(({ hits }) => hits)).toEqual([1]);
  world.faults.clear();
}
