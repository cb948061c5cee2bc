import { randomUUID } from 'node:crypto';
import { askedTitle, rootOf } from '../support/checks/rows.ts';
import { isSettled } from '../support/checks/said.ts';
import { askByTick } from '../support/people/calendars.ts';
import { freshPerson, freshPlatform, type TestPerson, type TestPlatform } from '../support/people/factories.ts';
import { subscribe } from '../support/people/proposing.ts';
import { callsEnded, quiet } from '../support/worlds/quiet.ts';
import { heal, leaveNothingUndone, world } from '../support/worlds/world.ts';
import { comeBack, consentWithKey } from './acts.ts';
import { calls, insist, type Scene } from './asking.ts';
import { carryPushes } from './calamities.ts';
import { isDecline } from './model/told.ts';
import {
  type FinalEvent,
  homesOf,
  type Shown,
  type ShownBatch,
  type ShownMeeting,
  type ShownProposal,
  startTrace,
  type Trace,
} from './trace.ts';

const PLATFORMS = 2;
const PEOPLE = 4;
const GUESTS = 2;
const DAY = 86_400_000;
const MOST_TRIES = 12;
const WEBHOOK_TIMEOUT_SECONDS = 1;
/** Time after which every call that its sender gave up has taken effect. */
const NOTHING_COMES_AFTER_MS = 5 * 60_000;
/** Time after which Tandem serves no older snapshot of a calendar, whatever pushes were lost. */
const NOTHING_STALE_AFTER_MS = 16 * 60_000;

/**
 * Creates platforms and people, all connected with one another, and guests, in a world where nothing is due. With
 * `doesOffer`, the first platform has other times offered for declined meetings.
 */
export async function openScene({ doesOffer = false } = {}): Promise<Scene> {
  await leaveNothingUndone();
  world.google.settings.pushes = 'sent';
  world.inbox.clear();
  world.traffic.clear();
  const platforms = await Promise.all(Array.from({ length: PLATFORMS }, () => freshPlatform({ plan: 'pro' })));
  const people = Array.from({ length: PEOPLE }, (_, n) => freshPerson({ name: `p${n}` }));
  const day = Math.ceil(world.clock.now() / DAY) * DAY + 4 * DAY;
  const guests = Array.from({ length: GUESTS }, freshGuest);
  const scene: Scene = { platforms, people, guests, day, recorder: startTrace(), away: new Map() };
  scene.recorder.trace.platforms = platforms.map(({ id, webhookUrl }) => ({ id, webhookUrl }));
  await Promise.all(
    platforms.map(({ api }) => api.send('PUT', '/v1/platform/webhook', { timeout_seconds: WEBHOOK_TIMEOUT_SECONDS })),
  );
  await Promise.all(platforms.map(subscribe));
  const [offering, cancelling] = platforms;
  if (doesOffer && offering !== undefined) {
    await offering.api.send('PUT', '/v1/platform/settings', { on_decline: 'propose' });
    scene.recorder.trace.offering = [offering.id];
  }
  if (cancelling !== undefined) {
    await cancelling.api.send('PUT', '/v1/platform/settings', { on_decline: 'cancel' });
    scene.recorder.trace.cancelling = [cancelling.id];
  }
  await Promise.all(
    people.map(async (person, n) => {
      for (const platform of platforms) await comeBack(scene, person.email, platform);
      const [platform] = platforms;
      if (n === 0 && platform !== undefined)
        scene.userKey = (await consentWithKey(scene, person.email, platform)).api_key;
    }),
  );
  await world.qstash.deliverDue();
  return scene;
}

/** Creates somebody with a calendar whose address no platform's people have. */
function freshGuest(): TestPerson {
  const email = `guest.${randomUUID().slice(0, 8)}@guests.test`;
  world.google.addUser({ email, timezone: 'UTC' });
  return { email, timezone: 'UTC' };
}

/** Ends all faults: people who come back return, all due work is done, and every client gets its final answer. */
export async function rest(scene: Scene, { isForgiving }: { isForgiving: boolean }): Promise<void> {
  const { recorder, platforms } = scene;
  heal();
  world.clock.skew(0);
  // A call that met a fault may still kill the Worker once it has taken effect.
  await callsEnded();
  await world.worker.ready();
  await world.advance(0);
  await carryPushes();
  recorder.trace.quietFrom = recorder.now();
  await callsEnded();
  if (isForgiving)
    for (const [email, from] of scene.away) for (const platform of [...from]) await comeBack(scene, email, platform);
  await world.qstash.deliverDue();
  await world.advance(95_000);
  await world.worker.runScheduled(world.clock.now());
  for (const ask of recorder.trace.asks) {
    const call = calls.get(ask);
    if (ask.key === undefined || call === undefined || ask.answers.some(isSettled)) continue;
    await insist(scene, ask, call, MOST_TRIES);
  }
  await quiet(platforms);
  await world.advance(NOTHING_COMES_AFTER_MS);
  // Pushes may have been lost, so every calendar is read once more.
  await askByTick(...scene.people.map(({ email }) => email));
  await callsEnded();
  await quiet(platforms);
  for (const { api } of platforms)
    await again(() =>
      api.send('POST', '/v1/platform/webhook/replay', { since: new Date(0).toISOString(), status: 'failed' }),
    );
  await quiet(platforms);
}

const awayFromSome = ({ away }: Scene) => [...away].filter(([, from]) => from.size > 0).map(([email]) => email);

export async function wholeTrace(scene: Scene): Promise<Trace> {
  const { platforms, people, recorder } = scene;
  const addresses = people.map(({ email }) => email);
  await world.advance(NOTHING_STALE_AFTER_MS);
  const shown = await askForAll(platforms, addresses, recorder.trace);
  const calendars = addresses.flatMap((email) => homesOf(recorder.trace, email));
  return {
    ...recorder.trace,
    shown,
    answers: answersIn(calendars),
    events: eventsIn(calendars),
    closed: awayFromSome(scene),
    endedAt: world.clock.now(),
  };
}

/**
 * Returns the people and calendars that the checks cover. Calendars that Tandem cannot access, or that their owner
 * changed, are left out.
 */
export function scopeOf(scene: Scene) {
  const { platforms, recorder } = scene;
  const { asks, acts } = recorder.trace;
  return {
    platforms,
    wishes: asks.flatMap(({ platform, ...ask }) => {
      const whose = platforms.find(({ id }) => id === platform);
      return whose === undefined ? [] : [{ ...ask, platform: whose }];
    }),
    closed: new Set(awayFromSome(scene)),
    changed: new Set(
      acts.flatMap(({ kind, eventId }) => (kind === 'answered' || kind === 'edited' ? [] : (eventId ?? []))),
    ),
    freed: new Set(
      acts.flatMap(({ eventId, attendee, ...act }) =>
        act.kind === 'uninvited' ? `${eventId} ${attendee}` : isDecline(act) ? `${eventId} ${act.email}` : [],
      ),
    ),
    returned: new Set(
      acts.flatMap(({ kind, email }) => (kind === 'disconnecting' || kind === 'revoked' ? [email] : [])),
    ),
  };
}

type Connection = { user_email: string; status: string };
type Search = Shown['searches'][number];
type Played = Pick<Trace, 'asks' | 'acts'>;

/** Asks the API for the final state: everybody's meetings, the proposals, the accepted jobs and batches, and the people who can be searched. */
export async function askForAll(platforms: TestPlatform[], people: string[], played: Played): Promise<Shown> {
  const all = await Promise.all(platforms.map((platform) => shownTo(platform, people, played)));
  return {
    meetings: all.flatMap(({ meetings }) => meetings),
    proposals: all.flatMap(({ proposals }) => proposals),
    batches: all.flatMap(({ batches }) => batches),
    jobs: all.flatMap(({ jobs }) => jobs),
    connections: all.flatMap(({ connections }) => connections),
    searches: all.flatMap(({ searches }) => searches),
  };
}

/**
 * Sends a request that may be repeated, and once more if it fails. A pooled connection may have died with the Worker that
 * the history killed last, and only a request shows that.
 */
const again = <T>(send: () => Promise<T>): Promise<T> => send().catch(send);

const read = (api: TestPlatform['api'], path: string) => again(() => api.send('GET', path));

async function shownTo({ id: platform, api }: TestPlatform, people: string[], { asks, acts }: Played): Promise<Shown> {
  const lists = await Promise.all(
    people.map(async (email) => {
      const { status, body } = await read(api, `/v1/users/${encodeURIComponent(email)}/meetings?limit=100`);
      return status === 404 ? [] : (body as { meetings: ShownMeeting[] }).meetings;
    }),
  );
  const meetings = new Map(
    lists.flat().map((meeting) => {
      const { meeting_id: id, title } = meeting;
      return [id, { ...meeting, platform, title: askedTitle(title), shown_title: title }];
    }),
  );
  const { proposals } = (await read(api, '/v1/proposals?limit=200')).body as { proposals: ShownProposal[] };
  const accepted = asks.filter((ask) => ask.platform === platform && ask.operation === 'auto');
  const jobs = await Promise.all(
    idsIn(accepted, 'job_id').map(async (id) => {
      const job = (await read(api, `/v1/jobs/${id}`)).body as { status: string; result: unknown };
      return { platform, id, status: job.status, result: job.result };
    }),
  );
  const sent = asks.filter((ask) => ask.platform === platform && ask.operation === 'batch');
  const batches = await Promise.all(
    idsIn(sent, 'batch_id').map(async (id) => {
      const { body } = await read(api, `/v1/batches/${id}?limit=200`);
      return { ...(body as ShownBatch), platform };
    }),
  );
  const { connections } = (await read(api, '/v1/calendars?limit=100')).body as { connections: Connection[] };
  const here = connections.filter(({ status }) => status === 'connected').map(({ user_email }) => user_email);
  const searches = await Promise.all(
    here.slice(1).map(async (other): Promise<Search> => {
      const attendees = [here[0] ?? '', other];
      const { status, text } = await again(() => api.availability({ attendees }));
      return {
        platform,
        attendees,
        status,
        text,
        busy: attendees.flatMap((email) => homesOf({ acts }, email)).flatMap(busyOf),
      };
    }),
  );
  return {
    meetings: [...meetings.values()],
    proposals: proposals.map((proposal) => ({ ...proposal, platform, title: askedTitle(proposal.title) })),
    batches,
    jobs,
    connections: connections.map(({ user_email: email, status }) => ({ platform, email, status })),
    searches,
  };
}

const DAYS = 400 * 86_400_000;

const busyOf = (calendar: string) => {
  const [start, end] = [world.clock.now(), world.clock.now() + DAYS].map((ms) => new Date(ms).toISOString());
  return world.google.busy({ calendar, start: start ?? '', end: end ?? '' });
};

const idsIn = (asks: Trace['asks'], field: string): string[] => {
  const texts = asks.flatMap(({ answers }) => answers.filter(({ status }) => status === 202).map(({ text }) => text));
  return [...new Set(texts.map((text) => String(JSON.parse(text)[field])))];
};

/** Returns our events that people organize, on these calendars of theirs, without those that are cancelled. */
const organized = (calendars: string[]) =>
  calendars.flatMap((calendar) =>
    world.google
      .events(calendar)
      .filter(({ organizer, status }) => organizer?.email === calendar && status !== 'cancelled'),
  );

const answersIn = (calendars: string[]): Trace['answers'] =>
  Object.fromEntries(
    organized(calendars).map(({ id, attendees = [] }) => [
      id,
      Object.fromEntries(attendees.map(({ email, responseStatus }) => [email, responseStatus ?? 'needsAction'])),
    ]),
  );

const eventsIn = (calendars: string[]): FinalEvent[] =>
  organized(calendars).flatMap(({ id, recurrence, recurringEventId, ...event }) =>
    recurrence || recurringEventId
      ? []
      : {
          eventId: rootOf(id ?? ''),
          title: event.summary ?? '',
          location: event.location ?? undefined,
          link: event.hangoutLink ?? null,
          start: timeOf(event.start),
          end: timeOf(event.end),
          guests: (event.attendees ?? []).flatMap(({ email }) => email ?? []),
        },
  );

/** All people of a history live by UTC, so their days begin at its midnight. */
const timeOf = (time: { dateTime?: string | null; date?: string | null } | null | undefined) =>
  Date.parse(time?.dateTime ?? time?.date ?? '');
