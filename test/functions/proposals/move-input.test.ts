import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { wholeError } from '../../support/checks/errors.ts';
import { booked, iso } from '../../support/people/meetings.ts';
import { moveOf } from '../../support/people/move-proposals.ts';
import { propose } from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('bad input names its field', async () => {
  const meeting = await booked();
  const other = await booked();
  const body = moveOf(meeting);
  test.each<[string, object, number, string, string, string]>([
    [
      'a title',
      { title: 'Another' },
      400,
      'invalid_request',
      'title',
      '`title` must not be sent together with `meeting_id`, because the meeting keeps its own.',
    ],
    [
      'metadata',
      { metadata: { deal: 'D-1' } },
      400,
      'invalid_request',
      'metadata',
      '`metadata` must not be sent together with `meeting_id`, because the meeting keeps its own.',
    ],
    [
      'other attendees',
      { attendees: [meeting.ada.email, other.bob.email] },
      400,
      'invalid_attendees',
      'attendees',
      `\`attendees\` must be the attendees of the meeting, ${meeting.ada.email} and ${meeting.bob.email}, in this order. You may leave the field out.`,
    ],
    [
      'a time in 15 minutes, whose booking at the expiry would be due at once',
      { times: [iso(world.clock.now() + 15 * MINUTE)], on_expiry: 'book_first' },
      400,
      'invalid_time',
      'times',
      'With `on_expiry` `book_first`, every time in `times` must be more than 15 minutes from now, because Tandem books 15 minutes before the earliest time.',
    ],
    [
      'the time that the meeting has',
      { times: [iso(meeting.start)] },
      400,
      'invalid_time',
      'times',
      '`times` must not include the time that the meeting has.',
    ],
  ])('%s', async (_what, change, status, code, field, message) => {
    const answer = await propose(meeting.platform, { ...body, ...change });
    expect([answer.status, answer.body]).toEqual([status, wholeError({ error: { code, field, message } })]);
  });

  test('a meeting that does not exist, was cancelled, or is another platform’s', async () => {
    expect(await propose(meeting.platform, { ...body, meeting_id: 'meet_none' })).toMatchObject({
      status: 404,
      body: { error: { code: 'meeting_not_found' } },
    });
    expect(await propose(meeting.platform, { ...body, meeting_id: other.id })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    await other.platform.api.send('DELETE', `/v1/meetings/${other.id}`);
    expect(await propose(other.platform, moveOf(other))).toMatchObject({
      status: 404,
      body: { error: { code: 'meeting_not_found' } },
    });
  });

  test('a meeting that begins within 15 minutes', async () => {
    const soon = await booked({ start: Math.ceil(world.clock.now() / MINUTE) * MINUTE + 10 * MINUTE });
    expect(await propose(soon.platform, moveOf(soon))).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', field: 'meeting_id' } },
    });
  });

  test('a person who disconnected', async () => {
    const gone = await booked();
    await gone.platform.api.disconnect(gone.bob.email);
    expect(await propose(gone.platform, moveOf(gone))).toMatchObject({
      status: 404,
      body: { error: { code: 'calendar_reconnect_required' } },
    });
  });
});
