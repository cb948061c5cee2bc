import { expect, test } from 'vitest';
import * as z from 'zod';
import { GROUPS } from '../../../functions/http/groups.ts';
import { check } from '../../../functions/http/input.ts';
import { AppError } from '../../../lib/kit/errors.ts';

const Body = z.object({
  name: z.string(),
  count: z.number(),
  flag: z.boolean(),
  list: z.array(z.string()),
  inner: z.object({ kind: z.enum(['a', 'b']) }),
});
const RIGHT = { name: 'x', count: 1, flag: true, list: ['x'], inner: { kind: 'a' } };

/** Returns the message with which a schema refuses a value, or undefined if it accepts the value. */
function refusal(schema: z.ZodType, value: unknown): string | undefined {
  try {
    check(schema, value);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

test.each([
  [{ name: 5 }, '`name` must be a string, not a number.'],
  [{ count: '5' }, '`count` must be a number, not a string.'],
  [{ flag: 'yes' }, '`flag` must be true or false, not a string.'],
  [{ list: 'x' }, '`list` must be an array, not a string.'],
  [{ list: ['x', true] }, '`list.1` must be a string, not true.'],
  [{ inner: [] }, '`inner` must be an object, not an array.'],
  [{ inner: { kind: 'c' } }, '`inner.kind` must be a or b.'],
  [{ name: undefined }, '`name` is required. Send it with the request.'],
  [{ name: null }, '`name` must be a string, not null.'],
])('a value of the wrong type is named with the type that is expected and the one that came: %j', (part, message) => {
  expect(refusal(Body, { ...RIGHT, ...part })).toBe(message);
});

test('every field of every body says what it must be', () => {
  const operations = GROUPS.flatMap((group) => group.operations);
  const told = operations.flatMap(({ body }) => {
    const shape = body && shapeOf(body);
    return Object.entries(shape ?? {}).flatMap(([name, field]) =>
      [5.5, 'x', true, ['x'], [5], {}, { x: {} }].flatMap(
        (value) => refusal(z.object({ [name]: field }), { [name]: value }) ?? [],
      ),
    );
  });
  expect(told.length).toBeGreaterThan(100);
  for (const message of told)
    expect(message).toMatch(/^(?:`[^`]+` (?:must |is required)|`[^`]+`(?:, `[^`]+`)* and `[^`]+` are required)/);
});

function shapeOf(schema: z.ZodType): z.ZodRawShape {
  if (schema instanceof z.ZodObject) return schema.shape as z.ZodRawShape;
  if (schema instanceof z.ZodPipe) return shapeOf(schema.def.in as z.ZodType);
  throw new Error('A body is an object.');
}
