import { describe, expect, test } from 'vitest';
import { documented, type Json, readDocument } from '../../support/checks/openapi.ts';

const document = readDocument();
const webhooks = Object.entries(document.webhooks).map(([name, { post: operation }]) => ({ name, operation }));

/** Returns true if a schema, or the schema it refers to, has a description. */
function isDescribed({ description, $ref }: Json): boolean {
  if (typeof description === 'string') return /\w/.test(description);
  const named = typeof $ref === 'string' ? document.components.schemas[$ref.replace('#/components/schemas/', '')] : {};
  return named?.description !== undefined;
}

/** Yields every field of a schema, at any depth, with its path. */
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
      ...[...documented(), ...webhooks].flatMap(({ name, operation }) => [...fields(operation, name)]),
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
    const body = requestBody?.content?.['application/json'];
    if (body !== undefined) expect(body.example ?? body.examples).toMatchObject({});
    for (const { in: place, example } of parameters) if (place === 'path') expect(example).toBeTruthy();
    for (const [status, { content }] of Object.entries(responses)) {
      const { example, examples } = content?.['application/json'] ?? { examples: {} };
      if (content?.['application/json'] === undefined) continue;
      expect(Number(status) < 400 ? (example ?? examples) : examples, status).toMatchObject({});
      if (Number(status) >= 400) expect(Object.keys(examples ?? {})).not.toEqual([]);
    }
  });

  test('no default in a body: generators take a field that has one as one that is always there', () => {
    const bodies = documented().flatMap(({ operation }) => operation.requestBody?.content?.['application/json'] ?? []);
    const names = bodies.flatMap(({ schema: { $ref } }) => String($ref).replace('#/components/schemas/', ''));
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(JSON.stringify(document.components.schemas[name])).not.toContain('"default"');
  });
});
