import { expect, test } from 'vitest';
import { GROUPS } from '../../../functions/http/groups.ts';
import { createTandem } from '../../../lib/client/tandem.ts';

/** Operations without a client method, because browsers open them or tools read them. */
const NO_METHOD = ['authorizeCalendar', 'getOpenapi'];
/** Client methods that stand for no operation. */
const NO_OPERATION = ['waitForJob', 'waitForBatch', 'listBatchMeetings'];

const OPERATIONS = GROUPS.flatMap(({ operations }) => operations).filter(({ id }) => !NO_METHOD.includes(id));

test('every operation is a method of its name, and no other method is there', () => {
  const methods = Object.keys(createTandem({ apiKey: 'k', baseUrl: 'https://api.test' }));
  const named = OPERATIONS.map(({ id }) => id);
  expect(methods.toSorted()).toEqual([...named, ...NO_OPERATION].toSorted());
});

test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  '%s asks for its path, with a key where the operation takes one',
  async (id, { method, path, takesIdempotencyKey = false }) => {
    const sent: [string | undefined, string, boolean][] = [];
    const send: typeof fetch = async (url, init) => {
      const { pathname } = new URL(String(url));
      sent.push([init?.method, pathname, new Headers(init?.headers).has('idempotency-key')]);
      return Response.json({});
    };
    const tandem = createTandem({ apiKey: 'k', baseUrl: 'https://api.test', fetch: send });
    // Every method takes the path's parameters first.
    const ask = tandem[id as keyof typeof tandem] as (...args: unknown[]) => Promise<unknown>;
    await ask(...(path.includes('{') || id === 'getPlatformUserStatus' ? ['x1'] : []));
    expect(sent).toEqual([[method.toUpperCase(), path.replace(/\{\w+\}/, 'x1'), takesIdempotencyKey]]);
  },
);
