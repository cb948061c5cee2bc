import fc from 'fast-check';

/** Numbers that JSON can write and JavaScript cannot. `toJson` writes them. */
const SPELLED = ['1e400', '-1e400', '1e-400', '123456789012345678901234567890', '-0', '30.0', '1E1'];
const spelled = (text: string) => `@@${text}@@`;

/** Writes a body as JSON and keeps the numbers of `SPELLED` as they are. */
export const toJson = (body: unknown): string => JSON.stringify(body).replaceAll(/"@@([^"]+)@@"/g, '$1');

const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '$gt', ''];

const TEXTS = [
  ...[
    '',
    ' ',
    '30',
    'NaN',
    'Infinity',
    'null',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00x',
    '\u202e',
    '\ufeff',
    '😀',
    '👩‍👩‍👧‍👦',
  ],
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
  'Mars/Olympus',
  'utc',
  'GMT+25',
  'Etc/GMT+12',
  'Pacific/Chatham',
  '+05:30',
  'America/New_York ',
  'localtime',
];
const URLS = [
  ...[
    'http://inbox.platform.test/',
    'https://',
    'https://a:b@inbox.platform.test/',
    'https://127.0.0.1/',
    'ftp://x.test',
  ],
  ...[
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0x7f.1/',
    'https://localhost./',
    'https://x.test:99999/',
  ],
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

/** Text of a query parameter, already escaped. */
export const hostileQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '%00',
    '%ff',
    '%',
    '%E0%A4%A',
    '+',
    '%ED%A0%80',
    '1e1',
    '+30',
    '%2030',
    '0x1e',
    '30.0',
    '-0',
    '1e400',
  ),
  fc.constantFrom(
    '%D9%A3%D9%A0',
    '__proto__',
    'a'.repeat(6_000),
    '%F0%9F%98%80',
    'true',
    '[]',
    '15abc',
    '0',
    '201',
    '007',
  ),
  fc.constantFrom(...TIMES, ...ADDRESSES, ...ZONES).map((text) => encodeURIComponent(text)),
);

/** A segment of the path, already escaped. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%00',
    '%ff',
    '%',
    '%2F',
    '%2e%2e',
    '..',
    '.',
    'x'.repeat(3_000),
    '%F0%9F%98%80',
    '__proto__',
    '%E0%A4%A',
  ),
  fc.constantFrom(
    'constructor',
    '%27%20or%201%3D1',
    '%20',
    '%ED%A0%80',
    ';',
    '%EF%BF%BF',
    '%0d%0a',
    `meet_${'0'.repeat(90)}`,
  ),
  fc.constantFrom('a%00%40people.test', '*', ':email', '%252F', '%u0041', 'undefined', 'null', '-1', '%5C', '@', '%23'),
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
