import { expect, test } from 'vitest';
import { searchable } from '../../support/people/calendars.ts';
import { readByTick, snapshotOf } from '../../support/people/snapshots.ts';
import { freshAddress } from '../../support/worlds/client.ts';
import { eventually } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const push = (headers: Record<string, string>, address = freshAddress()) =>
  fetch(`${world.baseUrl}/internal/calendar-push`, {
    method: 'POST',
    headers: { 'cf-connecting-ip': address, ...headers },
  });

/**
 * Has Ada's calendar read and watched, then changes it. Returns the push that the change caused, which has not been
 * sent.
 */
async function heldPush() {
  const { ada, bob, platform } = await searchable();
  await readByTick(ada.email, bob.email);
  world.google.settings.pushes = 'held';
  const start = new Date(world.clock.now() + 86_400_000).toISOString();
  world.google.addBusy({ email: ada.email, start, end: new Date(Date.parse(start) + 3_600_000).toISOString() });
  world.google.settings.pushes = 'sent';
  const [held] = world.google.takePushes();
  if (held === undefined) throw new Error('no push');
  const generations = async () => (await snapshotOf(ada.email))?.dirty_gen;
  return { platform, ada, headers: held.headers, generations };
}

test('a push with its channel’s secret marks the calendar dirty, once however often it comes', async () => {
  const { headers, generations } = await heldPush();
  const before = Number(await generations());
  expect((await push(headers)).status).toBe(204);
  expect(await generations()).toBe(before + 1);
  expect((await push(headers)).status).toBe(204);
  expect(await generations()).toBe(before + 1);
});

test.each([
  ['no secret', { 'X-Goog-Channel-Token': '' }],
  ['a made-up secret', { 'X-Goog-Channel-Token': `push_${'a'.repeat(53)}` }],
  ['somebody’s key', { 'X-Goog-Channel-Token': 'key' }],
])('a push with %s is refused, and nothing is looked up for it', async (_name, wrong) => {
  const { headers, generations, platform } = await heldPush();
  const before = await generations();
  const token = wrong['X-Goog-Channel-Token'] === 'key' ? platform.secret_key : wrong['X-Goog-Channel-Token'];
  const answer = await push({ ...headers, 'X-Goog-Channel-Token': token });
  expect(answer.status).toBe(404);
  const id = answer.headers.get('x-request-id');
  const calls = world.traffic.list().filter(({ request_id }) => request_id === id);
  expect(calls.map(({ target }) => target)).toEqual(['redis']);
  expect(await generations()).toBe(before);
});

test('a push with another channel’s secret, for an unknown channel, or one that only greets, changes nothing', async () => {
  const { headers, generations } = await heldPush();
  const other = await heldPush();
  const before = await generations();
  const wrong = [
    { 'X-Goog-Channel-Token': other.headers['X-Goog-Channel-Token'] ?? '' },
    { 'X-Goog-Channel-ID': 'push_unknown' },
    { 'X-Goog-Resource-State': 'sync' },
    { 'X-Goog-Message-Number': '1' },
    { 'X-Goog-Message-Number': '1e999' },
    { 'X-Goog-Message-Number': '' },
  ];
  for (const more of wrong) expect((await push({ ...headers, ...more })).status).toBe(204);
  expect(await generations()).toBe(before);
});

test('a flood without a secret is held back by its address after a minute’s worth', async () => {
  const address = freshAddress();
  const statuses = new Set<number>();
  for (let sent = 0; sent < 70; sent++) statuses.add((await push({}, address)).status);
  expect([...statuses].sort()).toEqual([404, 429]);
});

test('a channel asks for a secret of its own, of which only the hash is kept, and is replaced near its end', async () => {
  const { ada, bob } = await searchable();
  await readByTick(ada.email, bob.email);
  const channelsOf = async () =>
    world.neon.query(
      'select w.* from watch_channels w join users u on u.id = w.user_id where u.email = any($1) order by w.id',
      [[ada.email, bob.email]],
    );
  const before = await channelsOf();
  expect(before).toHaveLength(2);
  expect(new Set(before.map(({ token_hash }) => token_hash)).size).toBe(2);
  for (const row of before) expect(JSON.stringify(row)).not.toMatch(/push_[\w-]{50}/);
  const live = () => world.google.channels().filter(({ calendarId }) => [ada.email, bob.email].includes(calendarId));
  expect(
    live()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(before.map(({ id }) => id));
  await world.advance(6.9 * 86_400_000);
  await readByTick(ada.email, bob.email);
  await eventually(async () => {
    const after = await channelsOf();
    expect(after.map(({ id }) => id)).toEqual(
      live()
        .map(({ id }) => id)
        .sort(),
    );
    for (const { id } of after) expect(before.map((row) => row.id)).not.toContain(id);
  });
});
