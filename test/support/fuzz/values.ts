import fc from 'fast-check';
import { DAY } from '../../../lib/engine/time/dates.ts';
import type { Json } from '../checks/openapi.ts';

/** Existing values for fields whose schema cannot name them: by field name, or addresses for any field. */
export interface Known {
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
export function fitting(json: Json, known: Known, name = ''): fc.Arbitrary<unknown> {
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

/** Returns a number that puts clock times, dates and date-times in order. */
const at = (text: string): number =>
  /^\d\d:\d\d$/.test(text) ? Number(text.replace(':', '')) : Date.parse(text.toUpperCase());
