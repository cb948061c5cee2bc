import { expect, test } from 'vitest';
import { freshPerson } from '../support/people/factories.ts';
import { booking, newKey, scene } from '../support/people/operations.ts';
import { callsEnded } from '../support/worlds/quiet.ts';
import { crowd, expectPeace, insist, insistTogether } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

test('two hundred requests with one key make one meeting and get one answer', async () => {
  const at = await scene();
  const wish = booking(at, { key: newKey() });
  const answers = await insistTogether(wish, 200);
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
});

test.each(['reset', 'hang'] as const)('a Redis that is down (%s) costs time only', async (mode) => {
  const at = await scene();
  const wish = booking(at, { key: newKey() });
  world.faults.add({ target: 'redis', mode });
  const answers = await insistTogether(wish, 200);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
  expect((await insist(wish)).text).toBe(answers[0]?.text);
});

test('a Redis emptied in between changes no answer', async () => {
  const at = await scene();
  const wish = booking(at, { key: newKey() });
  const asking = insistTogether(wish, 60);
  for (let times = 0; times < 10; times += 1) await world.redis.flush();
  const answers = await asking;
  await world.redis.flush();
  answers.push(...(await insistTogether(wish, 40)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
});

test('a Worker killed when the calendar has the event leaves one meeting to a hundred retries', async () => {
  const at = await scene();
  const wish = booking(at, { key: newKey() });
  world.faults.add({ target: 'google', match: 'POST /calendar/v3/calendars', mode: 'kill_after', times: 1 });
  expect(await crowd(wish, 30)).toContain(undefined);
  await world.worker.ready();
  await world.advance(61_000);
  const answers = await insistTogether(wish, 100);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  await expectPeace({ platforms: [at.platform], wishes: [wish] });
});

test('a refusal under one key is the same for all', async () => {
  const at = await scene();
  const stranger = freshPerson();
  const [ada] = at.people;
  if (ada === undefined) throw new Error('the scene has no people');
  const unknown = booking(at, { key: newKey(), people: [ada, stranger] });
  const start = at.slot();
  const [iso, end] = [start, start + 3_600_000].map((ms) => new Date(ms).toISOString());
  world.google.addBusy({ email: ada.email, start: iso ?? '', end: end ?? '' });
  const taken = booking(at, { key: newKey(), start, requireFree: true });
  const [notFound, conflict] = await Promise.all([insistTogether(unknown, 50), insistTogether(taken, 50)]);
  // A 404 is not kept under the key. Each request finds it anew and carries its own request id.
  const unnamed = notFound.map(({ status, text }) => `${status} ${text.replace(/"request_id":"[^"]+"/, '')}`);
  expect(new Set(unnamed).size).toBe(1);
  expect(notFound[0]?.status).toBe(404);
  expect(new Set(conflict.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(conflict[0]?.status).toBe(409);
  await callsEnded();
  await expectPeace({ platforms: [at.platform], wishes: [taken] });
});
