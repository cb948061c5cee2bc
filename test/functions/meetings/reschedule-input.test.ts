import { beforeAll, describe, expect, test } from 'vitest';
import { inThePast, wholeError } from '../../support/checks/errors.ts';
import { type Booked, NOT_FOUND, seen } from '../../support/people/meetings.ts';
import { book, post, range } from '../../support/people/rescheduling.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

describe('POST /v1/meetings/{id}/reschedule refuses', () => {
  const INSTANT = 'must be an ISO 8601 date-time with an offset or Z, such as 2026-12-01T14:00:00+01:00.';
  const [start, end] = ['2099-03-02T15:00:00Z', '2099-03-02T16:00:00Z'];
  let meeting: Booked;
  beforeAll(async () => {
    meeting = await book();
  });

  test.each<[string, object, string, string, string]>([
    [
      'another meeting_id',
      { meeting_id: 'meet_x' },
      'invalid_request',
      'meeting_id',
      '`meeting_id` must equal the meeting ID in the path. Send the same ID, or leave the field out.',
    ],
    [
      'a meeting_id that is a number',
      { meeting_id: 7 },
      'invalid_request',
      'meeting_id',
      '`meeting_id` must be a string, not a number.',
    ],
    [
      'nobody',
      { requested_by: undefined },
      'invalid_request',
      'requested_by',
      '`requested_by` is required. Send it with the request.',
    ],
    [
      'a name',
      { requested_by: 'bob' },
      'invalid_request',
      'requested_by',
      '`requested_by` must be an email address, such as ada@example.com.',
    ],
    [
      'a stranger',
      { requested_by: 'x@people.test' },
      'invalid_request',
      'requested_by',
      '`requested_by` must be the email address of one of the two attendees of this meeting.',
    ],
    [
      'no reason',
      { reason: undefined },
      'invalid_request',
      'reason',
      '`reason` is required. Send it with the request.',
    ],
    ['a blank reason', { reason: ' \t' }, 'invalid_request', 'reason', '`reason` must not be empty.'],
    [
      'a reason that is too long',
      { reason: 'x'.repeat(1001) },
      'invalid_request',
      'reason',
      '`reason` must have at most 1000 characters.',
    ],
    [
      'a reason with NUL',
      { reason: 'x\0' },
      'invalid_request',
      'reason',
      '`reason` must be valid Unicode text without NUL characters.',
    ],
    [
      'a range that is text',
      { preferred_time_range: 'soon' },
      'invalid_time',
      'preferred_time_range',
      '`preferred_time_range` must be an object with the fields `start` and `end`, not a string.',
    ],
    [
      'a range without its end',
      { preferred_time_range: { start } },
      'invalid_time',
      'preferred_time_range.end',
      '`preferred_time_range.end` is required. Send it with the request.',
    ],
    [
      'a range of dates',
      { preferred_time_range: { start: '2099-03-02', end } },
      'invalid_time',
      'preferred_time_range.start',
      `\`preferred_time_range.start\` ${INSTANT}`,
    ],
    [
      'a reversed range',
      { preferred_time_range: { start: end, end: start } },
      'invalid_time',
      'preferred_time_range.end',
      '`preferred_time_range.end` must be later than `preferred_time_range.start`.',
    ],
    [
      'a range of the past',
      { preferred_time_range: { start: '2020-03-02T15:00:00Z', end: '2020-03-02T16:00:00Z' } },
      'invalid_time',
      'preferred_time_range.end',
      inThePast('preferred_time_range.end'),
    ],
    [
      'a range of years',
      { preferred_time_range: { start: '2098-03-02T15:00:00Z', end } },
      'invalid_date_range',
      'preferred_time_range',
      expect.stringMatching(/^The last date that can be searched is /),
    ],
  ])('%s', async (_name, wish, code, field, message) => {
    expect(seen(await post(meeting, wish))).toEqual({
      status: 400,
      body: wholeError({ error: { code, message, field } }),
    });
  });

  test('the end of time', async () => {
    const wish = range(Date.UTC(9998, 11, 30), Date.UTC(9998, 11, 30, 0, 15));
    expect((await post(meeting, wish)).status).toBe(400);
  });

  test.each(['meet_nobody', "'--"])('the id %s', async (id) => {
    const body = { meeting_id: id, requested_by: meeting.bob.email, reason: 'x' };
    expect(seen(await meeting.platform.api.send('POST', `/v1/meetings/${id}/reschedule`, body))).toEqual(NOT_FOUND);
  });
});
