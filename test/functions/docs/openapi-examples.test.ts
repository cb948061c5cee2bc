import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Example } from '../../../functions/openapi/examples/example.ts';
import { EXAMPLES } from '../../../functions/openapi/examples.ts';
import { startWorld, type World } from '../../local/world.ts';
import {
  compileClosed,
  type DocumentedOperation,
  documented,
  type Json,
  readDocument,
} from '../../support/checks/openapi.ts';
import { type Answer, createClient } from '../../support/worlds/client.ts';
import { migratedDatabase, preparedScript } from '../../support/worlds/prepared.ts';

const NOW = Date.parse('2030-01-07T09:00:00Z');
const [ADA, BOB] = ['ada@example.com', 'bob@example.com'];
const HOOK = 'https://hooks.acme.example/tandem';
const REACHED = 'https://inbox.platform.test/acme';

/** Operations in an order in which each finds the data it needs. */
const STORY = [
  ...['getHealth', 'getOpenapi', 'updateSettings', 'configureWebhook', 'getSettings', 'getWebhook', 'testWebhook'],
  ...['authorizeCalendar', 'getOauthUrl', 'getPlatformUserStatus', 'listPlatformUsers', 'listCalendars'],
  ...['getUserStatus', 'getUserAvailability', 'findAvailability', 'explainAvailability', 'scheduleMeeting'],
  ...[
    'getMeeting',
    'proposeTimes',
    'listProposals',
    'getProposal',
    'withdrawProposal',
    'updateMeeting',
    'rescheduleMeeting',
    'scheduleAutomatically',
    'getJob',
    'listUserMeetings',
    'listMeetings',
  ],
  ...[
    'cancelMeeting',
    'getDashboard',
    'createDashboardLink',
    'listAuditLog',
    'listDeliveries',
    'replayDelivery',
    'getDelivery',
    'replayDeliveries',
  ],
  ...['rotateWebhookSecret', 'getPreferences', 'updatePreferences', 'getLearning', 'undoLearning', 'resetLearning'],
  ...[
    'getUserInfo',
    'exportUser',
    'regenerateUserKey',
    'cancelJob',
    'acceptProposal',
    'declineProposal',
    'deleteUser',
    'disconnectCalendar',
    'regeneratePlatformKey',
  ],
];
/** Operations after which the queue has work to do. */
const LEADS_ON = new Set([
  'scheduleMeeting',
  'rescheduleMeeting',
  'scheduleAutomatically',
  'cancelMeeting',
  'replayDelivery',
]);

const operations = new Map(documented().map(({ name, operation }) => [operation.operationId, { name, operation }]));

let world: World;
/** Ids and addresses in the examples, each with its counterpart in this world. */
const named = new Map<string, string>([[HOOK, REACHED]]);
let keys: { platform: string; user: string };

beforeAll(async () => {
  world = await startWorld({
    patience: 20,
    script: await preparedScript(),
    snapshot: await migratedDatabase(),
    report: () => undefined,
  });
  await world.advance(NOW - world.clock.now());
  const platform = await world.platforms.create({ name: 'Acme', plan: 'pro', webhook_url: `${REACHED}-old` });
  named.set('pk_live_example', platform.publishable_key);
  world.google.addUser({ email: ADA, timezone: 'Europe/London' });
  world.google.addUser({ email: BOB, timezone: 'America/New_York' });
  world.google.addBusy({ email: ADA, start: '2030-01-08T10:00:00Z', end: '2030-01-08T12:30:00Z' });
  world.google.addBusy({ email: BOB, start: '2030-01-08T15:00:00Z', end: '2030-01-08T18:00:00Z' });
  await world.connectCalendar(platform, ADA);
  keys = { platform: platform.secret_key, user: (await world.connect(platform, BOB)).api_key };
});
afterAll(() => world.close());

test('the story has every operation once', () => {
  expect(STORY.toSorted()).toEqual([...operations.keys()].toSorted());
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(STORY.toSorted());
});

describe('every example is true: it is sent as it stands, and answered as its answer says', () => {
  test.each(STORY)('%s', async (id) => {
    const { name, operation } = operations.get(id) ?? { name: '', operation: undefined };
    const example = EXAMPLES[id] ?? {};
    if (id === 'cancelJob') await nameUnfinishedJob(example);
    if (id === 'acceptProposal' || id === 'declineProposal') await nameOpenProposal(example);
    const answer = await send(name, operation, example);
    expect(answer.status, answer.text).toBeLessThan(300);
    const content = operation?.responses[answer.status]?.content?.['application/json'];
    if (content === undefined) expect(answer.headers.get('content-type')).toContain('text/html');
    else {
      expect(content.example).toEqual(example.answer);
      expect(compileClosed(content.schema).parse(example.answer)).toEqual(example.answer);
      expect(compileClosed(content.schema).parse(answer.body)).toEqual(answer.body);
      if (id === 'getOpenapi') expect(answer.body).toMatchObject(example.answer as Json);
      else expect(shapeOf(answer.body)).toEqual(shapeOf(example.answer));
      learnNames(example.answer, answer.body);
    }
    if (!LEADS_ON.has(id)) return;
    await world.advance(70_000);
    await world.worker.runScheduled(world.clock.now());
    await world.qstash.deliverDue();
  });
});

test('every example of an error is what its schema says', () => {
  const { components } = readDocument();
  for (const { operation } of documented())
    for (const { content } of Object.values(operation.responses)) {
      const { schema, examples = {} } = content?.['application/json'] ?? {};
      for (const { $ref } of Object.values(examples)) {
        const { value } = components.examples[$ref.replace('#/components/examples/', '')] ?? {};
        expect(compileClosed(schema ?? {}).parse(value)).toEqual(value);
      }
    }
});

/** Accepts a job that nobody has begun yet, for the example that cancels one. */
async function nameUnfinishedJob({ params }: Example): Promise<void> {
  const client = createClient(world.baseUrl, keys.platform);
  const accepted = await client.send('POST', '/v1/schedule/auto', { attendees: [BOB, ADA], auto: true });
  named.set(String(params?.job_id), String((accepted.body as Json).job_id));
}

/** Makes the open proposal that an example accepts or declines. */
async function nameOpenProposal({ answer }: Example): Promise<void> {
  const example = answer as Json & { times: { start_time: string }[] };
  const { attendees, duration_minutes, title, metadata, times } = example;
  const made = await createClient(world.baseUrl, keys.platform).send('POST', '/v1/proposals', {
    ...{ attendees, duration_minutes, title, metadata },
    times: times.map(({ start_time }) => start_time),
  });
  learnNames({ ...example, meeting_id: null }, made.body);
}

/** Sends an example with the key of the kind its operation takes. */
function send(name: string, operation: DocumentedOperation | undefined, example: Example): Promise<Answer> {
  const [method = '', template = ''] = name.split(' ');
  const { params = {}, query = {}, body } = translated(example);
  const path = template.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params[part] ?? ''));
  const search = new URLSearchParams(query).toString();
  const [scheme = ''] = operation?.security.flatMap(Object.keys) ?? [];
  const key = scheme === 'platform_key' ? keys.platform : scheme === 'user_key' ? keys.user : undefined;
  return createClient(world.baseUrl, key).send(method, search === '' ? path : `${path}?${search}`, body);
}

/** Replaces the ids and addresses of an example with this world's. */
function translated(example: Example): Example {
  const { params, query, body } = example;
  let text = JSON.stringify({ params, query, body });
  for (const [theirs, ours] of named) text = text.replaceAll(JSON.stringify(theirs), JSON.stringify(ours));
  return JSON.parse(text) as Example;
}

/** Remembers the ids and keys of this world that correspond to those of an example. */
function learnNames(theirs: unknown, ours: unknown): void {
  if (typeof theirs === 'string' && typeof ours === 'string') {
    if (/^(?:meet|prop|time|sched|wh|wh_del|learn)_/.test(theirs)) named.set(theirs, ours);
    if (theirs === 'sk_user_example') keys.user = ours;
    if (theirs === 'sk_live_example') keys.platform = ours;
  } else if (typeof theirs === 'object' && theirs !== null)
    for (const [name, part] of Object.entries(theirs)) learnNames(part, (ours as Json | null)?.[name]);
}

/**
 * Masks everything that differs from one world to the next: ids, secrets, the world's instants, links, scores and
 * durations.
 */
function shapeOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => shapeOf(item, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part, key)]));
  if (typeof value === 'string' && MASKED.some((pattern) => pattern.test(value))) return 'of this world';
  return OWN.has(name) && value !== null ? 'of this world' : value;
}

const OWN = new Set([
  ...['provider_id', 'provider_event_id', 'meet_link', 'url', 'webhook_url', 'oauth_url', 'next_cursor', 'body'],
  ...['score', 'duration_ms', 'avg_response_time_ms', 'processing_time_ms', 'masked', 'api_key_masked'],
  ...['network', 'request_id', 'expires_at'],
]);
const MASKED = [
  /^(?:meet|prop|time|sched|wh|wh_del|learn|rule|plat|usr|sess|audit)_\w+$/,
  /^(?:sk_live|sk_user|pk_live|whsec)_/,
  /^2030-01-07T\d\d:\d\d:\d\d(?:\.\d{3})?Z$/,
  /^2030-01-08T\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^[^@]+@(?:platform\.test|acme\.example)$/,
];
