import { randomUUID } from 'node:crypto';
import type { TestPlatform } from '../support/people/factories.ts';
import { world } from '../support/worlds/world.ts';
import { at, HALF_HOUR, iso, keyed, knownMeeting, pairOf, type Random, type Scene, want } from './asking.ts';
import { BATCH_ACTIONS } from './batch-acts.ts';
import type { Wanted } from './coverage.ts';
import { PROPOSAL_ACTIONS } from './proposal-acts.ts';

const REASONS = ['Too early for me', 'Something came up', 'Not on a Monday please', 'Could we do it a day later?'];
const TEXTS = ['I like mornings', 'never on Fridays', 'no lunch meetings, afternoons are fine'];
const CONTEXTS = [{}, { context: 'urgent' }, { context: 'investor_call' }, { context: 'casual_chat' }];

const book = (isExclusive: boolean) => async (scene: Scene, random: Random) => {
  const platform = random.pick(scene.platforms);
  const attendees = pairOf(scene, random);
  const start = at(scene, random);
  const title = `Meeting ${randomUUID()}`;
  const body = { attendees, start_time: iso(start), duration_minutes: 30, title, require_free: isExclusive };
  const operation = isExclusive ? 'bookfree' : 'book';
  await want(
    scene,
    { operation, platform, key: keyed(random), title, attendees, start, end: start + HALF_HOUR },
    (headers) => platform.api.send('POST', '/v1/schedule', body, { headers }),
  );
};

/** Actions of clients and of the product itself, keyed by operation. */
const ACTIONS: Record<Wanted, (scene: Scene, random: Random) => Promise<void>> = {
  ...PROPOSAL_ACTIONS,
  ...BATCH_ACTIONS,
  book: book(false),
  bookfree: book(true),
  async auto(scene: Scene, random: Random) {
    const platform = random.pick(scene.platforms);
    const attendees = pairOf(scene, random);
    const title = `Meeting ${randomUUID()}`;
    const body = { attendees, title, auto: true, ...random.pick(CONTEXTS) };
    await want(scene, { operation: 'auto', platform, key: keyed(random), title, attendees }, (headers) =>
      platform.api.send('POST', '/v1/schedule/auto', body, { headers }),
    );
  },
  async update(scene: Scene, random: Random) {
    const known = knownMeeting(scene, random);
    if (known === undefined) return;
    const start = at(scene, random);
    const end = start + (1 + random.below(2)) * HALF_HOUR;
    const stranger = random.pick(scene.people).email;
    const isNew = random.below(4) === 0 && !known.attendees.includes(stranger);
    const attendees: [string, string] | undefined = isNew ? [known.attendees[0], stranger] : undefined;
    const body = { start_time: iso(start), end_time: iso(end), ...(attendees === undefined ? {} : { attendees }) };
    const { platform, id } = known;
    await want(
      scene,
      { operation: 'update', platform, key: keyed(random), meetingId: id, start, end, ...(attendees && { attendees }) },
      (headers) => platform.api.send('PUT', `/v1/meetings/${id}`, body, { headers }),
    );
  },
  async cancel(scene: Scene, random: Random) {
    const known = knownMeeting(scene, random);
    if (known === undefined) return;
    const { platform, id } = known;
    await want(scene, { operation: 'cancel', platform, key: keyed(random), meetingId: id }, (headers) =>
      platform.api.send('DELETE', `/v1/meetings/${id}`, undefined, { headers }),
    );
  },
  reschedule: (scene: Scene, random: Random) => rescheduleOne(scene, random, knownMeeting(scene, random)),
  async search(scene: Scene, random: Random) {
    const headers = { 'X-Request-Id': `search-${randomUUID()}` };
    await random.pick(scene.platforms).api.availability({ attendees: pairOf(scene, random) }, { headers });
  },
  async learn(scene: Scene, random: Random) {
    await fetch(`${world.baseUrl}/v1/user/preferences`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${scene.userKey}`,
        'content-type': 'application/json',
        'x-request-id': `learn-${randomUUID()}`,
      },
      // Text that is already stored is not read again.
      body: JSON.stringify({ scheduling_context: `${random.pick(TEXTS)} ${randomUUID()}` }),
    });
  },
  sweep: () => world.worker.runScheduled(world.clock.now()),
  deliver: async () => void (await world.qstash.deliverDue()),
  async connect(scene: Scene, random: Random) {
    const gone = [...scene.away].flatMap(([email, from]) => [...from].map((platform) => ({ email, platform })));
    const chosen = gone.length > 0 ? random.pick(gone) : undefined;
    const email = chosen?.email ?? random.pick(scene.people).email;
    await comeBack(scene, email, chosen?.platform ?? random.pick(scene.platforms));
  },
  async disconnect(scene: Scene, random: Random) {
    const [platform, { email }] = [random.pick(scene.platforms), random.pick(scene.people)];
    for (const one of scene.platforms) leave(scene, email, one);
    const headers = { 'X-Request-Id': `disconnect-${randomUUID()}` };
    const since = world.clock.now();
    const path = `/v1/calendars/${encodeURIComponent(email)}`;
    await platform.api.send('DELETE', path, undefined, { headers }).catch(() => undefined);
    scene.recorder.note({ kind: 'disconnecting', email, platform: platform.id }, since);
  },
};

async function rescheduleOne(scene: Scene, random: Random, known: ReturnType<typeof knownMeeting>): Promise<void> {
  if (known === undefined) return;
  const { platform, id, attendees } = known;
  const body = { meeting_id: id, requested_by: random.pick(attendees), reason: random.pick(REASONS) };
  await want(scene, { operation: 'reschedule', platform, key: keyed(random), meetingId: id, attendees }, (headers) =>
    platform.api.send('POST', `/v1/meetings/${id}/reschedule`, body, { headers }),
  );
}

/**
 * Reschedules a live meeting of connected people, as a client that sends one request and gives up until the end. Returns
 * the id of its event, or undefined without such a meeting.
 */
export async function rescheduleImpatiently(scene: Scene, random: Random): Promise<string | undefined> {
  const live = await world.neon.query(
    `select m.id, m.platform_id, m.provider_event_id, array_agg(u.email order by p.position) as attendees
    from meetings m join meeting_people p on p.meeting_id = m.id join users u on u.id = p.user_id
    join connections c on c.user_id = u.id and c.platform_id = m.platform_id and c.disconnected_at is null
    where m.platform_id = any($1::text[]) and m.status in ('scheduled', 'updated') and m.lease_until is null
    group by m.id having count(*) = 2 order by m.created_at`,
    [`{${scene.platforms.map(({ id }) => id).join()}}`],
  );
  if (live.length === 0) return undefined;
  const { id, platform_id, provider_event_id, attendees } = random.pick(live);
  const platform = scene.platforms.find((one) => one.id === platform_id);
  if (platform === undefined) return undefined;
  await rescheduleOne({ ...scene, patience: 1 }, random, {
    id: String(id),
    platform,
    attendees: attendees as [string, string],
  });
  return String(provider_event_id);
}

export const act = (scene: Scene, what: Wanted, random: Random): Promise<void> => ACTIONS[what](scene, random);

export function leave(scene: Scene, email: string, platform: TestPlatform) {
  const from = scene.away.get(email) ?? new Set<TestPlatform>();
  scene.away.set(email, from.add(platform));
}

/** Lets a person consent (again). A person who does not get through stays away. */
export const comeBack = (scene: Scene, email: string, platform: TestPlatform) =>
  consent(scene, email, platform, () => world.connectCalendar(platform, email));

/** Lets a person consent and create a key of their own. */
export const consentWithKey = (scene: Scene, email: string, platform: TestPlatform) =>
  consent(scene, email, platform, () => world.connect(platform, email));

async function consent<T>(scene: Scene, email: string, platform: TestPlatform, journey: () => Promise<T>): Promise<T> {
  const since = world.clock.now();
  const given = { email, platform: platform.id };
  try {
    const end = await journey();
    scene.away.get(email)?.delete(platform);
    scene.recorder.note({ kind: 'connected', ...given }, since);
    return end;
  } catch (error) {
    scene.recorder.note({ kind: 'consenting', ...given }, since);
    throw error;
  }
}
