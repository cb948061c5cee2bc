import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { refusal, refusals } from '../../support/checks/errors.ts';
import { booked, iso, seen } from '../../support/people/meetings.ts';
import { moveOf } from '../../support/people/move-proposals.ts';
import { propose } from '../../support/people/proposing.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

describe('bad input names its field', async () => {
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
