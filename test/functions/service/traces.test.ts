import { afterAll, expect, test } from 'vitest';
import { startWorld } from '../../local/world.ts';
import { createClient } from '../../support/worlds/client.ts';
import { eventually } from '../../support/worlds/eventually.ts';
import { migratedDatabase, preparedScript } from '../../support/worlds/prepared.ts';

const own = await startWorld({
  patience: 20,
  script: await preparedScript(),
  snapshot: await migratedDatabase(),
  isTraced: true,
});
afterAll(() => own.close());

interface SpanEvent {
  type: string;
  name?: string;
  spanId?: string;
  /** Span that this event belongs to; for an opening span, its parent. */
  of: string;
}

const eventsSince = (from: number): SpanEvent[] =>
  own
    .logs()
    .slice(from)
    .filter((line) => line.startsWith('{"span_event"'))
    .map((line) => JSON.parse(line).span_event);

/** Returns the Worker's own spans, without those that workerd opens. */
const openedSince = (from: number) =>
  eventsSince(from).filter(({ type, name = '' }) => type === 'spanOpen' && /^[a-z]+\.[a-zA-Z]+$/.test(name));

const namesSince = (from: number) => [...new Set(openedSince(from).map(({ name }) => name))].sort();

const platform = await own.platforms.create({
  name: 'Traced',
  plan: 'enterprise',
  webhook_url: 'https://inbox.test/traced',
});
const api = createClient(own.baseUrl, platform.secret_key);
const attendees = ['ada@people.test', 'bob@people.test'];
for (const email of attendees) {
  own.google.addUser({ email, timezone: 'UTC' });
  await own.connectCalendar(platform, email);
}

test('each call that leaves the Worker has a span that names its port and operation', async () => {
  const from = own.logs().length;
  const start = new Date(own.clock.now() + 48 * 3_600_000).toISOString();
  const booking = { attendees, start_time: start, duration_minutes: 30, title: 'Board meeting' };
  const { status } = await api.send('POST', '/v1/schedule', booking, { headers: { 'Idempotency-Key': 'traced' } });
  expect(status).toBe(200);
  await eventually(async () =>
    expect(namesSince(from)).toEqual(['answers.keep', 'calendar.insertEvent', 'neon.query', 'queue.publish']),
  );
  // The span that workerd opens for the call lies below our span that names the call.
  const ours = openedSince(from).map(({ spanId }) => spanId);
  const fetches = eventsSince(from).filter(({ type, name }) => type === 'spanOpen' && name === 'fetch');
  expect(fetches.length).toBeGreaterThanOrEqual(4);
  expect(fetches.filter(({ of }) => !ours.includes(of))).toEqual([]);
});

test('the tick has spans as well', async () => {
  const from = own.logs().length;
  await own.worker.runScheduled(own.clock.now());
  await eventually(async () =>
    expect(namesSince(from)).toEqual(expect.arrayContaining(['neon.query', 'vitals.noteTick'])),
  );
});

test('a span of ours has a name, and nothing that says whom or what it is about', () => {
  const ours = openedSince(0);
  expect(ours.length).toBeGreaterThan(10);
  const ids = ours.map(({ spanId }) => spanId);
  expect(eventsSince(0).filter(({ type, of }) => type === 'attributes' && ids.includes(of))).toEqual([]);
});
