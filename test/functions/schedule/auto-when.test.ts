import { expect, test } from 'vitest';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { accepted, auto, type Body, ended, pair } from '../../support/people/auto.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const dateIn = (days: number) => new Date(world.clock.now() + days * DAY);
/** The first weekday from two days ahead on, as people say it. */
function weekdayAhead() {
  const date = [2, 3, 4].map(dateIn).find((day) => day.getUTCDay() % 6 !== 0) ?? dateIn(2);
  const said = date.toLocaleString('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  return { date: date.toISOString().slice(0, 10), said };
}

test('a job books a time that its words ask for, and its answer says how they were read', async () => {
  const { platform, body } = await pair();
  const { date, said } = weekdayAhead();
  const answer = await auto(platform, { ...body, when: `${said} after 3pm, an hour later` });
  expect(answer).toMatchObject({
    status: 202,
    body: {
      understood: [{ quote: `${said} after 3pm`, kind: 'wanted' }],
      not_understood: ['an hour later'],
      warnings: [expect.stringContaining('“an hour later”')],
    },
  });
  const { result } = await ended(platform, (answer.body as { job_id: string }).job_id);
  const { start_time, end_time } = result.chosen_slot as Body as { start_time: string; end_time: string };
  expect(start_time >= `${date}T15:00` && end_time <= `${date}T18:00:00+00:00`).toBe(true);
  const stored = await world.neon.query('select request from jobs where platform_id = $1', [platform.id]);
  expect(JSON.stringify(stored)).not.toContain('an hour later');
});

test('a job fails with the words that no time meets', async () => {
  const { platform, body } = await pair();
  const { said } = weekdayAhead();
  const { result } = await ended(platform, await accepted(platform, { ...body, when: `${said} after 20:00` }));
  expect(result).toMatchObject({ success: false, error_code: 'NO_AVAILABILITY' });
  expect(result.error_message).toContain(`“${said} after 20:00”`);
  expect(result.suggestions).toContainEqual(expect.stringContaining('Without the wish'));
});

test('a job keeps to the ranges, and its request without words has no reading', async () => {
  const { platform, body } = await pair();
  const { date } = weekdayAhead();
  const range = { start: `${date}T11:30:00Z`, end: `${date}T12:00:00Z` };
  const answer = await auto(platform, { ...body, time_ranges: [range] });
  expect(answer.body).not.toHaveProperty('understood');
  const { result } = await ended(platform, (answer.body as { job_id: string }).job_id);
  expect((result.chosen_slot as Body).start_time).toBe(`${date}T11:30:00+00:00`);
});

test('a retry under its key gets the first answer, and no second job', async () => {
  const { platform, body } = await pair();
  const headers = { 'Idempotency-Key': 'wish' };
  const request = { ...body, when: 'afternoons' };
  const first = await auto(platform, request, headers);
  expect((await auto(platform, request, headers)).body).toEqual(first.body);
  await ended(platform, (first.body as { job_id: string }).job_id);
});
