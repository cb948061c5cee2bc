import { setTimeout as pause } from 'node:timers/promises';
import { rootOf } from '../support/checks/rows.ts';
import { readByTick } from '../support/people/calendars.ts';
import { freshPlatform } from '../support/people/factories.ts';
import { createClient } from '../support/worlds/client.ts';
import { tear } from '../support/worlds/race.ts';
import { world } from '../support/worlds/world.ts';
import { act, commitBatch, leave, rescheduleImpatiently } from './acts.ts';
import type { Random, Scene } from './asking.ts';
import type { Calamity } from './coverage.ts';
import { addBusyCalendar, changeAny, changeOwn, restoreOwn } from './event-acts.ts';
import { acceptTime } from './proposal-acts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [SHORTEST_LOCK_MS, LONGEST_LOCK_MS] = [150, 600];
/** Time after which the leases of changes, deliveries and jobs have expired. */
const BEYOND_LEASES_MS = [62_000, 95_000];
const JUMPS_MS = [61_000, 5 * MINUTE, HOUR, 26 * HOUR];
/** Clock differences. Tandem accepts the queue's signatures up to five seconds early. */
const SKEWS_MS = [-4_000, -1_500, 1_500, 4_000];

/** Moves the clock even if the Worker is just being killed. A new Worker reads the clock when it starts. */
async function jump(ms: number): Promise<void> {
  await world.advance(ms).catch(() => world.worker.ready());
}

async function timesOf({ platforms }: Scene, query: string) {
  const found = await world.neon.query(query, [`{${platforms.map(({ id }) => id).join()}}`]);
  return found.map(({ id, platform_id, time_id, requester_email, other_email, starts_at, ends_at }) => ({
    platform: platforms.find((one) => one.id === platform_id),
    id: String(id),
    timeId: String(time_id),
    people: [String(requester_email), String(other_email)] as [string, string],
    start: Number(starts_at),
    end: Number(ends_at),
  }));
}

const HELD = `select r.id, r.platform_id, r.requester_email, r.other_email, t.id as time_id, t.starts_at, t.ends_at
  from proposals r join proposal_times t on t.proposal_id = r.id and t.status = 'held'
  where r.platform_id = any($1::text[]) and r.status = 'open' order by r.created_at desc, t.starts_at limit 8`;
/** Times that planned dry runs have placed meetings at. */
const PLACED = `select b.id, b.platform_id, i.requester_email, i.other_email, i.starts_at, i.ends_at from batches b
  join batch_meetings i on i.batch_id = b.id and i.state = 'placed'
  where b.platform_id = any($1::text[]) and b.status = 'planned' order by b.created_at, i.position`;

function fill(scene: Scene, email: string, { start, end }: { start: number; end: number }): void {
  world.google.addBusy({ email, start: new Date(start).toISOString(), end: new Date(end).toISOString() });
  scene.recorder.note({ kind: 'filled', email, start, end });
}

const ANSWERS = ['accepted', 'declined', 'declined', 'tentative', 'needsAction'];

function invitationOf(scene: Scene, random: Random, only?: string, people = scene.people) {
  const isGuest = ({ email }: { email: string }) =>
    world.google.events(email).some(({ id, organizer }) => id === only && organizer?.email !== email);
  const { email } = (only === undefined ? undefined : people.find(isGuest)) ?? random.pick(people);
  const invited = world.google
    .events(email)
    .filter(
      ({ id, status, organizer, attendees }) =>
        status !== 'cancelled' &&
        (only === undefined || id === only) &&
        organizer?.email !== email &&
        attendees?.some((one) => one.email === email),
    );
  const eventId = invited.length === 0 ? undefined : (random.pick(invited).id ?? undefined);
  return eventId === undefined ? undefined : { email, eventId };
}

/** Makes one invited person answer at random: any invitation, or that of the given event. Returns false without one. */
function answerOne(scene: Scene, random: Random, only?: string, people = scene.people): boolean {
  const invitation = invitationOf(scene, random, only, people);
  if (invitation === undefined) return false;
  give(scene, invitation, random.pick(ANSWERS));
  return true;
}

function give(scene: Scene, { email, eventId }: { email: string; eventId: string }, response: string): void {
  world.google.patchEvent({ email, eventId, responseStatus: response });
  scene.recorder.note({ kind: 'answered', email, eventId: rootOf(eventId), response });
}

/** Makes one invited person decline and accept again, at once or after the decline was read. */
async function declineAndAccept(scene: Scene, random: Random): Promise<boolean> {
  const invitation = random
    .shuffle(scene.people)
    .flatMap((person) => invitationOf(scene, random, undefined, [person]) ?? [])[0];
  if (invitation === undefined) return false;
  give(scene, invitation, 'declined');
  if (random.below(2) === 0) {
    await world.google.settled();
    await world.worker.runScheduled(world.clock.now()).catch(() => undefined);
    await world.qstash.deliverDue();
  }
  give(scene, invitation, 'accepted');
  return true;
}

/** Functions that each make something happen to the whole world. Each returns false if it found nothing to act on. */
const CALAMITY: Record<Calamity, (scene: Scene, random: Random) => unknown> = {
  'the Worker dies': () => world.worker.kill(),
  async 'the stack dies'() {
    world.qstash.forget();
    await Promise.all([world.worker.kill(), tear(), world.redis.flush()]);
  },
  'connections are torn': async () => void (await tear()),
  async 'rows are held beyond a lease'(scene: Scene, random: Random) {
    const tables = await world.neon.query(
      "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'platform_id' order by 1",
    );
    const table = String(random.pick(tables).table_name);
    const ms = SHORTEST_LOCK_MS + random.below(LONGEST_LOCK_MS - SHORTEST_LOCK_MS);
    const ids = scene.platforms.map(({ id }) => `'${id}'`).join();
    const held = world.neon
      .query(
        `do $$ begin perform 1 from "${table}" where platform_id in (${ids}) for update; perform pg_sleep(${ms / 1_000}); end $$`,
      )
      .catch(() => undefined);
    await pause(ms / 2);
    await jump(random.pick(BEYOND_LEASES_MS));
    await Promise.all([world.worker.runScheduled(world.clock.now()).catch(() => undefined), held]);
  },
  'the clock jumps': (_: Scene, random: Random) => jump(random.pick(JUMPS_MS)),
  async 'clocks differ'(_: Scene, random: Random) {
    world.clock.skew(random.pick(SKEWS_MS));
    await jump(0);
  },
  'a person moves an event': (scene: Scene, random: Random) => changeOwn(scene, random, 'moved'),
  'a person deletes an event': (scene: Scene, random: Random) => changeOwn(scene, random, 'deleted'),
  'a person makes an event all-day': (scene: Scene, random: Random) => changeAny(scene, random, 'allDay'),
  'a person gives an event no length': (scene: Scene, random: Random) => changeAny(scene, random, 'noLength'),
  'a person edits an event': (scene: Scene, random: Random) => changeAny(scene, random, 'edited'),
  'a person takes the guest off or on': (scene: Scene, random: Random) => changeAny(scene, random, 'invited'),
  'a person makes an event a series': (scene: Scene, random: Random) => changeAny(scene, random, 'series'),
  'an event goes to another calendar': (scene: Scene, random: Random) => changeAny(scene, random, 'relocated'),
  'a person restores an event': restoreOwn,
  'a person adds a calendar': addBusyCalendar,
  'a person answers an invitation': (scene: Scene, random: Random) => answerOne(scene, random),
  'a guest answers an invitation': (scene: Scene, random: Random) => answerOne(scene, random, undefined, scene.guests),
  'a person declines and accepts again': declineAndAccept,
  async 'a calendar fills up at an offered time'(scene: Scene, random: Random) {
    const held = await timesOf(scene, HELD);
    if (held.length === 0) return false;
    const time = random.pick(held);
    fill(scene, random.pick(time.people), time);
    return true;
  },
  async 'a held time is accepted'(scene: Scene, random: Random) {
    const held = await timesOf(scene, HELD);
    return held.length > 0 && acceptTime(scene, random.pick(held));
  },
  async 'a held time is accepted after a calendar filled up'(scene: Scene, random: Random) {
    const held = await timesOf(scene, HELD);
    if (held.length === 0) return false;
    const time = random.pick(held);
    fill(scene, time.people[0], time);
    return acceptTime(scene, time);
  },
  async 'a dry run is committed after a calendar filled up'(scene: Scene, random: Random) {
    await world.qstash.deliverDue();
    const placed = await timesOf(scene, PLACED);
    if (placed.length === 0) return false;
    const { platform, id, people, ...time } = random.pick(placed);
    if (platform === undefined) return false;
    fill(scene, random.pick(people), time);
    await commitBatch(scene, platform, id);
    await world.qstash.deliverDue();
    return true;
  },
  async 'people act while a change is unknown'(scene: Scene, random: Random) {
    const isCut = random.below(2) === 0;
    world.faults.add({
      target: 'google',
      match: 'PATCH /calendar/v3',
      mode: isCut ? 'after' : 'kill_after',
      times: isCut ? 2 : 1,
    });
    const impatient = { ...scene, patience: 1 };
    const moving = rescheduleImpatiently(scene, random).catch(() => undefined);
    const [eventId] = await Promise.all([moving, act(impatient, 'update', random).catch(() => undefined)]);
    await world.worker.ready();
    // Nobody asks again and no tick runs before the calendar's pushes were followed, so the change stays unknown.
    if (eventId !== undefined) answerOne(scene, random, eventId);
    answerOne(scene, random);
    if (random.below(3) === 0) changeOwn(scene, random, random.pick(['moved', 'deleted'] as const));
    await world.google.settled();
    await world.qstash.deliverDue();
    if (random.below(2) === 0) await jump(61_000);
  },
  'pushes of answers come twice and in another order': async (scene: Scene, random: Random) => {
    tellPushes('held');
    for (const _one of [1, 2, 3]) answerOne(scene, random);
    await carryPushes();
  },
  'two Workers remember a key that is replaced': replaceRememberedKey,
  async 'an answer is read while a change is unknown'(scene: Scene, random: Random) {
    const move = { target: 'google', match: 'PATCH /calendar/v3', request_id: 'reschedule-' } as const;
    world.faults.add({ ...move, mode: 'kill_after', times: 1 });
    const eventId = await rescheduleImpatiently(scene, random);
    await world.worker.ready();
    // The calendar may be read again by now, and the lease of the change has not expired.
    await jump(15_000);
    if (eventId === undefined || !answerOne(scene, random, eventId)) return false;
    await world.google.settled();
    await readByTick(...scene.people.map(({ email }) => email));
    return true;
  },
  'a key that two Workers remember is replaced while nobody uses it': (scene: Scene, random: Random) =>
    replaceRememberedKey(scene, random, { isUsedMeanwhile: false }),
  'a person takes access away'(scene: Scene, random: Random) {
    const { email } = random.pick(scene.people);
    world.google.revoke(email);
    for (const platform of scene.platforms) leave(scene, email, platform);
    scene.recorder.note({ kind: 'revoked', email });
  },
  'access tokens run out'(scene: Scene) {
    for (const { email } of scene.people) world.google.expireAccessTokens(email);
  },
  'messages come twice': () => world.qstash.setKnobs({ duplicates: 1 }),
  'messages come in another order': () => world.qstash.setKnobs({ reorder: true }),
  'messages are lost': (_: Scene, random: Random) => world.qstash.setKnobs({ loseNext: 1 + random.below(4) }),
  async 'old messages come again'(scene: Scene, random: Random) {
    for (const message of random.shuffle(scene.recorder.messages).slice(0, 4))
      await world.qstash.fetch(message.clone());
  },
  'pushes are lost': () => tellPushes('lost'),
  'pushes come late and twice': async (scene: Scene, random: Random) => {
    if (world.google.settings.pushes === 'held') return carryPushes();
    tellPushes('held');
    changeOwn(scene, random, 'moved');
  },
  'Redis is emptied': () => world.redis.flush(),
};

const tellPushes = (fate: typeof world.google.settings.pushes): void => {
  world.google.settings.pushes = fate;
};

/** Delivers the pushes that were held back, each twice and the last first. */
export async function carryPushes(): Promise<void> {
  tellPushes('sent');
  for (const { headers } of world.google.takePushes().reverse())
    for (const _again of [1, 2])
      await fetch(`${world.baseUrl}/internal/calendar-push`, { method: 'POST', headers }).catch(() => undefined);
}

/** Makes something happen to the whole world. Returns false if it found nothing to act on. */
export async function befall(scene: Scene, what: Calamity, random: Random): Promise<boolean> {
  return (await CALAMITY[what](scene, random)) !== false;
}

const USES = 3;

/**
 * Lets two Workers remember a platform's key, and replaces the key through one of them while both are asked. If nobody
 * uses the key meanwhile, the other Worker still remembers the key afterwards. Every use of both keys is recorded, so the
 * model can say which Worker accepted a key that had ended.
 */
async function replaceRememberedKey(scene: Scene, random: Random, { isUsedMeanwhile = true } = {}): Promise<void> {
  const { recorder } = scene;
  const { secret_key: former } = await freshPlatform({ plan: 'enterprise' });
  const second = await world.startSecond();
  const urls = random.shuffle([world.baseUrl, second.baseUrl]);
  const use = async (url: string, key: string) => {
    const sent = recorder.now();
    const answer = await createClient(url, key)
      .send('GET', '/v1/platform/settings')
      .catch(() => undefined);
    if (answer !== undefined)
      recorder.trace.keyUses.push({
        key,
        worker: urls.indexOf(url),
        status: answer.status,
        sent,
        came: recorder.now(),
      });
  };
  const useAll = (key: string) =>
    Promise.all(Array.from({ length: USES }, () => urls.map((url) => use(url, key))).flat());
  try {
    await useAll(former);
    const end = { key: former, asked: recorder.now(), done: Number.POSITIVE_INFINITY };
    recorder.trace.keyEnds.push(end);
    const [url = ''] = urls;
    const [replaced] = await Promise.all([
      createClient(url, former)
        .send('POST', '/v1/platform/regenerate-key')
        .catch(() => undefined),
      isUsedMeanwhile ? useAll(former) : undefined,
    ]);
    if (replaced?.status !== 200) return;
    // A Worker compares the end of a key with its own clock.
    await world.advance(0);
    end.done = recorder.now();
    await Promise.all([useAll(former), useAll((replaced.body as { api_key: string }).api_key)]);
  } finally {
    await second.close();
  }
}
