import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import { accepted, auto, ended, pair } from '../../support/people/batches.ts';
import { eventsOf } from '../../support/people/calendars.ts';
import { later, put } from '../../support/people/changing.ts';
import { type Booked, booked, DELETE_EVENT, inHours, iso, PATCH_EVENT, seen } from '../../support/people/meetings.ts';
import { adaWithAHistory, readMeeting } from '../../support/people/person-data.ts';
import { tick } from '../../support/people/webhooks.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const timesOf = (meeting: Booked) => ({ start_time: iso(later(meeting).start), end_time: iso(later(meeting).end) });
const many = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`key${i}`, 'value']));
const metadataOf = async ({ platform, id }: Pick<Booked, 'platform' | 'id'>) =>
  ((await platform.api.send('GET', `/v1/meetings/${id}`)).body as { metadata: unknown }).metadata;

/** Names of built-in object properties, markup, and letters of many scripts. */
const HOSTILE = {
  constructor: 'a',
  toString: 'b',
  hasOwnProperty: 'c',
  prototype: '{"__proto__":{}}',
  'a.b[c]': '<script>alert(1)</script>',
  "'; drop table meetings; --": '\u200f\n\u0001"\\ 💥',
  42: '<%= title %>',
};

describe('metadata', () => {
  test('comes back in answers, lists and events, and never reaches the calendar', async () => {
    const meeting = await booked({ metadata: { ...HOSTILE, empty: '', none: null } });
    const { platform, ada, id } = meeting;
    expect(meeting.answer.metadata).toEqual(HOSTILE);
    expect(await metadataOf(meeting)).toEqual(HOSTILE);
    for (const path of ['/v1/meetings', `/v1/users/${ada.email}/meetings`])
      expect((await platform.api.send('GET', path)).body).toMatchObject({ meetings: [{ metadata: HOSTILE }] });
    const moved = await put(meeting, timesOf(meeting));
    expect(moved.body).toMatchObject({ metadata: HOSTILE });
    expect((await platform.api.send('DELETE', `/v1/meetings/${id}`)).status).toBe(200);
    for (const type of ['meeting.scheduled', 'meeting.updated', 'meeting.cancelled'])
      expect((await eventsOf(platform, type))[0]?.body.data.metadata).toEqual(HOSTILE);
    expect(JSON.stringify(world.google.events(ada.email))).not.toContain('drop table');
    expect(world.logs().join('\n')).not.toContain('drop table');
  });

  test('goes with the meeting when it is rescheduled', async () => {
    const meeting = await booked({ metadata: { order: '7' } });
    const { platform, ada, id } = meeting;
    const reason = { requested_by: ada.email, reason: 'a day later' };
    const answer = await platform.api.send('POST', `/v1/meetings/${id}/reschedule`, reason);
    const { new_meeting_id } = answer.body as { new_meeting_id: string };
    expect(await metadataOf({ platform, id: new_meeting_id })).toEqual({ order: '7' });
    expect((await eventsOf(platform, 'meeting.scheduled', 2))[1]?.body.data.metadata).toEqual({ order: '7' });
  });

  test('is in the result of a job and its event, also of one that failed', async () => {
    const { platform, body } = await pair();
    const metadata = { order: '7' };
    const { result } = await ended(platform, await accepted(platform, { ...body, metadata }));
    expect(result).toMatchObject({ success: true, metadata });
    expect(await metadataOf({ platform, id: String(result.meeting_id) })).toEqual(metadata);
    const [ada = ''] = body.attendees;
    const weeks = { email: ada, start: iso(world.clock.now()), end: iso(world.clock.now() + 60 * 24 * HOUR) };
    world.google.addBusy(weeks);
    expect((await ended(platform, await accepted(platform, { ...body, metadata }))).result).toMatchObject({
      success: false,
      metadata,
    });
  });
});

describe('PUT merges metadata', () => {
  test.each([
    ['what is given joins what is there', { c: '3' }, { a: '1', b: '2', c: '3' }],
    ['a value takes the place of the former', { b: 'x' }, { a: '1', b: 'x' }],
    ['"" and null remove', { a: '', b: null }, {}],
    ['what is not there is removed without a word', { z: null }, { a: '1', b: '2' }],
    ['nothing changes nothing', {}, { a: '1', b: '2' }],
    ['null is nothing', null, { a: '1', b: '2' }],
  ])('%s', async (_, metadata, wanted) => {
    const meeting = await booked({ metadata: { a: '1', b: '2' } });
    expect((await put(meeting, { ...timesOf(meeting), metadata })).body).toMatchObject({ metadata: wanted });
    expect(await metadataOf(meeting)).toEqual(wanted);
    expect((await eventsOf(meeting.platform, 'meeting.updated'))[0]?.body.data.metadata).toEqual(wanted);
  });

  test('up to twenty pairs in all, and a refusal changes nothing', async () => {
    const meeting = await booked({ metadata: many(19) });
    const change = (metadata: object) => put(meeting, { ...timesOf(meeting), metadata });
    expect(seen(await change({ one: '1', two: '2' }))).toEqual(
      refusal(400, 'invalid_request', {
        message:
          'A meeting can have at most 20 metadata pairs, but this change would give it 21. To remove a pair, send its key with the value null.',
        field: 'metadata',
      }),
    );
    expect(await metadataOf(meeting)).toEqual(many(19));
    expect((await change({ one: '1', two: '2', key0: null })).status).toBe(200);
    expect(Object.keys((await metadataOf(meeting)) as object)).toHaveLength(20);
  });

  test('a change that the sweep finishes has its metadata, one that it undoes has not', async () => {
    const [lost, undone] = [await booked({ metadata: { a: '1' } }), await booked({ metadata: { a: '1' } })];
    for (const [meeting, fault] of [
      [lost, { target: 'neon', body_match: 'delete from .{2}pending_operations', mode: 'reset' }],
      [undone, { ...PATCH_EVENT, mode: 'hang' }],
    ] as const) {
      world.faults.add(fault);
      expect((await put(meeting, { ...timesOf(meeting), metadata: { a: null, b: '2' } })).status).toBe(500);
      world.faults.clear();
    }
    await tick();
    await quiet([lost.platform, undone.platform]);
    expect(await metadataOf(lost)).toEqual({ b: '2' });
    expect((await eventsOf(lost.platform, 'meeting.updated'))[0]?.body.data.metadata).toEqual({ b: '2' });
    expect(await metadataOf(undone)).toEqual({ a: '1' });
  });

  test('changes at once each keep what the other gave', async () => {
    const meeting = await booked({ metadata: { a: '1' } });
    const keys = ['b', 'c', 'd', 'e'];
    const answers = await Promise.all(
      keys.map((key) => put(meeting, { ...timesOf(meeting), metadata: { [key]: '1' } })),
    );
    const done = keys.filter((_, i) => answers[i]?.status === 200);
    expect(done.length).toBeGreaterThan(0);
    expect(Object.keys((await metadataOf(meeting)) as object).toSorted()).toEqual(['a', ...done]);
  });
});

test('a request is the same under its key if its pairs are, in whatever order, and another otherwise', async () => {
  const { platform, body } = await pair();
  const key = { 'Idempotency-Key': 'metadata' };
  const send = (metadata: object) => auto(platform, { ...body, metadata }, key);
  const first = await send({ a: '1', b: '2' });
  const again = await send({ b: '2', a: '1', c: null });
  expect([again.status, again.text]).toEqual([202, first.text]);
  expect((await send({ a: '1', b: '3' })).status).toBe(422);
});

const AN_OBJECT = 'must be an object with a string for each key, such as {"order_id": "4711"}';
const WRONG_NAME = 'must have another name: a key has 1 to 40 valid Unicode characters without NUL';

test.each([
  ['text', 'text', 'metadata', `${AN_OBJECT}, not a string`],
  ['a list', ['a'], 'metadata', `${AN_OBJECT}, not an array`],
  ['a number', { a: 1 }, 'metadata.a', 'must be a string, not a number'],
  ['an object', { a: { b: 'c' } }, 'metadata.a', 'must be a string, not an object'],
  ['a long value', { ok: 'x', note: 'x'.repeat(501) }, 'metadata.note', 'must have at most 500 characters'],
  ['a NUL', { a: '\0' }, 'metadata.a', 'must be valid Unicode text without NUL characters'],
  ['half a letter', { a: '\ud800' }, 'metadata.a', 'must be valid Unicode text without NUL characters'],
  ['a long name', { ['k'.repeat(41)]: 'x' }, `metadata.${'k'.repeat(41)}`, WRONG_NAME],
  ['a very long name', { ['k'.repeat(9_000)]: 'x' }, `metadata.${'k'.repeat(60)}…`, WRONG_NAME],
  ['no name', { '': 'x' }, 'metadata.', WRONG_NAME],
  [
    '__proto__',
    JSON.parse('{"__proto__": "x"}'),
    'metadata.__proto__',
    'must have another name, because `__proto__` cannot be a key',
  ],
  ['too many pairs', many(21), 'metadata', 'must have at most 20 pairs'],
])('%s is refused, naming the field', async (_, metadata, field, wrong) => {
  const meeting = await shared;
  const { platform, ada, bob } = meeting;
  const people = { attendees: [ada.email, bob.email] };
  const booking = { ...people, start_time: iso(inHours(72)), duration_minutes: 30, title: 'Intro', metadata };
  for (const answer of [
    await platform.api.schedule(booking),
    await auto(platform, { ...people, metadata }),
    await put(meeting, { ...timesOf(meeting), metadata }),
  ])
    expect(seen(answer)).toEqual(refusal(400, 'invalid_request', { message: `\`${field}\` ${wrong}.`, field }));
});

const shared = booked();

test('metadata loses the names and addresses of a deleted person, and was never in their export', async () => {
  const { platform, ada, own, book } = await adaWithAHistory();
  const metadata = { candidate: ada.email, [ada.email.slice(0, 40)]: `two\n${ada.email.toUpperCase()}`, deal: 'D-7' };
  const { meeting_id } = await book(platform, 96, { metadata });
  const { meetings } = (await own.send('GET', '/v1/user/export')).body as { meetings: Record<string, unknown>[] };
  const exported = meetings.find((one) => one.meeting_id === meeting_id);
  expect(exported).toMatchObject({ title: 'Coffee' });
  expect(exported).not.toHaveProperty('metadata');
  await own.send('DELETE', '/v1/user');
  const left = (await readMeeting(platform, meeting_id)) as { metadata?: Record<string, string> };
  expect(left.metadata).toMatchObject({ candidate: 'a former user', deal: 'D-7' });
  expect(JSON.stringify(left).toLowerCase()).not.toContain(ada.email);
});

test('a cancellation that the sweep finishes tells it too', async () => {
  const meeting = await booked({ metadata: { a: '1' } });
  world.faults.add({ ...DELETE_EVENT, mode: 'after' });
  expect((await meeting.platform.api.send('DELETE', `/v1/meetings/${meeting.id}`)).status).toBe(500);
  world.faults.clear();
  await tick();
  expect((await eventsOf(meeting.platform, 'meeting.cancelled'))[0]?.body.data.metadata).toEqual({ a: '1' });
});
