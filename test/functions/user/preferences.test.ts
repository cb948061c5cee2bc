import { beforeAll, describe, expect, test } from 'vitest';
import { wholeError } from '../../support/checks/errors.ts';
import { freshPlatform, personWithKey } from '../../support/people/factories.ts';
import { dayOff, keepHolidays, nothingSet } from '../../support/people/person-data.ts';
import { createClient } from '../../support/worlds/client.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
import { world } from '../../support/worlds/world.ts';

const platform = await freshPlatform({ plan: 'enterprise' });

async function someone() {
  const { email, own } = await personWithKey(platform, { timezone: 'Europe/Berlin' });
  return {
    email,
    send: own.send,
    read: () => own.send('GET', '/v1/user/preferences'),
    write: (body: unknown) => own.send('PUT', '/v1/user/preferences', body),
  };
}

const DEFAULTS = nothingSet('Europe/Berlin');
const WEEK = DEFAULTS.work_hours;

test('shows the defaults of someone who set nothing', async () => {
  const answer = await (await someone()).read();
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ preferences: DEFAULTS });
});

describe('PUT /v1/user/preferences', () => {
  test('changes what is given and nothing else, work hours day by day', async () => {
    const { email, read, write } = await someone();
    const friday = { enabled: true, start: '09:00', end: '24:00' };
    const first = await write({ buffer_minutes: 15, work_hours: { friday } });
    const expected = { ...DEFAULTS, buffer_minutes: 15, work_hours: { ...DEFAULTS.work_hours, friday } };
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ success: true, email, rules: [], preferences: expected });
    const rest = {
      timezone: 'Asia/Kathmandu',
      availability_window_days: 90,
      max_meetings_per_day: 1,
      energy_pattern: 'morning_person',
      scheduling_context: 'No calls before coffee.',
      focus_blocks: [
        { day: 'monday', start: '09:00', end: '11:00', reason: 'writing' },
        { day: 'monday', start: '11:00', end: '12:00' },
      ],
    };
    await write(rest);
    const monday = { enabled: false, start: '08:00', end: '18:00' };
    await write({ work_hours: { monday } });
    expect((await read()).body).toEqual({
      email,
      rules: expect.any(Array),
      preferences: { ...expected, ...rest, work_hours: { ...expected.work_hours, monday } },
    });
  });

  test.each([
    ['de-by', 'DE-BY'],
    ['JP', 'JP'],
    ['OFF', 'off'],
  ])('holidays of %s are stored as %s', async (given, holidays) => {
    const { read, write } = await someone();
    expect((await write({ holidays: given })).body).toMatchObject({ preferences: { holidays } });
    expect((await read()).body).toMatchObject({ preferences: { holidays } });
  });

  test('the holidays of someone who set none are those of their time zone', async () => {
    const { email, read, write } = await someone();
    await keepHolidays({ email });
    expect((await read()).body).toMatchObject({ preferences: { holidays: 'DE' } });
    await write({ timezone: 'Asia/Tokyo' });
    expect((await read()).body).toMatchObject({ preferences: { holidays: 'JP' } });
    await write({ timezone: 'UTC' });
    expect((await read()).body).toMatchObject({ preferences: { holidays: 'off' } });
  });

  test('two changes at once both hold', async () => {
    const { read, write } = await someone();
    await Promise.all([write({ buffer_minutes: 30 }), write({ max_meetings_per_day: 3 }), write({ timezone: 'UTC' })]);
    expect((await read()).body).toMatchObject({
      preferences: { buffer_minutes: 30, max_meetings_per_day: 3, timezone: 'UTC' },
    });
  });

  /** Two people whom no refused request changes. One alone would reach the limit of requests a minute. */
  let unchanged: Awaited<ReturnType<typeof someone>>[];
  let asked = 0;
  beforeAll(async () => {
    unchanged = [await someone(), await someone()];
  });
  const block = (start: string, end: string, day = 'monday') => ({ day, start, end, reason: 'deep work' });
  const hours = (start: string, end: string) => ({ work_hours: { monday: { enabled: true, start, end } } });

  test.each<[name: string, body: unknown, field: string | undefined]>([
    ['a buffer of 10', { buffer_minutes: 10 }, 'buffer_minutes'],
    ['a window of 6 days', { availability_window_days: 6 }, 'availability_window_days'],
    ['a window of 91 days', { availability_window_days: 91 }, 'availability_window_days'],
    ['a window of 7.5 days', { availability_window_days: 7.5 }, 'availability_window_days'],
    ['no meeting a day', { max_meetings_per_day: 0 }, 'max_meetings_per_day'],
    ['11 meetings a day', { max_meetings_per_day: 11 }, 'max_meetings_per_day'],
    ['an unknown energy', { energy_pattern: 'night_owl' }, 'energy_pattern'],
    ['an unknown zone', { timezone: 'Europe/Atlantis' }, 'timezone'],
    ['an offset for a zone', { timezone: '+02:00' }, 'timezone'],
    ['an abbreviation for a zone', { timezone: 'BST' }, 'timezone'],
    ['an unknown country', { holidays: 'Germany' }, 'holidays'],
    ['an unknown region', { holidays: 'DE-XX' }, 'holidays'],
    ['a context that is too long', { scheduling_context: 'x'.repeat(1_001) }, 'scheduling_context'],
    ['a context with NUL', { scheduling_context: 'a\0b' }, 'scheduling_context'],
    ['reversed hours', hours('18:00', '08:00'), 'work_hours.monday.end'],
    ['empty hours', hours('08:00', '08:00'), 'work_hours.monday.end'],
    ['a start of 24:00', hours('24:00', '24:00'), 'work_hours.monday.start'],
    ['an end of 24:01', hours('08:00', '24:01'), 'work_hours.monday.end'],
    ['a time with one digit', hours('8:00', '18:00'), 'work_hours.monday.start'],
    ['a minute of 60', hours('08:60', '18:00'), 'work_hours.monday.start'],
    ['a block on an unknown day', { focus_blocks: [block('09:00', '10:00', 'Mon')] }, 'focus_blocks.0.day'],
    ['a reversed block', { focus_blocks: [block('10:00', '09:00')] }, 'focus_blocks.0.end'],
    ['a hundred and one blocks', { focus_blocks: Array(101).fill(block('09:00', '10:00')) }, 'focus_blocks'],
    ['more days than a week has', { work_hours: { ...WEEK, holiday: dayOff } }, 'work_hours'],
    ['a day in two spellings', { work_hours: { monday: dayOff, Monday: dayOff } }, 'work_hours'],
    ['a list', [], undefined],
  ])('refuses %s by its field and changes nothing', async (_name, body, field) => {
    const ada = unchanged[asked++ % 2] ?? (await someone());
    const before = await ada.read();
    const answer = await ada.write(Array.isArray(body) ? body : { energy_pattern: 'evening_person', ...Object(body) });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      wholeError({
        error: 'Invalid request',
        message: expect.stringContaining(field === undefined ? 'JSON object' : field),
        ...(field === undefined ? {} : { field }),
      }),
    );
    expect((await ada.read()).text).toBe(before.text);
  });

  test('the search follows the rules at once', async () => {
    const [one, two] = await Promise.all([someone(), someone()]);
    const off = Object.fromEntries(Object.keys(DEFAULTS.work_hours).map((day) => [day, dayOff]));
    await one.write({ work_hours: off });
    const answer = await platform.api.availability({ attendees: [two.email, one.email] });
    expect(answer.body).toMatchObject({
      slots: [],
      message: expect.stringMatching(/^Person \w+ has no half hour of work hours between /),
    });
  });
});

test.each([
  ['a preference', 'PUT', '/v1/user/preferences', { buffer_minutes: 30 }, 'update .{2}users'],
  ['the text', 'PUT', '/v1/user/preferences', { scheduling_context: 'No Mondays.' }, 'delete from .{2}standing_rules'],
  ['what was learned', 'DELETE', '/v1/user/learning', undefined, 'delete from .{2}standing_rules'],
  ['the account', 'DELETE', '/v1/user', undefined, 'person.erased'],
] as const)('a key that is replaced meanwhile does not change %s', async (_name, method, path, body, match) => {
  const { send, read, write } = await someone();
  await write({ scheduling_context: 'No meetings on Fridays.' });
  const before = (await read()).body;
  const held = hold({ target: 'neon', body_match: match, times: 1 });
  const changing = send(method, path, body);
  await met(held);
  const { body: made } = await send('POST', '/v1/user/api-key/regenerate');
  held.release();
  expect(await changing).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  const next = createClient(world.baseUrl, (made as { api_key: string }).api_key);
  expect((await next.send('GET', '/v1/user/preferences')).body).toEqual(before);
});
