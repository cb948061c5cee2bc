import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CONTRACT, currentContract } from '../../../functions/cli/contract.ts';
import { type Contract, findBroken, readContract, writeContract } from '../../../functions/openapi/contract.ts';

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
