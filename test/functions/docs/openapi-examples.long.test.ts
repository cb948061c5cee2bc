import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../../functions/openapi/document.ts';
import type { Example } from '../../../functions/openapi/examples/people.ts';
import {
  compileClosed,
  type DocumentedOperation,
  documented,
  exampleIn,
  type Json,
  readDocument,
} from '../../support/checks/openapi.ts';
import { type Answer, createClient } from '../../support/worlds/client.ts';
import { type ExampleStory, openStory, STORY } from '../../support/worlds/example-story.ts';

const operations = new Map(documented().map(({ name, operation }) => [operation.operationId, { name, operation }]));

let story: ExampleStory;
beforeAll(async () => {
  story = await openStory();
});
afterAll(() => story.world.close());

test('the story has every operation once', () => {
  expect(STORY.toSorted()).toEqual([...operations.keys()].toSorted());
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(STORY.toSorted());
});

describe('every example is true: it is sent as it stands, and answered as its answer says', () => {
  test.each(STORY)('%s', async (id) => {
    const { name, operation } = operations.get(id) ?? { name: '', operation: undefined };
    const example = EXAMPLES[id] ?? {};
    await story.before(id, example);
    for (const other of example.others ?? []) await expectTrue(name, operation, { ...example, ...other }, other.name);
    const answer = await send(name, operation, example);
    expect(answer.status, answer.text).toBeLessThan(300);
    const content = operation?.responses[answer.status]?.content?.['application/json'];
    if (content === undefined) expect(answer.headers.get('content-type')).toContain('text/html');
    else {
      expect(exampleIn(content, example.named?.name)).toEqual(example.answer);
      expect(compileClosed(content.schema).parse(example.answer)).toEqual(example.answer);
      expect(compileClosed(content.schema).parse(answer.body)).toEqual(answer.body);
      if (id === 'getOpenapi') expect(answer.body).toMatchObject(example.answer as Json);
      else expect(shapeOf(answer.body)).toEqual(shapeOf(example.answer));
      story.learn(example.answer, answer.body);
    }
    await story.after(id);
  });
});

/** Sends one of the further examples of an operation that makes a proposal, and withdraws the proposal again. */
async function expectTrue(name: string, operation: DocumentedOperation | undefined, example: Example, of: string) {
  const answer = await send(name, operation, example);
  expect(answer.status, answer.text).toBeLessThan(300);
  const content = operation?.responses[answer.status]?.content?.['application/json'];
  expect(exampleIn(operation?.requestBody?.content?.['application/json'], of)).toEqual(example.body);
  expect(exampleIn(content, of)).toEqual(example.answer);
  expect(compileClosed(content?.schema ?? {}).parse(example.answer)).toEqual(example.answer);
  expect(shapeOf(answer.body)).toEqual(shapeOf(example.answer));
  const { proposal_id } = answer.body as { proposal_id: string };
  const withdrawn = await story.asPlatform('DELETE', `/v1/proposals/${proposal_id}`);
  expect(withdrawn.status).toBe(200);
}

test('every example of an error is what its schema says', () => {
  const { components } = readDocument();
  for (const { operation } of documented())
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const { schema, examples = {} } = content?.['application/json'] ?? {};
      if (Number(status) < 400) continue;
      for (const { $ref = '' } of Object.values(examples)) {
        const { value } = components.examples[$ref.replace('#/components/examples/', '')] ?? {};
        expect(compileClosed(schema ?? {}).parse(value)).toEqual(value);
      }
    }
});

/** Sends an example with the key of the kind its operation takes. */
function send(name: string, operation: DocumentedOperation | undefined, example: Example): Promise<Answer> {
  const [method = '', template = ''] = name.split(' ');
  const { params = {}, query = {}, body } = translated(example);
  const { keys, world } = story;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params[part] ?? ''));
  const search = new URLSearchParams(query).toString();
  const [scheme = ''] = operation?.security.flatMap(Object.keys) ?? [];
  const key = scheme === 'platform_key' ? keys.platform : scheme === 'user_key' ? keys.user : undefined;
  return createClient(world.baseUrl, key).send(method, search === '' ? path : `${path}?${search}`, body);
}

/** Replaces the IDs and addresses of an example with this world's. */
function translated({ params, query, body }: Example): Example {
  return JSON.parse(story.translated(JSON.stringify({ params, query, body }))) as Example;
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
  'held_until',
  ...['provider_id', 'provider_event_id', 'meet_link', 'url', 'webhook_url', 'oauth_url', 'next_cursor', 'body'],
  ...['score', 'duration_ms', 'avg_response_time_ms', 'processing_time_ms', 'masked', 'api_key_masked'],
  ...['network', 'request_id', 'expires_at'],
]);
const MASKED = [
  /^(?:meet|prop|time|sched|batch|wh|wh_del|learn|rule|plat|usr|sess|audit)_\w+$/,
  /^(?:sk_live|sk_user|pk_live|whsec)_/,
  /^2030-01-07T\d\d:\d\d:\d\d(?:\.\d{3})?Z$/,
  /^2030-01-08T\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^[^@]+@(?:platform\.test|acme\.example)$/,
];
