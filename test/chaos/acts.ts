import { randomUUID } from 'node:crypto';
import type { TestPlatform } from '../support/people/factories.ts';
import { newKey } from '../support/people/operations.ts';
import { world } from '../support/worlds/world.ts';
import { at, HALF_HOUR, iso, keyed, knownMeeting, pairOf, type Random, type Scene, want } from './asking.ts';
import type { BatchWanted, Wanted } from './coverage.ts';
import { PROPOSAL_ACTIONS } from './proposal-acts.ts';
import type { Ask, BatchPair } from './trace.ts';

type Action = (scene: Scene, random: Random) => Promise<void>;
const [FEWEST, MOST] = [3, 8];
const DAY = 86_400_000;
const LENGTHS = [15, 30, 60];
const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

function somePairs(scene: Scene, random: Random): BatchPair[] {
  return Array.from({ length: FEWEST + random.below(MOST - FEWEST + 1) }, (_, n) => {
    const [requester, other] = pairOf(scene, random);
    const isStrange = random.below(8) === 0;
    const attendees: [string, string] = [requester, isStrange ? random.pick(scene.guests).email : other];
    return { reference: `pair ${n}`, title: `Meeting ${randomUUID()}`, attendees };
  });
}

/** Returns limits and dates of a round. The dates are often few, so that its pairs compete with other meetings. */
function someOptions(scene: Scene, random: Random) {
  const range = { start_date: dateOf(scene.day), end_date: dateOf(scene.day + random.below(3) * DAY) };
  return {
    ...(random.below(2) === 0 ? { date_range: range } : {}),
    ...(random.below(4) === 0 ? { max_per_person: 1 + random.below(3) } : {}),
    ...(random.below(4) === 0 ? { max_per_day: 1 + random.below(2) } : {}),
  };
}

/** Returns a batch of the last ones that a client was told the id of. */
function knownBatch({ recorder, platforms }: Scene, random: Random, isWanted: (ask: Ask) => boolean) {
  const known = recorder.trace.asks.filter(isWanted).flatMap(({ answers, platform: id }) => {
    const platform = platforms.find((one) => one.id === id);
    return platform === undefined ? [] : batchIdsIn(answers).map((batchId) => ({ platform, batchId }));
  });
  return known.length === 0 ? undefined : random.pick(known.slice(-3));
}

const batchIdsIn = (answers: Ask['answers']) =>
  answers.flatMap(({ status, text }) => (status === 202 ? [String(JSON.parse(text).batch_id)] : []));

/** Lets a client commit a dry run. Such a request can be repeated without a key of its own. */
export const commitBatch = (scene: Scene, platform: Scene['platforms'][number], batchId: string) =>
  want(scene, { operation: 'batchcommit', platform, key: newKey(), batchId }, (headers) =>
    platform.api.send('POST', `/v1/batches/${batchId}/commit`, undefined, { headers }),
  );

const BATCH_ACTIONS: Record<BatchWanted, Action> = {
  async batch(scene, random) {
    const platform = random.pick(scene.platforms);
    const pairs = somePairs(scene, random);
    const isDryRun = random.below(3) === 0;
    const body = {
      meetings: pairs.map(({ title, reference, attendees }) => ({
        ...{ reference, attendees, title, metadata: { pair: title } },
        ...{ duration_minutes: random.pick(LENGTHS), priority: random.below(3) },
      })),
      ...someOptions(scene, random),
      ...(isDryRun ? { dry_run: true } : {}),
    };
    const asked = { operation: 'batch', platform, key: keyed(random), pairs, isDryRun } as const;
    await want(scene, asked, (headers) => platform.api.send('POST', '/v1/schedule/batch', body, { headers }));
  },
  async batchcommit(scene, random) {
    await world.qstash.deliverDue();
    const known = knownBatch(scene, random, ({ isDryRun }) => isDryRun === true);
    if (known !== undefined) await commitBatch(scene, known.platform, known.batchId);
  },
  async batchstop(scene, random) {
    const known = knownBatch(scene, random, ({ operation }) => operation === 'batch');
    if (known === undefined) return;
    const { platform, batchId } = known;
    await want(scene, { operation: 'batchstop', platform, key: newKey(), batchId }, (headers) =>
      platform.api.send('DELETE', `/v1/batches/${batchId}`, undefined, { headers }),
    );
  },
};

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
