import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../functions/http/log.ts';
import { InternalError } from '../../../lib/kit/errors.ts';
import { tellingLines } from '../../support/checks/words.ts';
import { bookable, hoursLater } from '../../support/people/bookings.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

interface Line {
  level: string;
  message: string;
  request_id: string;
  route?: string;
  error?: Record<string, unknown>[];
}

/** Returns the log lines of the request that got this answer. */
const linesOf = ({ headers }: Answer): Line[] =>
  world
    .logs()
    .filter((line) => line.startsWith('{'))
    .map((line): Line => JSON.parse(line))
    .filter(({ request_id }) => request_id === headers.get('x-request-id'));

const errorsOf = (answer: Answer) => linesOf(answer).filter(({ level }) => level === 'error');

describe('with Postgres failing, the log has what to look for and nobody’s words', () => {
  const FAULTS = [
    {
      name: 'refusing',
      fault: {
        mode: 'status' as const,
        status: 400,
        body: {
          message: 'invalid input: Board meeting of ada@people.test',
          code: '23514',
          detail: 'Failing row contains (Board meeting, ada@people.test).',
          constraint: 'meetings_status',
        },
      },
      shows: { code: '23514', constraint: 'meetings_status' },
    },
    { name: 'away', fault: { mode: 'reset' as const }, shows: {} },
  ];

  test.each(FAULTS)('$name', async ({ fault, shows }) => {
    const { platform, ada, body, start } = await bookable({ plan: 'pro' });
    const { api } = platform;
    const word = `Board meeting ${randomUUID()}`;
    const booked = await api.schedule({ ...body, title: word });
    const path = `/v1/meetings/${(booked.body as { meeting_id: string }).meeting_id}`;
    const requests: [route: string, send: () => Promise<Answer>, match: string][] = [
      ['/v1/calendars', () => api.calendars(), 'connections'],
      ['/v1/users/:email/meetings', () => api.send('GET', `/v1/users/${ada.email}/meetings`), 'meeting_people'],
      ['/v1/schedule', () => api.schedule({ ...body, title: word, description: word }), 'insert into'],
      [
        '/v1/meetings/:meeting_id',
        () => api.send('PUT', path, { start_time: hoursLater(start, 3), end_time: hoursLater(start, 4), reason: word }),
        'meetings',
      ],
    ];
    for (const [route, send, match] of requests) {
      world.faults.add({ target: 'neon', body_match: match, ...fault });
      const answer = await send();
      world.faults.clear();
      expect([route, answer.status]).toEqual([route, 500]);
      expect(answer.text).toContain(`The request ID is ${answer.headers.get('x-request-id')}.`);
      const [error] = errorsOf(answer);
      expect(error).toMatchObject({ route, error: expect.arrayContaining([expect.objectContaining(shows)]) });
      const facts = error?.error ?? [];
      expect(facts.some(({ query, name }) => query !== undefined || name === 'NeonDbError')).toBe(true);
      expect(facts[0]?.at).toEqual(expect.arrayContaining([expect.stringMatching(/^at /)]));
      expect(linesOf(answer).at(-1)).toMatchObject({ message: 'request', route, status: 500 });
    }
    expect(tellingLines(world.logs())).toEqual([]);
  });
});

test('a path is logged as its route, a stranger as none', async () => {
  const { platform, ada } = await bookable();
  const known = await platform.api.status(ada.email);
  expect(linesOf(known)).toEqual([expect.objectContaining({ route: '/v1/users/:email/status', status: 200 })]);
  const unknown = await platform.api.send('GET', `/v1/people/${ada.email}`);
  expect(linesOf(unknown)).toEqual([expect.objectContaining({ route: '/v1/*', status: 404 })]);
});

describe('an error in the log', () => {
  const lines: string[] = [];
  const logged = (error: unknown) => {
    lines.length = 0;
    const { error: write } = console;
    console.error = (line: string) => lines.push(line);
    createLog('request')('error', 'it failed', { error });
    console.error = write;
    return JSON.parse(lines[0] ?? '{}').error;
  };
  const at = expect.arrayContaining([expect.stringMatching(/^at /)]);

  test('is its name, its codes and where it was thrown, cause by cause', () => {
    const cause = Object.assign(new Error('Key (email)=(ada@people.test) exists.\n    at a place of hers'), {
      name: 'NeonDbError',
      code: '23505',
      constraint: 'users_email',
      detail: 'ada@people.test',
    });
    const error = Object.assign(new Error('Failed query', { cause }), {
      query: 'insert into "users" ("email") values ($1)',
      params: ['ada@people.test'],
    });
    expect(logged(error)).toEqual([
      { name: 'Error', query: 'insert users', at },
      { name: 'NeonDbError', code: '23505', constraint: 'users_email' },
    ]);
  });

  test('has its message when it is one of ours', () => {
    expect(logged(new InternalError('TOKEN_KEYS is empty.'))).toEqual([
      { name: 'InternalError', message: 'TOKEN_KEYS is empty.', at },
    ]);
  });

  test('is told by its type when it is none', () => {
    expect(logged('ada@people.test')).toEqual([{ name: 'thrown string' }]);
  });
});
