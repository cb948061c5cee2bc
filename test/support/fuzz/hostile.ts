import fc from 'fast-check';
import type { Stock } from './stock.ts';

/** Numbers that JSON can write and JavaScript cannot. `toJson` writes them. */
const SPELLED = ['1e400', '-1e400', '1e-400', '123456789012345678901234567890', '-0', '30.0', '1E1'];
const spelled = (text: string) => `@@${text}@@`;

/** Writes a body as JSON and keeps the numbers of `SPELLED` as they are. */
export const toJson = (body: unknown): string => JSON.stringify(body).replaceAll(/"@@([^"]+)@@"/g, '$1');

const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '$gt', ''];

const TEXTS = [
  ...['', ' ', '30', 'NaN', 'Infinity', 'null', '\0', 'a\0b', '\ud800', 'x\udc00x', '\u202e', '\ufeff'],
  ...['😀', '👩‍👩‍👧‍👦'],
  ...['x'.repeat(201), 'x'.repeat(10_000), 'x'.repeat(60_000), '😀'.repeat(120), 'é'.repeat(9_000), '\n\r\t'],
  ...["' or 1=1 --", '"; --', '%00', '../../x', '<b>x</b>', '{{1+1}}', ...PROTOTYPE_KEYS],
];
const ADDRESSES = [
  ...['a@b', 'a@@people.test', '@people.test', 'a@', ' ada@people.test ', 'ADA@PEOPLE.TEST', 'a b@people.test'],
  ...['ü@people.test', 'ada@bücher.test', `${'a'.repeat(64)}@${'b'.repeat(63)}.test`, `${'a'.repeat(250)}@people.test`],
  ...['"a b"@people.test', 'ada+tag@people.test', 'ada@[127.0.0.1]', 'a\0@people.test', 'ada@people.test\n'],
];
const TIMES = [
  ...['9999-12-31T23:59:59Z', '9998-12-31T23:59:59.999Z', '9998-12-31T23:59:59-23:59', '0000-01-01T00:00:00Z'],
  ...['-000001-01-01T00:00:00Z', '+275760-09-13T00:00:00Z', '1969-12-31T23:59:59Z', '1970-01-01T00:00:00Z'],
  ...['2030-02-30T00:00:00Z', '2030-01-01T24:00:00Z', '2030-01-01T00:00:60Z', '2030-01-01T00:00:00', '2030-01-01'],
  ...['2030-01-01T00:00:00+14:59', '2030-01-01T00:00:00+0530', '2030-01-01T00:00:00+24:00', '2030-01-01t00:00:00z'],
  ...['2030-01-01T00:00:00.123456789Z', '2030-01-01T00:00Z', '2030-W01-1', '1767225600', '2030-01-01 00:00:00Z'],
  ...['9999-12-31', '0001-01-01', '0000-00-00', '2100-02-29', '+10000-01-01', '24:00', '23:60', '7:00', '00:00'],
  ...['9998-12-31T12:00:00Z', '2200-06-30T12:00:00Z', '2030-01-01T00:00:00-00:00', '2030-01-01T00:00:00+05:45'],
];
const ZONES = [
  ...['Mars/Olympus', 'utc', 'GMT+25', 'Etc/GMT+12', 'Pacific/Chatham', '+05:30', 'America/New_York ', 'localtime'],
];
const URLS = [
  ...['http://inbox.platform.test/', 'https://', 'https://a:b@inbox.platform.test/', 'https://127.0.0.1/'],
  ...['ftp://x.test', 'https://[::1]/', 'https://[::ffff:10.0.0.1]/', 'https://0x7f.1/', 'https://localhost./'],
  'https://x.test:99999/',
  ...['javascript:alert(1)', 'https://xn--/', `https://x.test/${'a'.repeat(2_040)}`, 'https://x.test/\0', '//x.test'],
];
const OTHERS: unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 29.999999999999, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, Number.MIN_VALUE],
  ...[[], {}, [[]], [[[[[[]]]]]], [null], [{}], { length: 2, 0: 'a', 1: 'b' }, { toString: 'x' }, { start: 1 }],
  ...[[''], [1, 2], Array.from({ length: 3_000 }, () => 0), SPELLED.map(spelled)],
];

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...ADDRESSES),
  fc.constantFrom(...TIMES),
  fc.constantFrom(...ZONES, ...URLS),
  fc.constantFrom(...OTHERS),
  fc.constantFrom(...SPELLED.map(spelled)),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

const QUERIES = [
  ...['', '%00', '%ff', '%', '%E0%A4%A', '+', '%ED%A0%80', '1e1', '+30', '%2030', '0x1e', '30.0', '-0', '1e400'],
  ...['%D9%A3%D9%A0', '__proto__', 'a'.repeat(6_000), '%F0%9F%98%80', 'true', '[]', '15abc', '0', '201', '007'],
];

/** Text of a query parameter, already escaped. */
export const hostileQuery: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...QUERIES) },
  fc.constantFrom(...TIMES, ...ADDRESSES, ...ZONES).map((text) => encodeURIComponent(text)),
);

const SEGMENTS = [
  ...['%00', '%ff', '%', '%2F', '%2e%2e', '..', '.', 'x'.repeat(3_000), '%F0%9F%98%80', '__proto__', '%E0%A4%A'],
  ...['constructor', '%27%20or%201%3D1', '%20', '%ED%A0%80', ';', '%EF%BF%BF', '%0d%0a', `meet_${'0'.repeat(90)}`],
  ...['a%00%40people.test', '*', ':email', '%252F', '%u0041', 'undefined', 'null', '-1', '%5C', '@', '%23'],
];

/** A segment of the path, already escaped. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SEGMENTS) },
  fc
    .constantFrom(...ADDRESSES)
    .filter((text) => text.isWellFormed())
    .map((text) => encodeURIComponent(text)),
);

/** Spoils one value of a body and names the top-level field it belongs to. */
export function spoilt(body: Record<string, unknown>): fc.Arbitrary<{ body: unknown; field: string; about: string }> {
  const places = placesOf(body);
  const put = (place: string[], value: unknown, about: string) => ({
    body: withValue(body, place, value),
    field: place[0] ?? '',
    about: `${place.join('.')} ${about}`,
  });
  const place = fc.constantFrom(...places, ...(places.length === 0 ? [['nothing']] : []));
  const replaced = fc.tuple(place, hostileValue).map(([at, value]) => put(at, value, 'replaced'));
  const removed = place.map((at) => put(at, undefined, 'removed'));
  const doubled = place.map((at) => {
    const value = at.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], body);
    return put(at, Array.isArray(value) ? [...value, ...value] : [value, value], 'doubled');
  });
  const objects = [
    [],
    ...places.filter((at) =>
      isPlain(at.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], body)),
    ),
  ];
  const added = fc
    .tuple(fc.constantFrom(...objects), fc.constantFrom(...PROTOTYPE_KEYS), hostileValue)
    .map(([at, key, value]) => put([...at, key], value, 'added'));
  const kinds = places.length === 0 ? [added] : [replaced, replaced, replaced, removed, doubled, added];
  return fc.oneof(...kinds);
}

/** Values every field is given once: none, other types, and text that no database stores. */
const STAPLES = [undefined, null, 7, [], 'a\0b', 'a\ud800b'];

export const spoiltEverywhere = (body: Record<string, unknown>) =>
  placesOf(body).flatMap((place) =>
    STAPLES.map((value) => ({
      body: withValue(body, place, value),
      field: place[0] ?? '',
      about: `${place.join('.')} is ${JSON.stringify(value)}`,
    })),
  );

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const placesOf = (value: unknown, path: string[] = []): string[][] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...placesOf(inner, [...path, key])]);

/** Copies a value and sets one path of it. Uses own keys only, so that `__proto__` is a key like any other. */
function withValue(whole: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(whole)) return whole.map((inner, i) => (String(i) === key ? withValue(inner, rest, value) : inner));
  const copy: Record<string, unknown> = isPlain(whole) ? { ...whole } : {};
  const inner = Object.hasOwn(copy, key) ? copy[key] : undefined;
  Object.defineProperty(copy, key, {
    value: withValue(inner, rest, value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

/** Change that turns a valid request into another one. */
export interface Turn {
  about: string;
  body?: Buffer | undefined;
  sent?: unknown;
  isChunked?: boolean;
  headers?: Record<string, string | string[]>;
  without?: string[];
  field?: string;
  segment?: [name: string, value: string];
  /** Query parameter; if the third item is true, the valid value stays before it. */
  parameter?: [name: string, value: string, again: boolean];
  method?: string;
  suffix?: string;
  expects?: number;
}

const LARGEST = 64 * 1024;

const notJson = (fits: string) => [
  ...['{', '}', '{"a":', fits.slice(0, -1), `${fits}${fits}`, `${fits},`],
  ...["{'a':1}", '{a:1}', 'a=b', '<x/>', 'NaN'],
];
const OTHER_TYPES = [
  ...['text/plain', '', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'json'],
  'application/jsonp',
];

/** Makes bodies that are no JSON object of the right type and size, based on the text of a valid body. */
export function badBodies(fits: string, isOptional: boolean): Turn[] {
  const of = (about: string, body: string | number[], expects?: number): Turn => ({
    about,
    body: Buffer.from(body as string),
    ...(expects === undefined ? {} : { expects }),
  });
  const typed = (type: string, expects?: number): Turn => ({
    about: `content type ${type}`,
    headers: { 'Content-Type': type },
    ...(expects === undefined ? {} : { expects }),
  });
  const inner = fits.slice(1, -1);
  const and = inner === '' ? '' : `,${inner}`;
  return [
    ...notJson(fits).map((text) => of(`no JSON: ${text.slice(0, 20)}`, text, 400)),
    ...['null', '[]', '"x"', '0', 'true', `[${fits}]`, '['.repeat(20_000)].map((text) =>
      of(`no object: ${text.slice(0, 20)}`, text, 400),
    ),
    of('nothing', '', isOptional ? undefined : 400),
    of('a byte order mark', `\ufeff${fits}`),
    of('invalid UTF-8', [0xff, 0xfe, 0x7b, 0x7d], 400),
    of('invalid UTF-8 in a field', [...Buffer.from(`{"title":"`), 0xc3, 0x28, 0xff, ...Buffer.from(`"${and}}`)]),
    of('UTF-16', [...Buffer.from(fits, 'utf16le')], 400),
    of('prototype keys', `{"__proto__":{"attendees":[],"enabled":1},"constructor":{"prototype":{"x":1}}${and}}`),
    of('a key twice', `{"title":7,"attendees":null,"url":1,"since":1,"event_type":1${and}}`),
    of('an unknown field of deep arrays', `{"x":${'['.repeat(5_000)}${']'.repeat(5_000)}${and}}`),
    of('64 KiB', fits.padEnd(LARGEST)),
    of('64 KiB + 1', fits.padEnd(LARGEST + 1), 413),
    { ...of('64 KiB + 1 in chunks', fits.padEnd(LARGEST + 1), 413), isChunked: true },
    of('1 MiB', ' '.repeat(1024 * 1024), 413),
    ...OTHER_TYPES.map((type) => typed(type, 415)),
    ...['application/json; charset=utf-16', 'application/problem+json', 'APPLICATION/JSON;'].map((type) => typed(type)),
    { about: 'no content type', without: ['Content-Type'], expects: 415 },
    { about: 'said to be gzip', headers: { 'Content-Encoding': 'gzip' } },
  ];
}

/** Makes keys that are not valid here, and other spellings of the valid key. */
export function badKeys(
  kind: 'platform' | 'user' | 'none',
  right: Record<string, string>,
  { platform, users }: Stock,
): Turn[] {
  if (kind === 'none')
    return [{ about: 'a key nobody asked for', headers: { Authorization: `Bearer ${'x'.repeat(300)}` } }];
  const { secret_key, publishable_key } = platform;
  const key = right.Authorization?.slice(7) ?? '';
  const bearers: [text: string, expects?: number][] = [
    ...['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer null', key, `Bearer ${key}x`, `Bearer ${key} x`].map(
      (text): [string, number] => [text, 401],
    ),
    ...[
      `Bearer sk_live_${'x'.repeat(43)}`,
      `Bearer sk_user_${'é'.repeat(43)}`,
      `Bearer ${'x'.repeat(7_000)}`,
      `Bearer ' or 1=1 --`,
    ].map((text): [string, number] => [text, 401]),
    [`Bearer ${publishable_key}`, 403],
    [`Bearer ${kind === 'user' ? secret_key : (users[0]?.key ?? '')}`, 403],
    [`bearer ${key}`],
    [`BEARER   ${key}`],
  ];
  return [
    { about: 'no key', without: ['Authorization'], expects: 401 },
    { about: 'X-API-Key', without: ['Authorization'], headers: { 'X-API-Key': key } },
    {
      about: 'X-API-Key of the wrong kind',
      without: ['Authorization'],
      headers: { 'X-API-Key': publishable_key },
      expects: 403,
    },
    { about: 'two keys', headers: { Authorization: [`Bearer ${key}`, `Bearer ${key}`] } },
    ...bearers.map(([text, expects]) => ({
      ...{
        about: `Authorization: ${text.slice(0, 20)}…`,
        headers: { Authorization: Buffer.from(text).toString('latin1') },
      },
      ...(expects === undefined ? {} : { expects }),
    })),
  ];
}

export function badHeaders(takesIdempotencyKey: boolean): Turn[] {
  const idempotency: [key: string, isBad: boolean][] = [
    ...['', '""', '\t', 'é', 'a\tb', 'x'.repeat(256), `"${'x'.repeat(256)}"`, '\u00ff'.repeat(10)].map(
      (key): [string, boolean] => [key, true],
    ),
    ...['x'.repeat(255), '"', '"a"b"', '__proto__', "' or 1=1 --", '%00', '{}', ':'].map((key): [string, boolean] => [
      key,
      false,
    ]),
  ];
  return [
    ...idempotency.map(([key, isBad]) => ({
      about: `Idempotency-Key ${key.slice(0, 20)}`,
      headers: { 'Idempotency-Key': key },
      ...(isBad && takesIdempotencyKey ? { field: 'Idempotency-Key' } : {}),
    })),
    { about: 'two idempotency keys', headers: { 'Idempotency-Key': ['a', 'b'] } },
    ...['', 'a b', 'x'.repeat(65), 'é', '"x"', '<b>'].map((id) => ({
      about: `X-Request-Id ${id}`,
      headers: { 'X-Request-Id': id },
    })),
    { about: 'another host', headers: { 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'http' } },
    { about: 'a method override', headers: { 'X-HTTP-Method-Override': 'DELETE' } },
    { about: 'no JSON wanted', headers: { Accept: 'text/html', 'Accept-Language': '*', Cookie: 'tandem_session=x' } },
    { about: 'a part wanted', headers: { Range: 'bytes=0-1', 'If-None-Match': '*' } },
  ];
}
