import { beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, WEEKDAYS } from '../../../lib/engine/time/dates.ts';
import type { NewEvent } from '../../local/google/person.ts';
import { inThePast, refusal, refusals } from '../../support/checks/errors.ts';
import {
  book,
  expectInPlace,
  expectReplaced,
  moved,
  NOTHING_LEARNED,
  post,
  postLate,
  range,
  type Wish,
  weightsOf,
} from '../../support/people/changing.ts';
import { freshPerson, ownClient } from '../../support/people/factories.ts';
import {
  type Booked,
  FORBIDDEN,
  GET_EVENT,
  iso,
  NOT_FOUND,
  seen,
  setPreferences,
} from '../../support/people/meetings.ts';
import type { Answer } from '../../support/worlds/client.ts';
import { hold, met } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Event = Omit<NewEvent, 'email'>;
const LATER = { reason: 'Can we push it back 15 minutes?' };
const timeOf = async (meeting: Booked, wish: Wish = LATER) => moved(await post(meeting, wish)).new_meeting_time;
const span = (start: number, end: number) => ({ start: iso(start), end: iso(end) });

describe('a meeting of half an hour that is to be moved by a quarter', () => {
  test('goes there, on both calendars', async () => {
    const meeting = await book();
    const answer = await post(meeting, LATER);
    expect(moved(answer).new_meeting_time).toBe(iso(meeting.start + 15 * MINUTE));
    await expectReplaced(meeting, answer);
  });

  test('goes there in a buffer that its own time would fill', async () => {
    const meeting = await book();
    await setPreferences(meeting.bob.email, { buffer_minutes: 30, holidays: 'off' });
    expect(await timeOf(meeting, { reason: 'half an hour later please' })).toBe(iso(meeting.start + 30 * MINUTE));
  });

  test.each<[string, 'ada' | 'bob', (meeting: Booked) => Event]>([
    ['another event at the very time', 'bob', ({ start, end }) => span(start, end)],
    ['the same on the calendar it stands on', 'ada', ({ start, end }) => span(start, end)],
    ['a whole day', 'bob', ({ start }) => ({ start: iso(start).slice(0, 10), end: iso(start + DAY).slice(0, 10) })],
    [
      'one of a series',
      'bob',
      // The series starts the day before. No zone changes its clocks between a Tuesday and a Wednesday.
      ({ start, end }) => ({ ...span(start - DAY, end - DAY), recurrence: ['RRULE:FREQ=DAILY'] }),
    ],
    ['focus time', 'bob', ({ start, end }) => ({ ...span(start, end), eventType: 'focusTime' })],
  ])('does not go where there is %s', async (_, who, event) => {
    const meeting = await book();
    world.google.addEvent({ email: meeting[who].email, ...event(meeting) });
    const time = Date.parse(await timeOf(meeting));
    expect(Math.abs(time - meeting.start)).toBeGreaterThanOrEqual(30 * MINUTE);
  });

  test.each<[string, (meeting: Booked) => Event]>([
    ['shown as free', ({ start, end }) => ({ ...span(start, end), transparency: 'transparent' })],
    ['over before it begins', ({ start }) => span(start - 15 * MINUTE, start)],
  ])('goes where there is only an event that is %s', async (_, event) => {
    const meeting = await book();
    world.google.addEvent({ email: meeting.bob.email, ...event(meeting) });
    expect(await timeOf(meeting)).toBe(iso(meeting.start + 15 * MINUTE));
  });

  test('goes where there is only an event that is declined', async () => {
    const meeting = await book();
    const carol = freshPerson({ name: 'carol' });
    const eventId = world.google.addEvent({
      email: carol.email,
      attendees: [meeting.bob.email],
      ...span(meeting.start, meeting.end),
    });
    world.google.patchEvent({ email: meeting.bob.email, eventId, responseStatus: 'declined' });
    expect(await timeOf(meeting)).toBe(iso(meeting.start + 15 * MINUTE));
  });

  test('sees what stands on a second page', async () => {
    const meeting = await book();
    world.google.addEvent({ email: meeting.bob.email, ...span(meeting.start, meeting.end) });
    const { mostOnAPage } = world.google.settings;
    world.google.settings.mostOnAPage = 1;
    const time = Date.parse(await timeOf(meeting));
    world.google.settings.mostOnAPage = mostOnAPage;
    expect(Math.abs(time - meeting.start)).toBeGreaterThanOrEqual(30 * MINUTE);
  });
});

test.each([
  ['it answers 500', { mode: 'status', status: 500 }, 500, 'calendar_unavailable'],
  ['it is closed', { mode: 'status', status: 403, body: FORBIDDEN }, 409, 'calendar_refused'],
  ['the connection drops', { mode: 'reset' }, 500, 'calendar_unavailable'],
  ['it hangs', { mode: 'hang' }, 500, 'calendar_unavailable'],
  ['it answers something else', { mode: 'status', status: 200, body: {} }, 500, 'calendar_unavailable'],
] as const)(
  'when the events of a calendar cannot be read, as %s, nothing is changed',
  async (_, fault, status, code) => {
    const meeting = await book();
    world.faults.add({ ...GET_EVENT, ...fault });
    const answer = await post(meeting, LATER);
    expect([answer.status, answer.body]).toMatchObject([status, { error: { code } }]);
    world.faults.clear();
    await expectInPlace(meeting);
    expect(await timeOf(meeting)).toBe(iso(meeting.start + 15 * MINUTE));
  },
);

test('an event that comes at the last moment, over the meeting’s own time, still blocks', async () => {
  const meeting = await book();
  world.faults.add({ ...GET_EVENT, mode: 'delay', delay_ms: 0, times: 3 });
  const held = hold({ ...GET_EVENT, times: 2 });
  const answer = postLate(meeting, LATER);
  await met(held, 2);
  world.google.addEvent({ email: meeting.bob.email, ...span(meeting.start, meeting.end) });
  held.release();
  expect(Math.abs(Date.parse(moved(await answer).new_meeting_time) - meeting.start)).toBeGreaterThanOrEqual(
    30 * MINUTE,
  );
});

describe('POST /v1/meetings/{id}/reschedule refuses', () => {
  const [start, end] = ['2099-03-02T15:00:00Z', '2099-03-02T16:00:00Z'];
  let meeting: Booked;
  beforeAll(async () => {
    meeting = await book();
  });

  test.each([
    ...refusals('invalid_request', 'meeting_id', [
      [
        'another meeting_id',
        { meeting_id: 'meet_x' },
        '`meeting_id` must equal the meeting ID in the path. Send the same ID, or leave the field out.',
      ],
    ]),
    ...refusals('invalid_request', 'requested_by', [
      ['nobody', { requested_by: undefined }, '`requested_by` is required. Send it with the request.'],
      ['a name', { requested_by: 'bob' }, '`requested_by` must be an email address, such as ada@example.com.'],
      [
        'a stranger',
        { requested_by: 'x@people.test' },
        '`requested_by` must be the email address of one of the two attendees of this meeting.',
      ],
    ]),
    ...refusals('invalid_request', 'reason', [
      ['no reason', { reason: undefined }, '`reason` is required. Send it with the request.'],
      ['a blank reason', { reason: ' \t' }, '`reason` must not be empty.'],
      ['a reason that is too long', { reason: 'x'.repeat(1001) }, '`reason` must have at most 1000 characters.'],
    ]),
    ...refusals('invalid_time', 'preferred_time_range.end', [
      [
        'a reversed range',
        { preferred_time_range: { start: end, end: start } },
        '`preferred_time_range.end` must be later than `preferred_time_range.start`.',
      ],
      [
        'a range of the past',
        { preferred_time_range: { start: '2020-03-02T15:00:00Z', end: '2020-03-02T16:00:00Z' } },
        inThePast('preferred_time_range.end'),
      ],
    ]),
    ...refusals('invalid_date_range', 'preferred_time_range', [
      [
        'a range of years',
        { preferred_time_range: { start: '2098-03-02T15:00:00Z', end } },
        expect.stringMatching(/^The last date that can be searched is /),
      ],
    ]),
  ])('%s', async (_name, wish, answer) => {
    expect(seen(await post(meeting, wish as Wish))).toEqual(answer);
  });

  test.each(['meet_nobody', "'--"])('the id %s', async (id) => {
    const body = { meeting_id: id, requested_by: meeting.bob.email, reason: 'x' };
    expect(seen(await meeting.platform.api.send('POST', `/v1/meetings/${id}/reschedule`, body))).toEqual(NOT_FOUND);
  });
});

const LATE = { enabled: true, start: '06:00', end: '23:00' };
const LONG = Object.fromEntries(WEEKDAYS.map((day) => [day, LATE]));

/** Sets preferences of an attendee. `book` makes meetings that Bob asks to move. */
async function prefer({ platform }: Booked, email: string, preferences: object): Promise<void> {
  const own = await ownClient(platform, email);
  const answer = await own.send('PUT', '/v1/user/preferences', preferences);
  expect(answer.status).toBe(200);
}

describe("the asker's words win over the asker's settings", () => {
  test('an earlier hour than they work, which the reasoning says', async () => {
    const meeting = await book();
    const answer = moved(await post(meeting, { reason: '7am would be better' }));
    expect(answer.reasoning).toMatch(/7:00 in New York, as \S+ asked\..*usual hours/);
  });

  test('a standing rule and a full day', async () => {
    const meeting = await book();
    await prefer(meeting, meeting.bob.email, { scheduling_context: 'No meetings on Fridays', max_meetings_per_day: 1 });
    const answer = moved(await post(meeting, { reason: 'Friday would be better' }));
    expect(new Date(answer.new_meeting_time).getUTCDay()).toBe(5);
  });

  test('a range of theirs', async () => {
    const meeting = await book();
    await prefer(meeting, meeting.ada.email, { work_hours: LONG });
    const evening = Math.floor(meeting.start / (24 * HOUR)) * 24 * HOUR + 20 * HOUR;
    const answer = moved(await post(meeting, { reason: 'A conflict', ...range(evening, evening + HOUR) }));
    expect(new Date(answer.new_meeting_time).getUTCHours()).toBe(20);
  });

  describe('a bound said as a refusal', () => {
    const lateBooked = async () => {
      const meeting = await book();
      await prefer(meeting, meeting.ada.email, { work_hours: LONG });
      await prefer(meeting, meeting.bob.email, { timezone: 'Etc/UTC' });
      return meeting;
    };
    const hourOf = (answer: Answer) => new Date(moved(answer).new_meeting_time).getUTCHours();
    const dayOf = (answer: Answer) => new Date(moved(answer).new_meeting_time).getUTCDay();

    test.each([
      ['Thursday, not before 6 pm', 4, 18],
      ['Mornings are out and afternoons are out', 3, 18],
      ["Later please, I can't before seven", 3, 19],
      ['Not after 7:30 am', 3, 7],
    ])('opens the hours beyond it: %s', async (reason, day, hour) => {
      const answer = await post(await lateBooked(), { reason });
      expect([dayOf(answer), hourOf(answer)]).toEqual([day, hour]);
      expect(moved(answer).reasoning).toMatch(/usual hours/);
    });

    test('is never crossed, even if nothing lies beyond it', async () => {
      const meeting = await book();
      await prefer(meeting, meeting.bob.email, { timezone: 'Etc/UTC' });
      const answer = await post(meeting, { reason: 'Thursday, not before 10 pm' });
      expect(answer).toMatchObject(
        refusal(409, 'no_availability', { message: expect.not.stringContaining(meeting.bob.email) }),
      );
      await expectInPlace(meeting);
    });
  });

  test("never the other person's hours, and the reason names who they belong to", async () => {
    const meeting = await book();
    const { reasoning, new_meeting_time } = moved(await post(meeting, { reason: '8pm would be better' }));
    expect(new_meeting_time).not.toContain('T20:00');
    expect(reasoning).toMatch(/^No time at 20:00 suits both, as \S+ does not work then/);
  });
});

describe('a reason that was not understood', () => {
  const UNCLEAR = 'the Friday after next';

  test('moves the meeting from the next day on, with a warning', async () => {
    const meeting = await book();
    const answer = await post(meeting, { reason: UNCLEAR });
    expect(answer.body).toMatchObject({ understood: [], not_understood: [UNCLEAR], learned_from: NOTHING_LEARNED });
    expect((answer.body as { warnings: string[] }).warnings.join()).toContain(`“${UNCLEAR}”`);
    expect(Date.parse(moved(answer).new_meeting_time)).toBeGreaterThan(meeting.start + 12 * HOUR);
  });

  test('is refused on request, with other times, and nothing is moved or learned', async () => {
    const meeting = await book();
    const before = await weightsOf(meeting.bob.email);
    const answer = await post(meeting, { reason: UNCLEAR, when_unclear: 'refuse' });
    expect(answer).toMatchObject(
      refusal(409, 'reason_unclear', {
        alternatives: expect.arrayContaining([expect.objectContaining({ start_time: expect.any(String) })]),
      }),
    );
    await expectInPlace(meeting);
    expect(await weightsOf(meeting.bob.email)).toEqual(before);
  });

  test('is refused with times that the meeting itself is no neighbour of', async () => {
    const answer = await post(await book(), { reason: UNCLEAR, when_unclear: 'refuse' });
    const { alternatives } = (answer.body as { error: { alternatives: object[] } }).error;
    expect(alternatives.length).toBeGreaterThan(0);
    expect(JSON.stringify(alternatives)).not.toContain('back to back');
  });

  test('says nothing about time: the meeting moves either way', async () => {
    const meeting = await book();
    const answer = await post(meeting, { reason: 'Kid is sick, sorry', when_unclear: 'refuse' });
    expect([answer.status, (answer.body as { warnings?: string[] }).warnings]).toEqual([200, undefined]);
  });

  test.each(['move', 'refuse'])('asks to cancel, which is no move, with %s', async (when_unclear) => {
    const meeting = await book();
    const answer = await post(meeting, { reason: 'Please cancel, I no longer need this', when_unclear });
    expect(answer).toMatchObject(
      refusal(409, 'reason_unclear', { message: expect.stringContaining('DELETE /v1/meetings/') }),
    );
    await expectInPlace(meeting);
  });
});

test('a preference text without a rule says so', async () => {
  const meeting = await book();
  const client = await ownClient(meeting.platform, meeting.bob.email);
  const save = (text: string) => client.send('PUT', '/v1/user/preferences', { scheduling_context: text });
  expect((await save('Teams not Zoom')).body).toMatchObject({
    warnings: ['No rule was read in the text, so it changes no search.'],
  });
  expect((await save('No meetings before 10')).body).not.toHaveProperty('warnings');
});
