import { ERRORS } from '../../schema/api/http-errors.ts';
import type { OpenapiDocument } from '../http/files.ts';
import { type JsonSchema, type NamedSchemas, resolved } from '../http/whole-schema.ts';

/** Field of a request, a response or an event, or an operation or error code as a whole. */
export type Term = { types: string[]; isRequired: boolean; limits?: Record<string, number> };

/** Code relies on these places: `POST /v1/schedule > title` of a request, `POST /v1/schedule < meeting_id` of an answer. */
export type Contract = Record<string, Term>;

export function contractOf(text: string): Contract {
  const { paths, webhooks, components } = JSON.parse(text) as OpenapiDocument;
  const named = components.schemas;
  const contract: Contract = {};
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  for (const { name, operation } of operations) {
    const { parameters = [], requestBody, responses } = operation;
    const [status = ''] = Object.keys(responses).filter((one) => one < '400');
    contract[name] = { types: [status], isRequired: false };
    for (const { in: place, name: field, required, schema } of parameters)
      add(contract, `${name} > ${place} ${field}`, schema, required === true, named);
    const body = requestBody?.content?.['application/json']?.schema;
    const answer = responses[status]?.content?.['application/json']?.schema;
    if (body !== undefined) add(contract, `${name} > body`, body, requestBody?.required === true, named);
    if (answer !== undefined) add(contract, `${name} < body`, answer, true, named);
  }
  for (const [type, { post }] of Object.entries(webhooks))
    add(contract, `event ${type} < body`, post.requestBody?.content?.['application/json']?.schema ?? {}, true, named);
  for (const [code, { status }] of Object.entries(ERRORS))
    contract[`error ${code}`] = { types: [String(status)], isRequired: false };
  return contract;
}

const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];

function add(to: Contract, name: string, schema: JsonSchema, isRequired: boolean, named: NamedSchemas): void {
  const whole = resolved(schema, named);
  const members = whole.anyOf ?? whole.oneOf;
  if (members !== undefined) {
    const parts = members.map((one) => {
      const part: Contract = {};
      add(part, name, one, isRequired, named);
      return part;
    });
    const objects = parts.filter((part) => part[name]?.types.includes('object'));
    for (const key of new Set(parts.flatMap((part) => Object.keys(part)))) {
      const found = parts.flatMap((part) => part[key] ?? []);
      const isEverywhere = objects.every((part) => part[key] !== undefined);
      const every = found.every((one) => one.isRequired) && (key === name || isEverywhere);
      to[key] = termOf(
        found.flatMap(({ types }) => types),
        every,
        Object.assign({}, ...found.map(({ limits }) => limits)),
      );
    }
    return;
  }
  const limits = name.includes(' < ') ? [] : LIMITS.filter((one) => typeof whole[one] === 'number');
  to[name] = termOf(typesOf(whole), isRequired, Object.fromEntries(limits.map((one) => [one, whole[one] as number])));
  const { properties = {}, required = [], items, additionalProperties } = whole;
  for (const [field, its] of Object.entries(properties))
    add(to, `${name}.${field}`, its, required.includes(field), named);
  if (items !== undefined) add(to, `${name}[]`, items, true, named);
  if (typeof additionalProperties === 'object') add(to, `${name}.*`, additionalProperties, false, named);
}

const termOf = (types: string[], isRequired: boolean, limits: Record<string, number>): Term => ({
  types: [...new Set(types)].toSorted(),
  isRequired,
  ...(Object.keys(limits).length === 0 ? {} : { limits }),
});

function typesOf({ enum: values, const: only, type }: JsonSchema): string[] {
  if (values !== undefined) return values.map((one) => JSON.stringify(one));
  if (only !== undefined) return [JSON.stringify(only)];
  return [type ?? 'any'].flat();
}

/** Fields of responses and events that may get new values within a version. */
const GROWS = /(?:^|[.\]])(?:reason|reasons\[\]|code|event_type|comfort_factors\[\]\.name)$/;

/** Has a sentence for each promise of `/docs/changelog` that code for the old contract would miss. */
export const findBroken = (old: Contract, now: Contract): string[] => [
  ...Object.entries(old).flatMap(([name, before]) => brokenIn(name, before, now[name])),
  ...newlyRequired(old, now),
];

function brokenIn(name: string, before: Term, after: Term | undefined): string[] {
  if (after === undefined) return [`${name} was removed.`];
  const lost = before.types.filter((one) => !after.types.includes(one));
  const gained = after.types.filter((one) => !before.types.includes(one));
  const broken = lost.length > 0 ? [`${name} no longer has the type or value ${lost.join(', ')}.`] : [];
  if (name.includes(' > ')) {
    if (after.isRequired && !before.isRequired) broken.push(`${name} is now required.`);
    return [...broken, ...tighter(before, after).map((limit) => `${name} has a narrower ${limit}.`)];
  }
  const mayGrow = GROWS.test(name) && gained.every((one) => one.startsWith('"'));
  if (gained.length > 0 && !mayGrow) broken.push(`${name} can now be ${gained.join(', ')}.`);
  if (before.isRequired && !after.isRequired) broken.push(`${name} is no longer always there.`);
  return broken;
}

const tighter = ({ limits: before = {} }: Term, { limits: after = {} }: Term) =>
  Object.entries(after).flatMap(([limit, value]) => {
    const was = before[limit];
    const isTighter = was === undefined || (limit.startsWith('max') ? value < was : value > was);
    return isTighter ? [limit] : [];
  });

const newlyRequired = (old: Contract, now: Contract) =>
  Object.entries(now).flatMap(([name, { isRequired }]) => {
    const [operation = '', field] = name.split(' > ');
    const parent = name.replace(/(?:\.[^.[\]]+|\[\])$/, '');
    const isNew = field !== undefined && old[name] === undefined && old[operation] !== undefined;
    return isNew && isRequired && (parent === name || old[parent] !== undefined)
      ? [`${name} is new and required.`]
      : [];
  });

export interface Kept {
  /** Contract of the last release: the lines without a sign, and those with `-`, which no longer hold. */
  released: Contract;
  /** Contract of this version: the lines without a sign, and those with `+`, which are not released yet. */
  now: Contract;
}

export function readContract(text: string): Kept {
  const lines = text.split('\n').filter((line) => line !== '');
  const without = (sign: string): Contract =>
    Object.fromEntries(lines.flatMap((line) => (line.startsWith(sign) ? [] : [JSON.parse(line.replace(/^[-+]/, ''))])));
  return { released: without('+'), now: without('-') };
}

export function writeContract({ released, now }: Kept): string {
  const names = Object.keys({ ...released, ...now }).toSorted((one, other) => (one < other ? -1 : 1));
  return names
    .flatMap((name) => {
      const [then, today] = [released, now].map(({ [name]: term }) => term && JSON.stringify([name, term]));
      if (then === today) return [`${then}\n`];
      return [then && `-${then}\n`, today && `+${today}\n`];
    })
    .join('');
}
