import { setTimeout as pause } from 'node:timers/promises';
import type { seeded } from '../support/seeded.ts';
import { world } from '../support/world.ts';
import { leave, type Scene } from './acts.ts';
import type { Calamity } from './coverage.ts';

type Random = ReturnType<typeof seeded>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [SHORTEST_LOCK_MS, LONGEST_LOCK_MS] = [150, 600];
/** Leases of a change, a delivery and a job are out by then. */
const BEYOND_LEASES_MS = [62_000, 95_000];
const JUMPS_MS = [61_000, 5 * MINUTE, HOUR, 26 * HOUR];
/** The queue's signatures are taken up to five seconds early. */
const SKEWS_MS = [-4_000, -1_500, 1_500, 4_000];

const tear = () =>
  world.neon.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );

/** Moves the clock though the Worker may be dying just then; it reads the clock when it comes up. */
async function jump(ms: number): Promise<void> {
  await world.advance(ms).catch(() => world.worker.ready());
}

/** The events of our meetings on a calendar that the person may change: those they organize. */
const ownEvents = (email: string) =>
  world.google
    .events(email)
    .filter(
      ({ status, organizer, extendedProperties }) =>
        status !== 'cancelled' && organizer?.email === email && extendedProperties?.private?.tandem_meeting_id,
    );

function changeOwn(scene: Scene, random: Random, kind: 'moved' | 'deleted'): boolean {
  const { email } = random.pick(scene.people);
  const events = ownEvents(email);
  if (events.length === 0) return false;
  const id = random.pick(events).id ?? '';
  const start = scene.day + random.below(48) * 30 * MINUTE;
  const end = start + 30 * MINUTE;
  const moved = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
  world.google.patchEvent({ email, eventId: id, ...(kind === 'moved' ? moved : { deleted: true }) });
  scene.recorder.note({ kind, email, eventId: id, ...(kind === 'moved' ? { start, end } : {}) });
  return true;
}

/** What comes over a history beside single calls that fail; false where there was nothing for it to act on. */
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
  'a person answers an invitation'(scene: Scene, random: Random) {
    const { email } = random.pick(scene.people);
    const invited = world.google
      .events(email)
      .filter(({ status, attendees }) => status !== 'cancelled' && attendees?.some((one) => one.email === email));
    const eventId = invited.length === 0 ? undefined : (random.pick(invited).id ?? undefined);
    if (eventId === undefined) return false;
    world.google.patchEvent({ email, eventId, responseStatus: 'accepted' });
    return true;
  },
  'a person takes access away'(scene: Scene, random: Random) {
    const { email } = random.pick(scene.people);
    world.google.revoke(email);
    for (const platform of scene.platforms) leave(scene, email, platform);
    scene.recorder.note({ kind: 'revoked', email });
  },
  'access tokens run out'(scene: Scene) {
    for (const { email } of scene.people) world.google.expireAccessTokens(email);
  },
  'messages come twice': () => world.qstash.setKnobs({ duplicates: 1, deduplicate: false }),
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

/** Brings the pushes that were held back, each twice and the last first. */
export async function carryPushes(): Promise<void> {
  tellPushes('sent');
  for (const { headers } of world.google.takePushes().reverse())
    for (const _again of [1, 2])
      await fetch(`${world.baseUrl}/internal/calendar-push`, { method: 'POST', headers }).catch(() => undefined);
}

/** Lets a calamity come; false when it found nothing to act on. */
export async function befall(scene: Scene, what: Calamity, random: Random): Promise<boolean> {
  return (await CALAMITY[what](scene, random)) !== false;
}
