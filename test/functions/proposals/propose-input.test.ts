import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { inThePast, refusal, refusals, wholeError } from '../../support/checks/errors.ts';
import { booked, iso, seen } from '../../support/people/meetings.ts';
import { moveOf } from '../../support/people/move-proposals.ts';
import { bodyFor, propose, proposing } from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const at = (time = '') => Date.parse(time);

describe('bad input names its field', async () => {
  const { platform, ada, bob } = await proposing();
  const body = bodyFor({ ada, bob });
  test.each([
    ['times and a count', { count: 3 }, 'invalid_request', 'count', '`count` must not be sent together with `times`.'],
    [
      'a count of none',
      { times: undefined, count: 0 },
      'invalid_request',
      'count',
      '`count` must be a whole number from 1 to 5.',
    ],
    [
      'a count of six',
      { times: undefined, count: 6 },
      'invalid_request',
      'count',
      '`count` must be a whole number from 1 to 5.',
    ],
    ['an empty list', { times: [] }, 'invalid_time', 'times', '`times` must have 1 to 5 entries.'],
    [
      'six times',
      { times: Array.from({ length: 6 }, (_, n) => iso(at(body.times[0]) + n * HOUR)) },
      'invalid_time',
      'times',
      '`times` must have 1 to 5 entries.',
    ],
    [
      'one time twice',
      { times: [body.times[0], body.times[0]?.replace('Z', '+00:00')] },
      'invalid_time',
      'times',
      '`times` must not name the same time twice.',
    ],
    [
      'a time without an offset',
      { times: ['2030-01-08T14:00:00'] },
      'invalid_time',
      'times.0',
      '`times.0` must be an ISO 8601 date-time with an offset or Z, such as 2026-12-01T14:00:00+01:00.',
    ],
    ['a past time', { times: ['2020-01-08T14:00:00Z'] }, 'invalid_time', 'times', inThePast('times')],
    [
      'a time that is too far',
      { times: [iso(world.clock.now() + 401 * 24 * HOUR)] },
      'invalid_time',
      'times',
      '`times` must be at most 400 days from now.',
    ],
    [
      'a time in 15 minutes, whose booking at the expiry would be due at once',
      { times: [iso(world.clock.now() + 15 * MINUTE), body.times[0]], on_expiry: 'book_first' },
      'invalid_time',
      'times',
      'With `on_expiry` `book_first`, every time in `times` must be more than 15 minutes from now, because Tandem books 15 minutes before the earliest time.',
    ],
    [
      'no hours',
      { expires_in_hours: 0 },
      'invalid_request',
      'expires_in_hours',
      '`expires_in_hours` must be a whole number from 1 to 336.',
    ],
    [
      'too many hours',
      { expires_in_hours: 337 },
      'invalid_request',
      'expires_in_hours',
      '`expires_in_hours` must be a whole number from 1 to 336.',
    ],
    [
      'an unknown effect of the expiry',
      { on_expiry: 'book' },
      'invalid_request',
      'on_expiry',
      '`on_expiry` must be one of cancel, book_first.',
    ],
    ['no title', { title: undefined }, 'invalid_request', 'title', '`title` is required. Send it with the request.'],
    [
      'no duration',
      { duration_minutes: undefined },
      'invalid_duration',
      'duration_minutes',
      '`duration_minutes` is required. Send it with the request.',
    ],
    [
      'one attendee',
      { attendees: [ada.email] },
      'invalid_attendees',
      'attendees',
      '`attendees` must contain exactly two email addresses.',
    ],
  ])('%s', async (_what, change, code, field, message) => {
    const answer = await propose(platform, { ...body, ...change });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(wholeError({ error: { code, field, message } }));
  });
});

describe('bad input for a move names its field', async () => {
  const meeting = await booked();
  const other = await booked();
  const body = moveOf(meeting);
  const KEEPS = 'must not be sent together with `meeting_id`, because the meeting keeps its own.';
  test.each([
    ...refusals('invalid_request', 'title', [['a title', { title: 'Another' }, `\`title\` ${KEEPS}`]]),
    ...refusals('invalid_request', 'metadata', [['metadata', { metadata: { deal: 'D-1' } }, `\`metadata\` ${KEEPS}`]]),
    ...refusals('invalid_attendees', 'attendees', [
      [
        'other attendees',
        { attendees: [meeting.ada.email, other.bob.email] },
        `\`attendees\` must be the attendees of the meeting, ${meeting.ada.email} and ${meeting.bob.email}, in this order. You may leave the field out.`,
      ],
    ]),
    ...refusals('invalid_time', 'times', [
      [
        'a time in 15 minutes, whose booking at the expiry would be due at once',
        { times: [iso(world.clock.now() + 15 * MINUTE)], on_expiry: 'book_first' },
        'With `on_expiry` `book_first`, every time in `times` must be more than 15 minutes from now, because Tandem books 15 minutes before the earliest time.',
      ],
      [
        'the time that the meeting has',
        { times: [iso(meeting.start)] },
        '`times` must not include the time that the meeting has.',
      ],
    ]),
  ])('%s', async (_what, change, answer) => {
    expect(seen(await propose(meeting.platform, { ...body, ...(change as object) }))).toEqual(answer);
  });

  test('a meeting that does not exist, was cancelled, or is another platform’s', async () => {
    expect(await propose(meeting.platform, { ...body, meeting_id: 'meet_none' })).toMatchObject(
      refusal(404, 'meeting_not_found'),
    );
    expect(await propose(meeting.platform, { ...body, meeting_id: other.id })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    await other.platform.api.send('DELETE', `/v1/meetings/${other.id}`);
    expect(await propose(other.platform, moveOf(other))).toMatchObject(refusal(404, 'meeting_not_found'));
  });

  test('a meeting that begins within 15 minutes', async () => {
    const soon = await booked({ start: Math.ceil(world.clock.now() / MINUTE) * MINUTE + 10 * MINUTE });
    expect(await propose(soon.platform, moveOf(soon))).toMatchObject(
      refusal(400, 'invalid_request', { field: 'meeting_id' }),
    );
  });

  test('a person who disconnected', async () => {
    const gone = await booked();
    await gone.platform.api.disconnect(gone.bob.email);
    expect(await propose(gone.platform, moveOf(gone))).toMatchObject(refusal(404, 'calendar_reconnect_required'));
  });
});
