import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { app } from '../../../functions/app.ts';
import { CONTRACT, currentContract } from '../../../functions/cli/release.ts';
import { type Contract, findBroken, readContract, writeContract } from '../../../functions/openapi/contract.ts';
import { toSample } from '../../../lib/webhooks/samples.ts';
import { ERRORS } from '../../../schema/api/http-errors.ts';
import { EVENT_TYPES, eventData, eventEnvelope } from '../../../schema/api/webhook-events.ts';
import { compileClosed, documented, type Json, readDocument } from '../../support/checks/openapi.ts';
import { webhooksOf } from '../../support/people/factories.ts';
import { bookable, hoursLater, pass, useQuota } from '../../support/people/meetings.ts';
import { hookOf } from '../../support/people/webhooks.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

const document = readDocument();
const webhooks = Object.entries(document.webhooks);

/**
 * Routes nobody programs against: pages and their files, the steps of the consent, routes only the queue calls, and the MCP server,
 * which lists its own tools.
 */
const LEFT_OUT =
  /^\w+ \/(?:$|(?:internal|oauth|p|me|dashboard|docs(?:\.md)?|privacy|terms|\.well-known|health\/ready|llms\.txt|client|card\.png|favicon\.svg|mcp)(?:\/|$))/;

function* objects(value: unknown, key = ''): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [key, value as Json];
  for (const [name, part] of Object.entries(value)) yield* objects(part, name);
}

const at = (pointer: string) =>
  pointer
    .replace('#/', '')
    .split('/')
    .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);

describe('GET /openapi.json', () => {
  test('answers the document without a key, counted by IP, with its own address', async () => {
    const answer = await createClient(world.baseUrl).send('GET', '/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('60');
    const { servers } = answer.body as typeof document;
    expect(servers).toEqual([{ url: expect.stringMatching(/^https?:\/\/[^/]+$/) }]);
    const served = JSON.parse(answer.text.replaceAll(servers[0]?.url ?? '', 'https://api.test'));
    const contact = { ...document.info.contact, email: 'support@tandem.test' };
    expect(served).toEqual({ ...document, info: { ...document.info, contact } });
  });

  test('names every mounted public route and no other', () => {
    const mounted = app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
      .filter((route) => !LEFT_OUT.test(route));
    const named = documented().map(({ name }) => name);
    expect(named.toSorted()).toEqual([...new Set(mounted)].toSorted());
  });
});

describe('the structure of OpenAPI 3.1', () => {
  test('every reference resolves and every named schema is used', () => {
    const refs = [...objects(document)].map(([, { $ref }]) => $ref).filter((ref) => typeof ref === 'string');
    expect(refs.filter((ref) => at(ref) === undefined)).toEqual([]);
    const schemas = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(schemas.filter((name) => !refs.includes(name))).toEqual([]);
  });

  test.each(documented())('$name asks for keys that are described, and says what happens without', ({ operation }) => {
    const { security, responses } = operation;
    for (const scheme of security.flatMap(Object.keys))
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    expect('401' in responses && '403' in responses).toBe(security.length > 0);
  });
});

describe('errors', () => {
  test('every code stands in the enumeration of its format, every title in the flat one', () => {
    const { NestedError, FlatError } = document.components.schemas;
    const nested = Object.entries(ERRORS).filter(
      ([code, { status }]) => ![401, 403, 429].includes(status) && code !== 'not_found',
    );
    expect(NestedError).toMatchObject({
      properties: { error: { properties: { code: { enum: nested.map(([code]) => code) } } } },
    });
    expect(FlatError).toMatchObject({
      properties: { error: { enum: Object.values(ERRORS).map(({ title }) => title) } },
    });
  });

  test('formats follow the path, and 401, 403 and 429 are flat everywhere', () => {
    const formats = (name: string) => {
      const responses = documented().find((operation) => operation.name === name)?.operation.responses ?? {};
      return Object.fromEntries(
        Object.entries(responses)
          .filter(([status]) => Number(status) >= 400)
          .map(([status, { content }]) => [status, /\/(\w+)Error"/.exec(JSON.stringify(content))?.[1]]),
      );
    };
    const flat = { 401: 'Flat', 403: 'Flat', 429: 'Limit' };
    const common = { 400: 'Nested', 404: 'Nested', 409: 'Nested', 413: 'Nested', 415: 'Nested', 500: 'Nested' };
    expect(formats('POST /v1/schedule')).toEqual({ ...common, 422: 'Nested', ...flat });
    expect(formats('GET /v1/platform/webhook')).toEqual({ 404: 'Flat', 500: 'Flat', ...flat });
  });

  test('what takes an Idempotency-Key says so', () => {
    const takers = documented().filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(takers.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'POST /v1/schedule',
        'POST /v1/schedule/auto',
        'PUT /v1/meetings/{meeting_id}',
        'DELETE /v1/meetings/{meeting_id}',
      ]),
    );
    for (const { name, operation } of takers) {
      // A new key is never stored, so a retry has no first copy to wait for.
      const codes = name.includes('regenerate') ? ['422'] : ['409', '422'];
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(codes));
    }
  });
});

const kept = currentContract();

test('this version keeps every promise about the contract of the last release', () => {
  expect(Object.keys(kept.now).length).toBeGreaterThan(1_000);
  expect(findBroken(kept.released, kept.now)).toEqual([]);
});

test('the list of the contract is that of the sources; npm run build writes it anew', () => {
  expect(readFileSync(CONTRACT, 'utf8')).toBe(writeContract(kept));
});

test('the list shows what a version adds and takes away until it is released', () => {
  const released: Contract = {
    'GET /a': { types: ['200'], isRequired: false },
    'GET /a < body.b': { types: ['string'], isRequired: false },
  };
  const now: Contract = {
    ...released,
    'GET /a < body.b': { types: ['string'], isRequired: true },
    'GET /c': { types: ['200'], isRequired: false },
  };
  const text = writeContract({ released, now });
  expect(text).toBe(`["GET /a",{"types":["200"],"isRequired":false}]
-["GET /a < body.b",{"types":["string"],"isRequired":false}]
+["GET /a < body.b",{"types":["string"],"isRequired":true}]
+["GET /c",{"types":["200"],"isRequired":false}]
`);
  expect(readContract(text)).toEqual({ released, now });
});

const old: Contract = {
  'POST /v1/x': { types: ['200'], isRequired: false },
  'POST /v1/x > body': { types: ['object'], isRequired: true },
  'POST /v1/x > body.kind': { types: ['"a"', '"b"'], isRequired: false },
  'POST /v1/x > body.title': { types: ['string'], isRequired: false, limits: { maxLength: 9, minLength: 1 } },
  'POST /v1/x < body': { types: ['object'], isRequired: true },
  'POST /v1/x < body.comfort_factors[].name': { types: ['"late"'], isRequired: true },
  'POST /v1/x < body.id': { types: ['string'], isRequired: true },
  'POST /v1/x < body.status': { types: ['"done"', '"open"'], isRequired: true },
  'event x < body.data.reason': { types: ['"late"'], isRequired: true },
  'error x': { types: ['404'], isRequired: false },
};
const changed = (name: string, change: Partial<Contract[string]>): Contract => ({
  ...old,
  [name]: { types: ['string'], isRequired: false, ...old[name], ...change },
});
const without = (name: string): Contract => Object.fromEntries(Object.entries(old).filter(([one]) => one !== name));

test.each<[string, Contract]>([
  ['an operation is removed', without('POST /v1/x')],
  ['an operation answers another status', changed('POST /v1/x', { types: ['202'] })],
  ['a field of a request is removed', without('POST /v1/x > body.title')],
  ['a field of a request becomes required', changed('POST /v1/x > body.title', { isRequired: true })],
  ['a new field of a request is required', changed('POST /v1/x > body.new', { isRequired: true })],
  ['a value is no longer accepted', changed('POST /v1/x > body.kind', { types: ['"a"'] })],
  ['a limit gets narrower', changed('POST /v1/x > body.title', { limits: { maxLength: 8, minLength: 1 } })],
  ['a limit is new', changed('POST /v1/x > body.title', { limits: { maxLength: 9, minLength: 1, maxItems: 1 } })],
  ['a field of a response is removed', without('POST /v1/x < body.id')],
  ['a field of a response is not always there', changed('POST /v1/x < body.id', { isRequired: false })],
  ['a field of a response has another type', changed('POST /v1/x < body.id', { types: ['integer'] })],
  ['a field of a response can be null', changed('POST /v1/x < body.id', { types: ['null', 'string'] })],
  ['a status is new', changed('POST /v1/x < body.status', { types: ['"done"', '"new"', '"open"'] })],
  ['a part loses its name', changed('POST /v1/x < body.comfort_factors[].name', { types: ['"early"'] })],
  ['an error has another status', changed('error x', { types: ['409'] })],
])('a promise is broken if %s', (_, after) => {
  expect(findBroken(old, after).length).toBeGreaterThan(0);
});

test.each<[string, Contract]>([
  ['nothing changes', old],
  ['an operation is new', { ...old, 'GET /v1/y': { types: ['200'], isRequired: false } }],
  ['an optional field of a request is new', changed('POST /v1/x > body.new', {})],
  [
    'a required field is within a new optional one',
    {
      ...changed('POST /v1/x > body.new', { types: ['object'] }),
      'POST /v1/x > body.new.id': { types: ['string'], isRequired: true },
    },
  ],
  ['a field of a response is new', changed('POST /v1/x < body.new', {})],
  ['another value is accepted', changed('POST /v1/x > body.kind', { types: ['"a"', '"b"', '"c"'] })],
  ['a limit gets wider', changed('POST /v1/x > body.title', { limits: { maxLength: 10 } })],
  ['a part is new', changed('POST /v1/x < body.comfort_factors[].name', { types: ['"early"', '"late"'] })],
  ['a reason is new', changed('event x < body.data.reason', { types: ['"late"', '"lost"'] })],
])('no promise is broken if %s', (_, after) => {
  expect(findBroken(old, after)).toEqual([]);
});

healAfterEach();

const contentOf = (type: string) => document.webhooks[type]?.post.requestBody?.content?.['application/json'];

describe('the webhooks of the document', () => {
  test('there is one for each type of event, and the test', () => {
    expect(webhooks.map(([type]) => type)).toEqual([...EVENT_TYPES, 'webhook.test']);
  });

  test.each(EVENT_TYPES)('%s has an example with exactly the required fields, which both schemas take', (type) => {
    const { schema = {}, example } = contentOf(type) ?? {};
    const { required, properties } = (schema.properties as { data: Json }).data;
    const data = toSample(type, Date.UTC(2030, 0, 10, 9), 'plat_sample');
    expect(required).toEqual(Object.keys(data));
    expect(Object.keys(properties as Json)).toEqual(Object.keys(eventData[type].shape));
    expect(example).toMatchObject({ event_type: type, data });
    expect(compileClosed(schema).parse(example)).toEqual(example);
    expect(eventEnvelope.strict().extend({ data: eventData[type].strict() }).parse(example)).toEqual(example);
  });

  test.each(webhooks)('%s describes the headers of a delivery', (type, { post }) => {
    expect(post.parameters?.map(({ name, required }) => [name, required])).toEqual([
      ['X-Service-Signature', true],
      ['X-Service-Timestamp', true],
      ['X-Service-Event', true],
      ['X-Service-Delivery', true],
      ['X-Service-Signature-Previous', false],
      ['Webhook-Id', true],
      ['Webhook-Timestamp', true],
      ['Webhook-Signature', true],
    ]);
    expect(post.parameters?.[2]?.schema).toEqual({ type: 'string', const: type });
  });
});

test('a delivered webhook matches the document, including its headers', async () => {
  const { platform, ada, body, start } = await bookable({ plan: 'developer' });
  await useQuota(platform, 19);
  const booked = (await platform.api.schedule(body)).body as { meeting_id: string };
  const path = `/v1/meetings/${booked.meeting_id}`;
  const [start_time, end_time] = [hoursLater(start, 3), hoursLater(start, 4)];
  await platform.api.send('PUT', path, { start_time, end_time });
  await platform.api.send('DELETE', path);
  await platform.api.send('POST', '/v1/schedule/auto', { attendees: body.attendees });
  await pass(70);
  await hookOf(platform).rotate();
  await hookOf(platform).test();
  await platform.api.disconnect(ada.email);
  await pass(70);

  const arrived = await webhooksOf(platform);
  for (const { body: event, headers } of arrived) {
    expect(compileClosed(contentOf(event.event_type)?.schema ?? {}).parse(event)).toEqual(event);
    const parameters = document.webhooks[event.event_type]?.post.parameters ?? [];
    for (const { name, required, schema } of parameters) {
      const value = new Headers(headers).get(name) ?? undefined;
      expect(required ? value : (value ?? 'none')).toBeDefined();
      if (value !== undefined) expect(compileClosed(schema).parse(value)).toBe(value);
    }
  }
  expect([...new Set(arrived.map(({ body: event }) => event.event_type))].toSorted()).toEqual([
    'meeting.cancelled',
    'meeting.scheduled',
    'meeting.scheduling.completed',
    'meeting.updated',
    'platform.usage_warning',
    'user.calendar.connected',
    'user.calendar.disconnected',
    'webhook.test',
  ]);
  expect(arrived.some(({ headers }) => new Headers(headers).has('x-service-signature-previous'))).toBe(true);
});

const events = Object.entries(document.webhooks).map(([name, { post: operation }]) => ({ name, operation }));

/** Returns true if a schema, or the schema it refers to, has a description. */
function isDescribed({ description, $ref }: Json): boolean {
  if (typeof description === 'string') return /\w/.test(description);
  const named = typeof $ref === 'string' ? document.components.schemas[$ref.replace('#/components/schemas/', '')] : {};
  return named?.description !== undefined;
}

function* fields(value: unknown, path: string): Generator<[path: string, field: Json]> {
  if (typeof value !== 'object' || value === null) return;
  const { properties } = value as { properties?: Record<string, Json> };
  if (properties !== undefined)
    for (const [name, field] of Object.entries(properties)) yield [`${path}.${name}`, field];
  for (const [name, part] of Object.entries(value))
    yield* fields(part, properties === value ? `${path}.${name}` : path);
}

describe('a reader finds', () => {
  test('a sentence on every field of a request, an answer and an event', () => {
    const { schemas } = document.components;
    const all = [
      ...Object.entries(schemas).flatMap(([name, schema]) => [...fields(schema, name)]),
      ...[...documented(), ...events].flatMap(({ name, operation }) => [...fields(operation, name)]),
    ];
    expect(all.length).toBeGreaterThan(400);
    expect(all.filter(([, field]) => !isDescribed(field)).map(([path]) => path)).toEqual([]);
  });

  test.each(documented())('a summary, a description and every parameter told: $name', ({ operation }) => {
    const { summary, description, parameters = [] } = operation;
    for (const text of [summary, description, ...parameters.map((parameter) => parameter.description)])
      expect(text).toMatch(/\w/);
    expect(summary).not.toBe(description);
  });

  test.each(documented())('an example of what is sent and of each answer: $name', ({ operation }) => {
    const { requestBody, parameters = [], responses } = operation;
    for (const { in: place, example } of parameters) if (place === 'path') expect(example).toBeTruthy();
    const parts: typeof responses = {
      ...responses,
      ...(requestBody && { request: { ...requestBody, description: '' } }),
    };
    for (const [status, { content }] of Object.entries(parts)) {
      const { schema, example, examples } = content?.['application/json'] ?? {};
      if (schema === undefined) continue;
      if (Number(status) >= 400) expect(Object.keys(examples ?? {}), status).not.toEqual([]);
      else
        for (const { value } of Object.values(examples ?? { only: { value: example } })) {
          expect(value, status).toMatchObject({});
          expect(compileClosed(schema).parse(value), status).toEqual(value);
        }
    }
  });

  test('no default in a body: generators take a field that has one as one that is always there', () => {
    const bodies = documented().flatMap(({ operation }) => operation.requestBody?.content?.['application/json'] ?? []);
    const names = bodies.flatMap(({ schema: { $ref } }) => String($ref).replace('#/components/schemas/', ''));
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(JSON.stringify(document.components.schemas[name])).not.toContain('"default"');
  });
});
