import { beforeAll, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { inThePast, NO_OBJECT, refusal, refusals } from '../../support/checks/errors.ts';
import { type Booked, booked, inHours, iso, NOT_FOUND, seen } from '../../support/people/meetings.ts';
import { put } from '../../support/people/updating.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

describe('PUT /v1/meetings/{id} refuses', () => {
  const TIME = 'must be an ISO 8601 date-time with an offset or Z, such as 2026-12-01T14:00:00+01:00.';
  const SPAN = '`end_time` must be 5 to 720 minutes after `start_time`.';
  const start = inHours(99);
  const [start_time, end_time] = [iso(start), iso(start + 30 * MINUTE)];
  const good = { start_time, end_time };
  let meeting: Booked;
  beforeAll(async () => {
    meeting = await booked();
  });

  test.each([
    ...refusals('invalid_time', 'start_time', [
      ['no times', {}, '`start_time` and `end_time` are required. Send them with the request.'],
      ['a start without a zone', { ...good, start_time: '2099-03-02T15:00:00' }, `\`start_time\` ${TIME}`],
      [
        'a day that does not exist',
        { ...good, start_time: '2099-02-30T15:00:00Z' },
        '`start_time` must name a day and a time that exist.',
      ],
      [
        'a start in the past',
        { start_time: '2020-03-02T15:00:00Z', end_time: '2020-03-02T15:30:00Z' },
        inThePast('start_time'),
      ],
      [
        'a start in more than 400 days',
        { start_time: iso(start + 400 * 24 * HOUR), end_time: iso(start + 400 * 24 * HOUR + 30 * MINUTE) },
        '`start_time` must be at most 400 days from now.',
      ],
      [
        'the end of time',
        { start_time: '9999-12-31T23:50:00Z', end_time: '9999-12-31T23:59:59-01:00' },
        '`start_time` must be a time in the years 1970 to 9998.',
      ],
    ]),
    ...refusals('invalid_time', 'end_time', [
      ['no end', { start_time }, '`end_time` is required. Send it with the request.'],
      ['an end that is a number', { ...good, end_time: 7 }, `\`end_time\` ${TIME.slice(0, -1)}, not a number.`],
      ['an end before the start', { start_time: end_time, end_time: start_time }, SPAN],
      ['no time at all', { ...good, end_time: start_time }, SPAN],
      ['4 minutes', { ...good, end_time: iso(start + 4 * MINUTE) }, SPAN],
      ['721 minutes', { ...good, end_time: iso(start + 721 * MINUTE) }, SPAN],
    ]),
    ...refusals('invalid_attendees', 'attendees', [
      ['one attendee', { ...good, attendees: ['a@x.test'] }, '`attendees` must contain exactly two email addresses.'],
      [
        'attendees as text',
        { ...good, attendees: 'a@x.test' },
        '`attendees` must be an array of two different email addresses, not a string.',
      ],
    ]),
    ...refusals('invalid_request', 'reason', [
      ['a reason that is a number', { ...good, reason: 7 }, '`reason` must be a string, not a number.'],
      [
        'a reason that is too long',
        { ...good, reason: 'x'.repeat(1001) },
        '`reason` must have at most 1000 characters.',
      ],
      ['a reason with NUL', { ...good, reason: 'x\0' }, '`reason` must be valid Unicode text without NUL characters.'],
    ]),
    ...NO_OBJECT,
  ])('%s', async (_name, body, answer) => {
    expect(seen(await put(meeting, body))).toEqual(answer);
  });

  test('a pair without the first attendee', async () => {
    const { ada, bob } = meeting;
    expect(seen(await put(meeting, { ...good, attendees: [bob.email, 'cleo@people.test'] }))).toEqual(
      refusal(400, 'invalid_attendees', {
        message: `\`attendees\` must still include ${ada.email}, because the meeting's event is on the calendar of ${ada.email}.`,
        field: 'attendees',
      }),
    );
  });

  test('a second attendee who is not connected', async () => {
    const { ada } = meeting;
    expect(seen(await put(meeting, { ...good, attendees: [ada.email, 'stranger@people.test'] }))).toEqual(
      refusal(404, 'user_not_found', {
        message:
          'stranger@people.test has no calendar connected to this platform. Send them the link from GET /v1/platform/oauth-url.',
        field: 'attendees',
        email: 'stranger@people.test',
      }),
    );
  });

  test.each(['meet_nobody', 'x%00', "'--"])('the id %s', async (id) => {
    expect(seen(await put({ ...meeting, id }, good))).toEqual(NOT_FOUND);
  });

  test('the method POST', async () => {
    const answer = await meeting.platform.api.send('POST', `/v1/meetings/${meeting.id}`, good);
    expect([answer.status, answer.body]).toMatchObject([405, { error: { code: 'method_not_allowed' } }]);
  });
});
