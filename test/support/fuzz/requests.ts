import fc from 'fast-check';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { formatCursor } from '../../../schema/api/paging.ts';
import type { Json } from '../checks/openapi.ts';
import { world } from '../worlds/world.ts';
import {
  badBodies,
  badHeaders,
  badKeys,
  hostileQuery,
  hostileSegment,
  hostileValue,
  spoilt,
  spoiltEverywhere,
  type Turn,
  toJson,
} from './hostile.ts';
import type { Wire } from './send.ts';
import { BACK, type Stock, type Target } from './stock.ts';

/** Existing values for fields whose schema cannot name them: by field name, or addresses for any field. */
interface Known {
  emails: string[];
  now: number;
  named: Record<string, readonly unknown[]>;
}

interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  anyOf?: Json[];
  items?: Json;
  properties?: Record<string, Json>;
  required?: string[];
}

const SPELLINGS = [
  (iso: string) => iso,
  (iso: string) => iso.toLowerCase(),
  (iso: string) => iso.replace(/(T\d\d:\d\d):\d\d/, '$1'),
];
const OFFSETS = [0, 60, -300, 330, 345, 765, -570];

/** Makes values that fit a schema of the document whose references are resolved. Most of them also make sense. */
function fitting(json: Json, known: Known, name = ''): fc.Arbitrary<unknown> {
  const schema: Schema = json;
  const named = known.named[name];
  if (named !== undefined) return fc.constantFrom(...named);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (name === 'attendees') return fc.shuffledSubarray(known.emails, { minLength: 2, maxLength: 2 });
  if (schema.anyOf !== undefined)
    return fc.oneof(
      ...schema.anyOf.map((one) => ({ weight: isNull(one) ? 1 : 8, arbitrary: fitting(one, known, name) })),
    );
  if (isNull(schema)) return fc.constant(null);
  if (schema.type === 'object') return anObject(schema, known);
  if (schema.type === 'array') {
    const { items = {}, minItems = 0, maxItems = 4 } = schema;
    return fc.array(fitting(items, known), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) });
  }
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 500 });
  if (schema.type === 'string') return aText(schema, known);
  return fc.constant({});
}

const isNull = ({ type }: Schema) => type === 'null';

function anObject({ properties = {}, required = [] }: Schema, known: Known): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, fitting(schema, known, name)] as const);
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true })
    .map((object) => inOrder('enabled' in properties && 'start' in properties ? aDay(object) : object));
}

function aText({ format, pattern, minLength = 0, maxLength = 200 }: Schema, known: Known): fc.Arbitrary<string> {
  if (format === 'email') return fc.constantFrom(...known.emails);
  if (format === 'date')
    return fc.integer({ min: 0, max: 60 }).map((days) => isoAt(known.now + days * DAY, 0).slice(0, 10));
  if (pattern?.includes('[tT]'))
    return fc
      .tuple(fc.integer({ min: 24, max: 24 * 80 }), fc.constantFrom(...OFFSETS), fc.constantFrom(...SPELLINGS))
      .map(([hours, offset, spelled]) => spelled(isoAt(known.now + hours * 3_600_000, offset)));
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) });
}

function isoAt(ms: number, offsetMinutes: number): string {
  const local = new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, 19);
  if (offsetMinutes === 0) return `${local}Z`;
  const size = Math.abs(offsetMinutes);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`;
}

/** Gives a day both times or none, because only a day off may lack them. */
const aDay = (day: Record<string, unknown>): Record<string, unknown> =>
  typeof day.start === 'string' && typeof day.end === 'string' ? day : { enabled: false };

const PAIRS = [
  ['start', 'end'],
  ['start_date', 'end_date'],
  ['from', 'to'],
] as const;

/**
 * Applies a rule the schema cannot express: an end is later than its start, and a meeting ends half an hour after its
 * start.
 */
function inOrder(object: Record<string, unknown>): Record<string, unknown> {
  const ordered = { ...object };
  for (const [first, last] of PAIRS) {
    const [one, other] = [ordered[first], ordered[last]];
    if (first === 'start_date' && (one === undefined || other === undefined)) {
      delete ordered[first];
      delete ordered[last];
    }
    if (typeof one !== 'string' || typeof other !== 'string' || at(one) <= at(other)) continue;
    ordered[first] = other;
    ordered[last] = one;
  }
  if (typeof ordered.start_time === 'string' && 'end_time' in ordered)
    ordered.end_time = isoAt(at(ordered.start_time) + 1_800_000, 0);
  return ordered;
}

const at = (text: string): number =>
  /^\d\d:\d\d$/.test(text) ? Number(text.replace(':', '')) : Date.parse(text.toUpperCase());

/** A request, with the facts the judge needs about it. */
export interface Fuzzed extends Wire {
  kind: string;
  about: string;
  /** The one field that was spoilt in an otherwise valid request. */
  field?: string;
  /** Body as the Worker reads it, if it is a JSON object. */
  sent?: unknown;
  query: [name: string, value: string][];
  /** Status that a rule demands, whatever else is wrong. */
  expects?: number;
}

export const REQUEST_ID = 'fuzz-';

interface Base {
  segments: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
  key: Record<string, string>;
  address: number;
}

/** Makes requests for an operation: valid ones, nearly valid ones, and garbage. */
export function requestsFor(target: Target, stock: Stock): fc.Arbitrary<Fuzzed> {
  const base = basesFor(target, stock);
  const as = (kind: string, turns: (base: Base) => fc.Arbitrary<Turn>) =>
    base.chain((one) => turns(one).map((turn) => written(target, one, kind, turn)));
  const kinds = [{ weight: 4, arbitrary: as('fitting', () => fc.constant({ about: 'as documented' })) }];
  const add = (weight: number, kind: string, turns: (base: Base) => fc.Arbitrary<Turn>) =>
    kinds.push({ weight, arbitrary: as(kind, turns) });

  if (target.body !== undefined) {
    add(8, 'spoilt', ({ body }) => spoilt(body ?? {}).map(asTurn));
    add(4, 'garbage', ({ body }) => fc.constantFrom(...badBodies(toJson(body), target.isBodyOptional)));
  } else
    add(1, 'garbage', () =>
      hostileValue
        .filter((value) => toJson(value).length < 2_000)
        .map((value) => ({ about: 'a body nobody asked for', body: Buffer.from(toJson(value)) })),
    );
  if (target.queryNames.length > 0)
    add(6, 'query', () =>
      fc
        .tuple(fc.constantFrom(...target.queryNames), hostileQuery, fc.boolean())
        .map(([name, value, again]) => ({
          about: `query ${name}=${value}`,
          field: name,
          parameter: [name, value, again],
        })),
    );
  if (target.segments.length > 0)
    add(3, 'path', () =>
      fc
        .tuple(fc.constantFrom(...target.segments), hostileSegment)
        .map(([name, value]) => ({ about: `path ${name}=${value}`, segment: [name, value] })),
    );
  add(2, 'key', ({ key }) => fc.constantFrom(...badKeys(target.key, key, stock)));
  add(2, 'header', () => fc.constantFrom(...badHeaders(target.takesIdempotencyKey)));
  add(1, 'method', () =>
    fc.constantFrom(...target.otherMethods).map((method) => ({ about: `method ${method}`, method, expects: 405 })),
  );
  add(1, 'slash', () => fc.constant({ about: 'a trailing slash', suffix: '/', expects: 404 }));
  return fc.oneof(...kinds);
}

/** Makes requests with one wrong field in the body each, for every field in turn. */
export function spoiltFor(target: Target, stock: Stock, seed: number): Fuzzed[] {
  const bases = fc.sample(basesFor(target, stock), { seed, numRuns: 30 });
  const size = ({ body }: Base) => Object.keys(body ?? {}).length;
  const [fullest] = bases.toSorted((one, other) => size(other) - size(one));
  if (fullest?.body === undefined) return [];
  return spoiltEverywhere(fullest.body).map((made) => written(target, fullest, 'spoilt', asTurn(made)));
}

const asTurn = (made: { body: unknown; field: string; about: string }): Turn => {
  const json = toJson(made.body);
  return { ...made, sent: JSON.parse(json), body: Buffer.from(json) };
};

/** Prefixes of the ids in a list's cursors. Other lists use the prefix of deliveries. */
const ROWS: Record<string, string> = {
  listProposals: 'prop_abc',
  getBatch: 'batch_abc',
  listMeetings: 'meet_abc',
  listUserMeetings: 'meet_abc',
  listPlatformUsers: 'usr_abc',
  listCalendars: 'usr_abc',
  getLearning: 'learn_abc',
  listAuditLog: 'audit_abc',
};
const cursorOf = (operationId: string) =>
  formatCursor({ at: 1_795_249_123_456, id: ROWS[operationId] ?? 'wh_del_abc' });

function basesFor(target: Target, stock: Stock): fc.Arbitrary<Base> {
  const people = [...stock.attendees, ...(target.changesNothing ? stock.users.map(({ email }) => email) : [])];
  const known: Known = {
    emails: people,
    now: world.clock.now(),
    named: {
      requested_by: stock.attendees,
      // `acceptProposal` has the first proposal.
      time_id: stock.times.slice(0, 1),
      // A meeting keeps its first attendee.
      ...(target.operation.operationId === 'updateMeeting' ? { attendees: [stock.attendees] } : {}),
      platform_key: [stock.platform.publishable_key],
      redirect_uri: [BACK],
      cursor: [cursorOf(target.operation.operationId)],
      timezone: ZONES,
      guest_time_zone: ZONES,
      url: [stock.platform.webhookUrl, `${stock.platform.webhookUrl}-2`],
      webhook_url: [stock.platform.webhookUrl, `${stock.platform.webhookUrl}-2`],
      redirect_uris: [[], ['https://app.test/back'], ['http://localhost:3000/back', 'https://app.test/?a=1']],
    },
  };
  const segments = fc.record(
    Object.fromEntries(
      target.segments.map((name) => [name, fc.constantFrom(...target.idsIn(stock, name)).map(encodeURIComponent)]),
    ),
    { noNullPrototype: true },
  );
  const query = fitting(target.query, known) as fc.Arbitrary<Record<string, unknown>>;
  const body =
    target.body === undefined
      ? fc.constant(undefined)
      : (fitting(target.body, known) as fc.Arbitrary<Record<string, unknown>>);
  const key = fc
    .constantFrom(...target.keysIn(stock))
    .map((secret): Record<string, string> => (secret === undefined ? {} : { Authorization: `Bearer ${secret}` }));
  return fc
    .record({ segments, query, body, key, address: fc.nat(65_535) })
    .map((one) => ({ ...one, body: bodyOf(target, stock, one) }));
}

const ZONES = ['Europe/London', 'America/New_York', 'Asia/Kathmandu'];

/** Returns a drawn body that keeps the rules between its fields, which the document's schema cannot say. */
function bodyOf(target: Target, stock: Stock, { body, segments }: Pick<Base, 'body' | 'segments'>): Base['body'] {
  if (body === undefined) return undefined;
  if (target.operation.operationId === 'proposeTimes') {
    // A proposal of a new meeting, with given times or what Tandem picks them by.
    const { meeting_id: _, count, when, time_ranges, ...given } = body;
    const isGiven = given.times !== undefined && given.times !== null;
    return {
      ...{ attendees: stock.attendees, duration_minutes: 30, title: 'Offered' },
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
      ...(isGiven ? {} : { count, when, time_ranges }),
    };
  }
  return 'meeting_id' in body ? { ...body, meeting_id: segments.meeting_id } : body;
}

function written(target: Target, base: Base, kind: string, turn: Turn): Fuzzed {
  const { segment, parameter, suffix = '', about } = turn;
  const segments = segment === undefined ? base.segments : { ...base.segments, [segment[0]]: segment[1] };
  const path = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segments[name] ?? '') + suffix;
  const query = Object.entries(base.query).map(([name, value]): [string, string] => [
    name,
    encodeURIComponent(String(value)),
  ]);
  const others = parameter?.[2] ? query : query.filter(([name]) => name !== parameter?.[0]);
  const all: [string, string][] = parameter === undefined ? query : [...others, [parameter[0], parameter[1]]];
  const ownBody = base.body === undefined ? undefined : Buffer.from(toJson(base.body));
  const method = turn.method ?? target.method;
  const body = 'body' in turn ? turn.body : method === target.method ? ownBody : undefined;
  const fuzzed: Fuzzed = {
    kind,
    about,
    method,
    query: all,
    body,
    target: path + (all.length === 0 ? '' : `?${all.map((pair) => pair.join('=')).join('&')}`),
    headers: {
      'CF-Connecting-IP': `198.19.${base.address >> 8}.${base.address & 255}`,
      'X-Request-Id': `${REQUEST_ID}${base.address}`,
      ...base.key,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...turn.headers,
    },
    ...(turn.isChunked ? { isChunked: true } : {}),
    ...(turn.field === undefined ? {} : { field: turn.field }),
    ...(turn.expects === undefined ? {} : { expects: turn.expects }),
    ...('sent' in turn ? { sent: turn.sent } : 'body' in turn || base.body === undefined ? {} : { sent: base.body }),
  };
  for (const name of turn.without ?? []) delete fuzzed.headers[name];
  return fuzzed;
}
