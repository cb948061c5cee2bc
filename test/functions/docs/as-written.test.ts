import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '../../../functions/openapi/examples.ts';
import { AGENT_CONFIGS } from '../../../functions/pages/docs/pages.ts';
import { EVENT_TYPES, TEST_EVENT } from '../../../schema/api/webhook-events.ts';
import { readDocument } from '../../support/checks/openapi.ts';
import { compareAnswer, READMES, readmeBlocks, shownJson } from '../../support/checks/readme-blocks.ts';
import { personWithKey } from '../../support/people/factories.ts';
import { bookable } from '../../support/people/meetings.ts';
import { type CodeBlock, codeAt, docsPaths, isCall, isTaken } from '../../support/worlds/docs-blocks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Body = Record<string, unknown>;

const { platform, body } = await bookable();
const { attendees } = body;

async function someone() {
  const { own } = await personWithKey(platform, { timezone: 'Europe/Berlin' });
  return {
    read: () => own.send('GET', '/v1/user/preferences'),
    write: (body: unknown) => own.send('PUT', '/v1/user/preferences', body),
  };
}

describe('a field nobody knows', () => {
  test.each([
    ['duration', { duration: 60 }, '`duration` is not a field of this request; did you mean `duration_minutes`?'],
    [
      'camel case',
      { durationMinutes: 60 },
      '`durationMinutes` is not a field of this request; did you mean `duration_minutes`?',
    ],
    ['a slip', { contxt: 'x' }, '`contxt` is not a field of this request; did you mean `context`?'],
    ['no likeness', { colour: 'red' }, '`colour` is not a field of this request. Leave it out.'],
    [
      'within an object',
      { date_range: { start: '2030-01-01' } },
      '`date_range.start` is not a field of this request; did you mean `date_range.start_date`?',
    ],
    [
      'what was given under its right name too',
      { duration: 60, duration_minutes: 30 },
      '`duration` is not a field of this request. Leave it out.',
    ],
  ])('is told on a success: %s', async (_name, extra, warning) => {
    const answer = await platform.api.availability({ attendees, ...extra });
    expect(answer.status).toBe(200);
    expect((answer.body as Body).warnings).toEqual([warning]);
  });

  test('is told once for each, ten at most, none of them at length', async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${'z'.repeat(500)}${i}`, i]));
    const { warnings } = (await platform.api.availability({ attendees, ...many })).body as Body;
    expect(warnings).toHaveLength(10);
    for (const warning of warnings as string[]) expect(warning.length).toBeLessThan(150);
  });

  test('is told when a meeting is booked, and again under its key', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await platform.api.schedule({ ...body, agenda: 'x' }, { headers });
    expect((first.body as Body).warnings).toEqual(['`agenda` is not a field of this request. Leave it out.']);
    expect((await platform.api.schedule({ ...body, agenda: 'x' }, { headers })).text).toBe(first.text);
  });

  test.each([
    ['NUL', 'a\0b', 'a\ufffdb'],
    ['half a letter', 'a\ud800b', 'a\ufffdb'],
    ['a letter cut in half for length', `${'x'.repeat(59)}😀`, `${'x'.repeat(59)}\ufffd…`],
  ])('is told without what no database holds: %s', async (_name, field, told) => {
    const answer = await platform.api.schedule({ ...body, [field]: 1 });
    expect([answer.status, (answer.body as Body).warnings]).toEqual([
      200,
      [`\`${told}\` is not a field of this request. Leave it out.`],
    ]);
  });

  test.each([
    [{ buffer: 15 }, 'buffer', '`buffer` is not a field of this request; did you mean `buffer_minutes`?'],
    [{ colour: 'red' }, 'colour', '`colour` is not a field of this request. Leave it out.'],
    [
      { work_hours: { funday: { enabled: false } } },
      'work_hours.funday',
      '`work_hours.funday` is not a field of this request; did you mean `work_hours.sunday`?',
    ],
    [
      { focus_blocks: [{ day: 'monday', start: '09:00', end: '10:00', why: 'x' }] },
      'focus_blocks.0.why',
      '`focus_blocks.0.why` is not a field of this request. Leave it out.',
    ],
  ])('refuses preferences, which are not changed: %j', async (extra, field, message) => {
    const { read, write } = await someone();
    const before = await read();
    const answer = await write({ energy_pattern: 'evening_person', ...extra });
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 400, body: { field, message } });
    expect((await read()).text).toBe(before.text);
  });
});

describe('a required field that is missing', () => {
  const sent = async (change: Body) => {
    const { status, body: answer } = await platform.api.schedule({ ...body, ...change });
    return { status, ...(answer as { error: Body }).error };
  };

  test('is asked about if the request has a similar field', async () => {
    expect(await sent({ start_time: undefined, startTime: '2030-01-08T14:00:00Z' })).toMatchObject({
      status: 400,
      code: 'invalid_time',
      field: 'start_time',
      message: '`start_time` is required. `startTime` is not a field of this request; did you mean `start_time`?',
    });
  });

  test('is named together with all others, and the error is that of the first', async () => {
    expect(
      await sent({ start_time: null, duration_minutes: undefined, title: undefined, tittle: 'Intro' }),
    ).toMatchObject({
      status: 400,
      code: 'invalid_time',
      field: 'start_time',
      message:
        '`start_time`, `duration_minutes` and `title` are required. `tittle` is not a field of this request; did you mean `title`?',
    });
    expect(await sent({ title: undefined, duration_minutes: undefined, colour: 'red' })).toMatchObject({
      message: '`duration_minutes` and `title` are required. Send them with the request.',
    });
  });

  test('is named after a wrong field only if that one is corrected', async () => {
    expect(await sent({ start_time: 'soon', title: undefined })).toMatchObject({
      field: 'start_time',
      message: expect.stringMatching(/^`start_time` must be an ISO 8601 date-time/),
    });
  });

  test('of a list names those of the same item alone', async () => {
    const meetings = [{ title: 'x' }, { attendees }];
    const answer = await platform.api.send('POST', '/v1/schedule/batch', { meetings });
    expect(answer.body).toMatchObject({
      error: {
        field: 'meetings.0.reference',
        message: '`meetings.0.reference` and `meetings.0.attendees` are required. Send them with the request.',
      },
    });
  });
});

describe('null', () => {
  test('for an optional field means that it was not given', async () => {
    const nothing = { duration_minutes: null, date_range: null, context: null };
    const [plain, nulls] = await Promise.all([
      platform.api.availability({ attendees }),
      platform.api.availability({ attendees, ...nothing }),
    ]);
    expect(nulls.status).toBe(200);
    expect((nulls.body as Body).search_window).toEqual((plain.body as Body).search_window);
    expect(nulls.body).not.toHaveProperty('warnings');
    const booked = await platform.api.schedule({ ...body, description: null, location: null, require_free: null });
    expect(booked.body).toMatchObject({ location: 'Google Meet' });
  });

  test('ever so deep in a field nobody knows does no harm', async () => {
    const deep = `${'['.repeat(30_000)}null${']'.repeat(30_000)}`;
    const text = JSON.stringify({ attendees }).replace('{', `{"x":${deep},`);
    const answer = await platform.api.send('POST', '/v1/availability', text);
    expect([answer.status, (answer.body as Body).warnings]).toEqual([
      200,
      ['`x` is not a field of this request. Leave it out.'],
    ]);
  });

  test('changes nothing in the preferences', async () => {
    const { read, write } = await someone();
    await write({ timezone: 'Asia/Tokyo', buffer_minutes: 15 });
    const answer = await write({ timezone: null, buffer_minutes: null, work_hours: { monday: null } });
    expect(answer.status).toBe(200);
    expect((await read()).body).toMatchObject({ preferences: { timezone: 'Asia/Tokyo', buffer_minutes: 15 } });
  });
});

describe('date-times', () => {
  test.each([
    ['without seconds', (iso: string) => iso.replace(':00.000Z', 'Z')],
    ['in lower case', (iso: string) => iso.toLowerCase()],
    ['with an offset of four digits', (iso: string) => iso.replace('Z', '+0000')],
    ['with an offset of hours alone', (iso: string) => iso.replace(':00.000Z', '+00')],
    ['with an offset, without seconds', (iso: string) => iso.replace(':00.000Z', '-00:00')],
  ])('%s name the same instant', async (_name, written) => {
    const start = new Date(body.start_time).toISOString();
    const answer = await platform.api.schedule({ ...body, start_time: written(start) });
    const { start_time } = answer.body as { start_time: string };
    expect(Date.parse(start_time)).toBe(Date.parse(start));
  });

  test.each([
    ['2030-02-30T10:00Z', /name a day and a time that exist/],
    ['2030-01-01T24:01Z', /name a day and a time that exist/],
    ['2030-01-01T10:00', /be an ISO 8601 date-time/],
    ['2030-01-01 10:00Z', /be an ISO 8601 date-time/],
    ['2030-01-01', /be an ISO 8601 date-time/],
    ['20300101T100000Z', /be an ISO 8601 date-time/],
  ])('refused is %s', async (start_time, rule) => {
    expect((await platform.api.schedule({ ...body, start_time })).body).toMatchObject({
      error: { code: 'invalid_time', field: 'start_time', message: expect.stringMatching(rule) },
    });
  });
});

describe('preferences as people write them', () => {
  const nine = { start: '09:00', end: '17:00' };

  test('weekdays and zones in any case', async () => {
    const answer = await (await someone()).write({
      timezone: 'america/argentina/comodrivadavia',
      work_hours: { Monday: { enabled: true, ...nine }, TUESDAY: { enabled: true, ...nine } },
      focus_blocks: [{ day: 'Friday', start: '09:00', end: '10:00' }],
    });
    expect(answer.body).toMatchObject({
      preferences: {
        timezone: 'America/Argentina/ComodRivadavia',
        work_hours: { monday: { enabled: true, ...nine }, tuesday: { enabled: true, ...nine } },
        focus_blocks: [{ day: 'friday', start: '09:00', end: '10:00' }],
      },
    });
    expect(Object.keys((answer.body as { preferences: { work_hours: Body } }).preferences.work_hours)).toHaveLength(7);
  });

  test('a day off needs no times, and one of work does', async () => {
    const { write } = await someone();
    const off = await write({ work_hours: { friday: { enabled: false } } });
    expect(off.body).toMatchObject({
      preferences: { work_hours: { friday: { enabled: false, start: '08:00', end: '18:00' } } },
    });
    const on = await write({ work_hours: { friday: { enabled: true, start: '09:00' } } });
    expect({ status: on.status, body: on.body }).toMatchObject({
      status: 400,
      body: {
        field: 'work_hours.friday.end',
        message: '`work_hours.friday.end` is required. Send it with the request.',
      },
    });
  });
});

const asJson = (value: unknown) => JSON.stringify(value);
const answers = Object.values(EXAMPLES).flatMap(({ answer, others = [] }) =>
  [answer, ...others.map((other) => other.answer)].map(asJson),
);
const { webhooks } = readDocument();
const events = [...EVENT_TYPES, TEST_EVENT].map((type) =>
  asJson(webhooks[type]?.post.requestBody?.content?.['application/json']?.example),
);

function dataOf(text: string): string {
  try {
    return asJson(JSON.parse(text));
  } catch {
    return '-';
  }
}

const configs = Object.values(AGENT_CONFIGS).map((config) => JSON.stringify(config, null, 2));

function isEvent(text: string): boolean {
  const shown = shownJson(text) as { event_type?: string };
  const example = events
    .map((event) => JSON.parse(event ?? 'null'))
    .find((one) => one?.event_type === shown.event_type);
  return example !== undefined && compareAnswer(shown, example).wrong.length === 0;
}

const PLAYED = 'test/functions/docs/played.long.test.ts';

/** Blocks that belong to a list, each with the test that goes through the whole list. */
const LISTED: [test: string, page: RegExp, has: (text: string) => boolean][] = [
  [
    'test/functions/docs/openapi-examples.long.test.ts',
    /^\/docs\/reference\//,
    (text) => answers.includes(dataOf(text)),
  ],
  ['test/functions/docs/openapi.test.ts', /^\/docs\/events\//, (text) => events.includes(dataOf(text))],
  ['test/functions/docs/openapi.test.ts', /^\/docs\/webhooks$/, isEvent],
  ['test/lib/webhooks/snippets.long.test.ts', /^\/docs\/webhooks\/verify$/, () => true],
  [
    'test/functions/docs/interface.test.ts',
    /^\/docs\/agents$/,
    (text) => configs.includes(text.replaceAll(world.baseUrl, '{{BASE_URL}}')),
  ],
];

/** Returns true if a test plays the page's block: a call, a program, the shell, and an answer under one of them. */
const isPlayed = ({ codes, isUnderCode }: CodeBlock) =>
  ['sh', 'js', 'python'].some((language) => codes.has(language)) || (isUnderCode && codes.has('json'));

test('a test runs every code block of the home page, the guides and the reference', async () => {
  const left: string[] = [];
  let blocks = 0;
  for (const path of ['/', ...(await docsPaths()), ...(await docsPaths('Operations'))])
    for (const block of await codeAt(path)) {
      const isReference = path.startsWith('/docs/reference/');
      for (const [language, text] of block.codes) {
        blocks += 1;
        // Text is what a program prints, or the form of a signature.
        if (language === 'text' || isTaken(path, text)) continue;
        if (isReference ? isCall(block) : isPlayed(block)) continue;
        if (!LISTED.some(([, pages, has]) => pages.test(path) && has(text))) left.push(`${path}: ${text}`);
      }
    }
  expect(left).toEqual([]);
  expect(blocks).toBeGreaterThan(300);
});

test('a test runs every code block of the READMEs for customers', () => {
  const left = READMES.flatMap((page) =>
    readmeBlocks(page)
      .filter((text) => !isTaken(page, text))
      .map((text) => `${page}: ${text}`),
  );
  expect(left).toEqual([]);
});

test('every list still has its test', () => {
  for (const file of [PLAYED, ...LISTED.map(([file]) => file)]) expect(existsSync(file), file).toBe(true);
});
