import { DateTime } from 'luxon';
import { expect, test } from 'vitest';
import { namesOf } from '../../../lib/words/people.ts';
import { refusal } from '../../support/checks/errors.ts';
import { ownClient } from '../../support/people/factories.ts';
import { bookable, hoursLater, liveEvents, seen, setPreferences } from '../../support/people/meetings.ts';
import { personWith } from '../../support/people/why.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

interface Refused {
  error: { code: string; message: string; field: string; alternatives: { start_time: string; score: number }[] };
}

test('a free time is booked, a busy calendar refuses it with fresh alternatives', async () => {
  const { platform, ada, bob, body, start } = await bookable();
  const free = { ...body, require_free: true };
  expect((await platform.api.schedule(free)).status).toBe(200);

  const later = hoursLater(start, 1);
  world.google.addBusy({ email: bob.email, start: hoursLater(start, 0.75), end: hoursLater(start, 1.25) });
  const refused = await platform.api.schedule({ ...free, start_time: later });
  expect(seen(refused)).toEqual(
    refusal(409, 'slot_unavailable', {
      message: `Nothing was booked: ${namesOf([ada, bob]).short(bob.email)} is not free then. Book one of the alternatives instead.`,
      field: 'start_time',
      alternatives: expect.any(Array),
    }),
  );
  const { error } = refused.body as Refused;
  expect(error.alternatives).toHaveLength(5);
  const [best] = error.alternatives;
  expect(Object.keys(best ?? {})).toEqual(
    expect.arrayContaining(['start_time', 'end_time', 'score', 'timezone', 'reason', 'factors', 'attendees']),
  );
  expect(liveEvents(ada.email)).toHaveLength(1);
  expect((await platform.api.schedule({ ...free, start_time: best?.start_time })).status).toBe(200);
});

test('the alternatives lie around the time asked for, its own day first', async () => {
  const { platform, bob, body, start } = await bookable();
  const day = 24;
  const midnightOn = (days: number) => Date.parse(`${hoursLater(start, days * day).slice(0, 10)}T00:00:00Z`);
  // Alternatives on weekends and around Christmas lie on ordinary days.
  const isOrdinary = (at: number) =>
    ![0, 6].includes(new Date(at).getUTCDay()) && !/-(?:12-(?:2[3-9]|3)|01-0[1-2])/.test(new Date(at).toISOString());
  const midnight = Array.from({ length: 20 }, (_, i) => midnightOn(17 + i)).find(isOrdinary) ?? 0;
  const iso = (hours: number) => new Date(midnight + hours * 3_600_000).toISOString();
  world.google.addBusy({ email: bob.email, start: iso(0), end: iso(14) });
  world.google.addBusy({ email: bob.email, start: iso(15), end: iso(23) });
  const refused = await platform.api.schedule({ ...body, start_time: iso(10), require_free: true });
  expect(refused.status).toBe(409);
  const starts = (refused.body as Refused).error.alternatives.map(({ start_time }) => Date.parse(start_time));
  expect(starts).toHaveLength(5);
  const isOnDay = (at: number) => at >= midnight && at < midnight + day * 3_600_000;
  // A quarter past leaves both a break, and takes the hour.
  expect(starts.filter(isOnDay)).toEqual(starts.slice(0, 1));
  for (const at of starts) expect(Math.abs(at - midnight)).toBeLessThan(5 * day * 3_600_000);
});

test('a batch that Postgres rolled back as a deadlock is written again', async () => {
  const { platform, body, ada } = await bookable();
  const deadlock = { code: '40P01', message: 'deadlock detected', severity: 'ERROR' };
  const fault = { target: 'neon', body_match: 'insert into .{1,3}holds', mode: 'status', status: 400 } as const;
  world.faults.add({ ...fault, body: deadlock, times: 1 });
  expect((await platform.api.schedule({ ...body, require_free: true })).status).toBe(200);
  expect(world.faults.list()).toMatchObject([{ hits: 1 }]);
  expect(liveEvents(ada.email)).toHaveLength(1);
});

test('a retry is answered what the first was, though one of the two has left meanwhile', async () => {
  const { platform, ada, body } = await bookable();
  const free = { ...body, require_free: true };
  const headers = { 'Idempotency-Key': 'left-meanwhile' };
  const first = await platform.api.schedule(free, { headers });
  expect(first.status).toBe(200);
  await platform.api.send('DELETE', `/v1/calendars/${encodeURIComponent(ada.email)}`);
  world.faults.add({ target: 'redis', mode: 'reset' });
  const again = await platform.api.schedule(free, { headers });
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect((await platform.api.schedule(free, { headers: { 'Idempotency-Key': 'another' } })).status).toBe(404);
});

test('a day’s meetings are those that start on it by the clock of the one who takes no more', async () => {
  const { platform, ada, bob, body, start } = await bookable();
  await setPreferences(ada.email, { timezone: 'Pacific/Auckland', max_meetings_per_day: 1 });
  const midnight = DateTime.fromJSDate(start).setZone('Pacific/Auckland').startOf('day').plus({ days: 1 }).toMillis();
  const at = (hours: number, more: object) =>
    platform.api.schedule({ ...body, start_time: new Date(midnight + hours * 3_600_000).toISOString(), ...more });
  expect((await at(-0.25, {})).status).toBe(200);
  expect((await at(0.25, { require_free: true })).status).toBe(200);
  const who = namesOf([ada, bob]).short(ada.email);
  expect(await at(23.5, { require_free: true })).toMatchObject({
    status: 409,
    body: {
      error: {
        field: 'start_time',
        message: `Nothing was booked: ${who} is not free then. Book one of the alternatives instead.`,
      },
    },
  });
  expect((await at(24, { require_free: true })).status).toBe(200);
});

test('a focus block of either person refuses it, and says nothing of the block', async () => {
  const { platform, ada, body: any, start } = await bookable();
  const day = DateTime.fromJSDate(start, { zone: 'utc' }).toFormat('cccc').toLowerCase();
  const secret = 'write the offer';
  const preferences = { focus_blocks: [{ day, start: '00:00', end: '24:00', reason: secret }] };
  const focused = await personWith(platform, { name: 'fay', timezone: 'UTC', preferences });
  const body = { ...any, attendees: [ada.email, focused.email] };
  const refused = await platform.api.schedule({ ...body, require_free: true });
  expect(refused).toMatchObject(refusal(409, 'slot_unavailable', { field: 'start_time' }));
  expect(refused.text).not.toContain(secret);
  expect((await platform.api.schedule(body)).status).toBe(200);
});

test('a time outside work hours is booked with a warning on that person’s clock', async () => {
  const { platform, body, start } = await bookable();
  const night = `${start.toISOString().slice(0, 10)}T03:00:00.000Z`;
  const answer = await platform.api.schedule({ ...body, start_time: night, require_free: true });
  expect(answer.status).toBe(200);
  const { warnings } = answer.body as { warnings: string[] };
  expect(warnings).toEqual([
    expect.stringMatching(/^[34]:00 to [34]:30 in London is outside Ada\S*'s work hours\.$/),
    expect.stringMatching(/^2\d:00 to 2\d:30 in New York on \w+day, .* is outside Bob\S*'s work hours\.$/),
  ]);
  const unasked = await platform.api.schedule({ ...body, start_time: hoursLater(new Date(night), 24) });
  expect(unasked.body).not.toHaveProperty('warnings');
});

test('a time that somebody’s own words rule out is booked with a warning that says whose rule it is', async () => {
  const { platform, ada, bob, body, start } = await bookable();
  const own = await ownClient(platform, bob.email);
  const day = DateTime.fromJSDate(start, { zone: 'America/New_York' }).toFormat('cccc');
  const preferences = { scheduling_context: `No meetings on ${day}s`, holidays: 'off' };
  const saved = await own.send('PUT', '/v1/user/preferences', preferences);
  expect(saved.status).toBe(200);
  const answer = await platform.api.schedule({ ...body, require_free: true });
  expect(answer.status).toBe(200);
  const { warnings } = answer.body as { warnings: string[] };
  expect(warnings.join(' ')).toContain(
    ` goes against ${namesOf([ada, bob]).short(bob.email)}'s rule (never on ${day}s): `,
  );
  expect(liveEvents(ada.email)).toHaveLength(1);
});

test('a time is not free nearer to an event in the calendar than the buffer of either', async () => {
  const { platform, ada, bob, body, start } = await bookable();
  await setPreferences(bob.email, { buffer_minutes: 30 });
  world.google.addBusy({ email: bob.email, start: hoursLater(start, -1), end: hoursLater(start, 0) });
  const at = (hours: number) =>
    platform.api.schedule({ ...body, start_time: hoursLater(start, hours), require_free: true });
  expect([(await at(0)).status, (await at(0.25)).status]).toEqual([409, 409]);
  expect(liveEvents(ada.email)).toEqual([]);
  expect((await at(0.5)).status).toBe(200);
});
