import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { app } from '../../../functions/app.ts';
import { CONTRACT, currentContract } from '../../../functions/cli/release.ts';
import { type Contract, findBroken, readContract, writeContract } from '../../../functions/openapi/contract.ts';
import { ERRORS } from '../../../schema/api/http-errors.ts';
import { compile, documented, type Json, readDocument } from '../../support/checks/openapi.ts';
import { createClient } from '../../support/worlds/client.ts';
import { world } from '../../support/worlds/world.ts';

const document = readDocument();
const webhooks = Object.entries(document.webhooks);

/**
 * Routes nobody programs against: pages and their files, the steps of the consent, routes only the queue calls, and the MCP server,
 * which lists its own tools.
 */
const LEFT_OUT =
  /^\w+ \/(?:$|(?:internal|oauth|p|me|dashboard|docs(?:\.md)?|privacy|terms|\.well-known|health\/ready|llms\.txt|client|card\.png|favicon\.svg|mcp)(?:\/|$))/;

/** Yields each object in the document with its key. */
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
  test('the required fields are there', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: 'Tandem', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    const operations = [...documented().map(({ operation }) => operation), ...webhooks.map(([, { post }]) => post)];
    for (const { summary, responses, tags } of operations) {
      expect(summary).toMatch(/\S/);
      expect(Object.keys(responses).join()).toMatch(/^(?:[1-5]\d\d|2XX)(?:,(?:[1-5]\d\d|default))*$/);
      for (const { description } of Object.values(responses)) expect(description).toMatch(/\S/);
      for (const tag of tags) expect(document.tags.map(({ name }) => name)).toContain(tag);
    }
  });

  test('every reference resolves and every named schema is used', () => {
    const refs = [...objects(document)].map(([, { $ref }]) => $ref).filter((ref) => typeof ref === 'string');
    expect(refs.filter((ref) => at(ref) === undefined)).toEqual([]);
    const schemas = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(schemas.filter((name) => !refs.includes(name))).toEqual([]);
  });

  test('every operation has an id of its own', () => {
    const ids = [...documented().map(({ operation }) => operation), ...webhooks.map(([, { post }]) => post)].map(
      ({ operationId }) => operationId,
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });

  test.each(documented())('$name declares its path parameters, each once', ({ name, operation }) => {
    const { parameters = [] } = operation;
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(name.match(/\{\w+\}/g) ?? []);
    expect(inPath.every(({ required }) => required)).toBe(true);
    expect(new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(parameters.length);
  });

  test.each(documented())('$name asks for keys that are described, and says what happens without', ({ operation }) => {
    const { security, responses } = operation;
    for (const scheme of security.flatMap(Object.keys))
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    expect('401' in responses && '403' in responses).toBe(security.length > 0);
  });

  test('every schema is JSON Schema', () => {
    for (const schema of Object.values(document.components.schemas)) compile(schema);
    const inline = [...objects(document.paths), ...objects(document.webhooks)].filter(([key]) => key === 'schema');
    expect(inline.length).toBeGreaterThan(100);
    for (const [, schema] of inline) compile(schema);
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
