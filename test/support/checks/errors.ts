import { expect } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../schema/api/http-errors.ts';
import { world } from '../worlds/world.ts';

interface Shown {
  error: string | { code: string; message?: unknown; [field: string]: unknown };
  [field: string]: unknown;
}

/** Returns a whole error body from the parts of its own, and adds the fields that every error has. */
export function wholeError({ error, ...shown }: Shown) {
  if (typeof error !== 'string') return { error: { ...error, ...carried(error.code), ...shown } };
  const code = Object.keys(ERRORS).find((name) => ERRORS[name as ErrorCode].title === error) ?? 'no such title';
  return { error, ...carried(code), ...shown };
}

/** Matches the message for a time that has passed. It also gives the server's time, to the second. */
export const inThePast = (field: string): string =>
  expect.stringMatching(
    new RegExp(
      `^\`${field}\` must be in the future\\. The time on our server is 20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\\.$`,
    ),
  );

const carried = (code: string) => ({
  code,
  request_id: expect.stringMatching(/^[\w-]{1,64}$/),
  docs: `${world.baseUrl}/docs/errors#${code}`,
});

/** Returns the answer to a request that is refused in the nested format. */
export const refusal = (status: number, code: string, more: object = {}) => ({
  status,
  body: wholeError({ error: { code, ...more } }),
});

/** Returns the answer to a request that is refused in the flat format. */
export const flatRefusal = (status: number, error: string, more: object) => ({
  status,
  body: wholeError({ error, ...more }),
});

/** Returns bodies that are refused with one code, and for one field if any: each as its name, itself and the answer. */
export const refusals = (
  code: string,
  field: string | undefined,
  bodies: [name: string, body: unknown, message: string][],
) => bodies.map(([name, body, message]) => [name, body, refusal(400, code, { message, field })] as const);

export const NO_OBJECT = refusals('invalid_request', undefined, [
  ['a list as body', [], 'The request body must be a JSON object, such as {"name": "value"}, not an array.'],
  [
    'malformed JSON',
    '{"attendees": [',
    'The request body is not valid JSON. Look for a missing quote, comma or brace, and send the body again.',
  ],
]);

/** Answer to a key that never existed, was replaced or was revoked. */
export const NOT_VALID = flatRefusal(401, 'Unauthorized', {
  message:
    'The API key in the header Authorization is not valid. Send the whole key, and check that it was not replaced or revoked.',
});
