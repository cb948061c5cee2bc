import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { app } from '../../../functions/app.ts';
import { createLog } from '../../../functions/http/log.ts';
import { InternalError } from '../../../lib/kit/errors.ts';
import { ERROR_CODES, ERRORS } from '../../../schema/api/http-errors.ts';
import { tellingLines } from '../../support/checks/words.ts';
import { message } from '../../support/people/agents.ts';
import { bookable, freshPair, hoursLater } from '../../support/people/meetings.ts';
import { type Answer, createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

interface Line {
  level: string;
  message: string;
  request_id: string;
  route?: string;
  code?: string;
  error?: Record<string, unknown>[];
}

const linesOf = ({ headers }: Answer): Line[] =>
  world
    .logs()
    .filter((line) => line.startsWith('{'))
    .map((line): Line => JSON.parse(line))
    .filter(({ request_id }) => request_id === headers.get('x-request-id'));

const errorsOf = (answer: Answer) => linesOf(answer).filter(({ level }) => level === 'error');

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

test.each(FAULTS)('with Postgres $name, the log has what to look for and nobody’s words', async ({ fault, shows }) => {
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

const sources = ['functions', 'lib', 'schema'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/node_modules|^(?:cli|client)\//.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8')),
);

/** Returns every call of the log at the levels `warn` and `error`, and of the helper that warns, by their messages. */
const said = sources.flatMap((text) =>
  [
    ...text.matchAll(
      /\b(?:log(?:Of\(c\))?\(\s*'(warn|error)',\s*(?!message\b)|orLog\(log,\s*)('(?:[^'\\]|\\.)*'|[^,)\s]+)/g,
    ),
  ].map(([, level = 'warn', words = '']) => ({ level, words })),
);

/** Error codes that replace the message of a log line if a request failed on our side. */
const FAILURES = ERROR_CODES.filter((code) => ERRORS[code].status === 500);
const saidLines = ({ level, words }: (typeof said)[number]) =>
  words.startsWith("'") ? [`${level} ${words.slice(1, -1)}`] : FAILURES.map((code) => `${level} ${code}`);

describe('functions/LOGS.md', () => {
  const page = readFileSync('functions/LOGS.md', 'utf8');
  /** The rows of the table below a heading. A row may be about several lines of one level. */
  const rowsOf = (heading: string) => {
    const [, table = ''] = new RegExp(`### ${heading}\\n(.*?)\\n##`, 's').exec(page) ?? [];
    return [...table.matchAll(/^\| (`.+?) \|(.*)\|$/gm)].map(([, lines = '', rest = '']) => ({
      lines: [...lines.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line),
      cells: rest.split('|').map((cell) => cell.trim()),
    }));
  };
  const levels = { error: rowsOf('Errors'), warn: rowsOf('Warnings') };
  const rows = Object.values(levels).flat();

  test('has each warning and error of the source, and a source for each', () => {
    expect(said.length).toBeGreaterThan(30);
    const inSource = [...new Set(said.flatMap(saidLines))].sort();
    const onPage = Object.entries(levels).flatMap(([level, found]) =>
      found.flatMap(({ lines }) => lines.map((line) => `${level} ${line}`)),
    );
    expect(onPage.sort()).toEqual(inSource);
  });

  test('knows no message but words and codes', () => {
    const computed = said.filter(({ words }) => !words.startsWith("'")).map(({ words }) => words);
    expect([...new Set(computed)].sort()).toEqual(['failure.code', 'refusal.code']);
  });

  test('says of each what it means, what to do, and when to alert', () => {
    const wanting = rows.filter(({ cells }) => cells.length !== 3 || cells.some((cell) => cell === ''));
    expect(wanting).toEqual([]);
    const alerts = rows.map(({ cells }) => cells[2] ?? '');
    expect(alerts.filter((alert) => !/^(?:any|no|more than \d+ in .+|\d+ minutes in a row)$/.test(alert))).toEqual([]);
    // An error that needs no action should be a warning.
    expect(levels.error.filter(({ cells: [, , alert] }) => alert === 'no')).toEqual([]);
  });
});

const requestLine = (answer: Answer) => linesOf(answer).findLast(({ message }) => message === 'request');
const codeOf = (answer: Answer) => `${answer.status} ${requestLine(answer)?.code}`;
const stranger = () => createClient(world.baseUrl);

describe('the line of a refused request has its code', () => {
  const guarded = app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => [method, path.replaceAll(/:\w+/g, 'x')] as const);

  test('at every route that refuses a stranger', async () => {
    const without: string[] = [];
    let refused = 0;
    for (const [method, path] of new Set(guarded)) {
      const answer = await stranger().send(method, path);
      if (answer.status < 400) continue;
      refused += 1;
      const code = requestLine(answer)?.code;
      if (typeof code !== 'string' || code.startsWith('http_')) without.push(`${method} ${path}: ${String(code)}`);
    }
    expect(refused).toBeGreaterThan(60);
    expect(without).toEqual([]);
  });

  test('as the answer has it, nested and flat', async () => {
    const { platform, body } = await bookable();
    const { api } = platform;
    const asked = [
      await api.schedule({ ...body, duration_minutes: 1 }),
      await api.send('GET', '/v1/meetings/meet_nobody'),
      await api.send('GET', '/v1/nothing'),
      await api.send('PUT', '/health'),
      await api.send('POST', '/v1/schedule', '{'),
    ];
    expect(asked.map(codeOf)).toEqual([
      '400 invalid_duration',
      '404 meeting_not_found',
      '404 not_found',
      '405 method_not_allowed',
      '400 invalid_request',
    ]);
  });

  test('of a refusal that is given again under its key', async () => {
    const { platform, body, start } = await bookable();
    await platform.api.schedule(body);
    const headers = { 'Idempotency-Key': 'again' };
    const again = () =>
      platform.api.schedule({ ...body, start_time: start.toISOString(), require_free: true }, { headers });
    const [first, second] = [await again(), await again()];
    expect([codeOf(first), codeOf(second)]).toEqual(['409 slot_unavailable', '409 slot_unavailable']);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('of pages, consents and tools as well', async () => {
    const { platform } = await freshPair();
    const { body, headers } = message('tools/call', { name: 'get_job', arguments: { job_id: 'job_nobody' } });
    const asked = [
      await stranger().send('GET', '/me'),
      await stranger().send('GET', '/dashboard'),
      await stranger().send('GET', '/oauth/callback?state=x'),
      await stranger().send('POST', '/oauth/authorize', 'token=x', {
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: world.baseUrl },
      }),
      await stranger().send('GET', '/v1/auth/calendar/authorize'),
      await platform.api.send('POST', '/mcp', '[]', { headers }),
      await platform.api.send('POST', '/mcp', body, { headers }),
      await platform.api.send('POST', '/mcp', body, { headers: { ...headers, origin: 'https://evil.test' } }),
    ];
    expect(asked.map(codeOf)).toEqual([
      '401 unauthorized',
      '401 unauthorized',
      '400 other_browser',
      '400 stale_form',
      '400 invalid_request',
      '400 mcp_protocol',
      '200 job_not_found',
      '403 other_host',
    ]);
  });

  test('and one that was not refused has none', async () => {
    const answer = await stranger().health();
    expect(answer.body).toEqual({ status: 'ok', version: '1.0.0' });
    expect(requestLine(answer)).not.toHaveProperty('code');
  });
});
