import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { inThePast, wholeError } from '../../support/checks/errors.ts';
import { iso } from '../../support/people/meetings.ts';
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
