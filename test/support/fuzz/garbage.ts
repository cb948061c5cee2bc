import type { Stock } from './stock.ts';

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
    ...[
      '{',
      '}',
      '{"a":',
      fits.slice(0, -1),
      `${fits}${fits}`,
      `${fits},`,
      "{'a':1}",
      '{a:1}',
      'a=b',
      '<x/>',
      'NaN',
    ].map((text) => of(`no JSON: ${text.slice(0, 20)}`, text, 400)),
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
    ...[
      'text/plain',
      '',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'json',
      'application/jsonp',
    ].map((type) => typed(type, 415)),
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

/** Makes headers that no client sends. */
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
