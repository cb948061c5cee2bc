import { describe, expect, test, vi } from 'vitest';
import { createLog } from '../../functions/http/log.ts';
import { readStartOptions } from './options.ts';
import { seedOrExplain, shownLine, welcome } from './welcome.ts';
import type { World } from './world.ts';

const stack = {
  base_url: 'http://localhost:8787',
  world_url: 'http://127.0.0.1:8788',
  platform: { id: 'plat_1', secret_key: 'sk_live_1', publishable_key: 'pk_live_1', webhook_secret: 'whsec_1' },
  users: [
    { email: 'ann@demo.test', timezone: 'Europe/Lisbon', api_key: 'sk_user_1' },
    { email: 'ben@demo.test', timezone: 'America/New_York', api_key: 'sk_user_2' },
  ],
  cases: [{ email: 'slow@demo.test', timezone: 'Europe/Madrid', what: 'Is slow.' }],
};

test('keys that were replaced are not shown as valid', () => {
  const [ann, ben] = stack.users;
  if (ann === undefined || ben === undefined) throw new Error('two people are missing');
  const platform = { ...stack.platform, secret_key: null, webhook_secret: 'whsec_2' };
  const text = welcome({ ...stack, platform, users: [{ ...ann, api_key: null }, ben] });
  expect(text).toContain('secret key       replaced since, so only you have it');
  expect(text).toMatch(/ann@demo.test +Europe\/Lisbon +replaced since/);
  expect(text).toContain('sk_user_2');
  expect(curlsIn(text)[0]).toContain("'Authorization: Bearer <your secret key>'");
});

test('when no time was found, it says what belongs there', () => {
  expect(curlsIn(welcome(stack))[1]).toContain('"start_time":"<start_time of a slot in that answer>"');
});

function curlsIn(text: string): string[] {
  return text.split('\n').filter((line) => line.trim().startsWith('curl'));
}

test('a failed first start shows the errors that the Worker logged last, and what to do', async () => {
  const logged = ['{"level":"info","message":"request"}', '{"level":"error","message":"the calendar failed"}'];
  const world = { logs: () => logged } as World;
  const failed = seedOrExplain(world, () => Promise.reject(new Error('connecting ana ended with 500')));
  await expect(failed).rejects.toThrow(
    [
      'connecting ana ended with 500',
      '{"level":"error","message":"the calendar failed"}',
      'A busy machine may be the cause. Run `npm start` again.',
    ].join('\n'),
  );
});

function logged(level: 'info' | 'error', message: string, fields: object): string {
  const lines: string[] = [];
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line) => void lines.push(line)),
  );
  createLog('req_a')(level, message, { ...fields });
  for (const spy of spies) spy.mockRestore();
  return lines.join('\n');
}

const request = (route: string, ended: object = { status: 200 }) =>
  logged('info', 'request', { method: 'POST', route, ...ended, duration_ms: 38 });

test('a request is a line that a person reads', () => {
  expect(shownLine(request('/v1/schedule'))).toBe('POST /v1/schedule 200 in 38 ms');
  expect(shownLine(request('/v1/schedule', { status: 409, code: 'slot_unavailable' }))).toBe(
    'POST /v1/schedule 409 slot_unavailable in 38 ms',
  );
});

test("the service's calls to itself and other information are not shown", () => {
  expect(shownLine(request('/internal/sweep'))).toBeUndefined();
  expect(shownLine(logged('info', 'swept', { count: 3 }))).toBeUndefined();
});

test('an error is shown whole, and so is what another program says', () => {
  const error = logged('error', 'request', { method: 'POST', route: '/internal/sweep', status: 500, duration_ms: 38 });
  expect(shownLine(error)).toBe(error);
  expect(shownLine('workerd: out of memory')).toBe('workerd: out of memory');
});

test('without options everything runs in this process, on port 8787, kept in .local', () => {
  expect(readStartOptions([])).toEqual({
    options: { port: 8787, fresh: false, data: '.local', wrangler: false, logs: false },
  });
});

describe('a mistake is named above the usage, and ends with 2', () => {
  test.each([
    [['--prot', '9000'], "Unknown option '--prot'."],
    [['--port', '65536'], '--port must be a whole number from 1 to 65535.'],
    [['--data', ''], '--data must name a folder.'],
    [['--postgres', '127.0.0.1:5432'], '--postgres must be a URL that starts with postgres://.'],
    [['--redis', 'http://127.0.0.1'], '--redis must be a URL that starts with redis://.'],
  ])('%j', (args, said) => {
    const asked = readStartOptions(args);
    if (!('print' in asked)) throw new Error('taken');
    expect(asked.exitCode).toBe(2);
    expect(asked.print.split('\n')[0]).toBe(said);
    expect(asked.print).toContain('Usage: npm start -- [options]');
  });
});
