// What the duration of a search tells a platform about people who are not connected with it:
//
//   npm run bench -- strangers [requests]          2,000 alternating requests unless told
//   npm run bench -- strangers [requests] control  the same with the search that reads every person's times first
//
// Each round searches for a stranger with a full calendar, for one with an empty calendar and for nobody, in changing order.
// The differences within a round are printed as their median with a 95 % interval. An interval without 0 ends with 1.
import { parseArgs } from 'node:util';
import { startWorld } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';
import { ms, printTable } from './figures.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const requests = Number(positionals.find((one) => /^\d+$/.test(one)) ?? 2_000);
const isControl = positionals.includes('control');
const KINDS = ['full', 'empty', 'nobody'] as const;
type Kind = (typeof KINDS)[number];
const WARM = 40;
const FULL = { meetings: 400, busy: 4_000 };

const world = await startWorld();
try {
  const [theirs, asking] = [await platform('Theirs'), await platform('Asking')];
  const emails = { full: 'full@people.test', empty: 'empty@people.test', nobody: 'nobody@people.test' };
  const own = 'own@people.test';
  for (const email of [emails.full, emails.empty, own]) world.google.addUser({ email, timezone: 'Europe/Berlin' });
  for (const email of [emails.full, emails.empty]) await world.connectCalendar(theirs, email);
  await world.connectCalendar(asking, own);
  await fill(theirs.id, emails.full);
  if (isControl) readEverybody();

  const { send } = createClient(world.baseUrl, asking.secret_key);
  const taken: Record<Kind, number[]> = { full: [], empty: [], nobody: [] };
  const rounds = Math.ceil(requests / KINDS.length);
  for (let round = -WARM; round < rounds; round += 1)
    for (let turn = 0; turn < KINDS.length; turn += 1) {
      const kind = KINDS[(turn + Math.abs(round)) % KINDS.length] as Kind;
      const from = performance.now();
      const { status } = await send('POST', '/v1/availability', { attendees: [own, emails[kind]] });
      if (status !== 404) throw new Error(`a search for ${kind} is ${status}`);
      if (round >= 0) taken[kind].push(performance.now() - from);
    }

  printTable([
    ['', 'median ms', 'more than for nobody, median ms', '95 % interval'],
    ...KINDS.map((kind) => {
      const differences = taken[kind].map((took, i) => took - (taken.nobody[i] ?? took));
      const [low, middle, high] = medianOf(differences);
      const [, typical] = medianOf(taken[kind]);
      if (kind !== 'nobody' && (low > 0 || high < 0)) process.exitCode = 1;
      return [kind, ms(typical), middle.toFixed(3), `${low.toFixed(3)} to ${high.toFixed(3)}`];
    }),
  ]);
  console.log(
    `${rounds * KINDS.length} requests; ${process.exitCode === 1 ? 'a stranger can be told apart' : 'no difference beyond noise'}`,
  );
} finally {
  await world.close();
}

async function platform(name: string) {
  return world.platforms.create({ name, plan: 'enterprise' });
}

/** Gives a person many meetings and many busy times. */
async function fill(platformId: string, email: string): Promise<void> {
  const now = new Date(world.clock.now()).toISOString();
  const [{ id } = {}] = await world.neon.query('select id from users where email = $1', [email]);
  await world.neon.query(
    `insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at, provider_event_id, exclusive, owner, created_at, updated_at)
     select 'meet_full' || n, $1, $2, 'scheduled', 'Full', 'Google Meet', $3::timestamptz + n * interval '4 hours', $3::timestamptz + n * interval '4 hours' + interval '30 minutes', 'event' || n, false, 'own_full', $3::timestamptz, $3::timestamptz
     from generate_series(1, $4::int) n`,
    [platformId, id, now, FULL.meetings],
  );
  await world.neon.query(
    `insert into holds (meeting_id, user_id, event_id, during, exclusive, conflicts)
     select m.id, $1, m.provider_event_id, tstzrange(m.starts_at, m.ends_at), false, 0 from meetings m where m.organizer_id = $1`,
    [id],
  );
  const busy = Array.from({ length: FULL.busy }, (_, i) => world.clock.now() + i * 900_000);
  await world.neon.query('update busy_snapshots set busy = $1::jsonb where user_id = $2', [JSON.stringify(busy), id]);
}

function readEverybody(): void {
  const send = world.neon.fetch;
  world.neon.fetch = async (request) => {
    const text = (await request.clone().text()).replaceAll(
      /select c\.user_id from \\"connections\\" c join \\"users\\" u on u\.id = c\.user_id\s*(?:\\n\s*)?where c\.platform_id = (\$\d+) and c\.disconnected_at is null/g,
      'select u.id from \\"users\\" u where $1::text is not null',
    );
    return send(new Request(request, { body: text }));
  };
}

/** The median of the samples, between the bounds of its 95 % interval. */
function medianOf(samples: readonly number[]): [low: number, median: number, high: number] {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (place: number) => sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(place)))] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  const reach = 0.98 * Math.sqrt(sorted.length);
  return [at(middle - reach), at(middle), at(middle + reach)];
}
