import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { refusal } from '../../support/checks/errors.ts';
import type { Booked } from '../../support/people/meetings.ts';
import {
  book,
  expectUntouched,
  moved,
  NOTHING_LEARNED,
  post,
  range,
  weightsOf,
} from '../../support/people/rescheduling.ts';
import { type Answer, createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const LATE = { enabled: true, start: '06:00', end: '23:00' };
const LONG = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, LATE]),
);

/** Sets preferences of an attendee. `book` makes meetings that Bob asks to move. */
async function prefer({ platform }: Booked, email: string, preferences: object): Promise<void> {
  const { api_key } = await world.connect(platform, email);
  const answer = await createClient(world.baseUrl, api_key).send('PUT', '/v1/user/preferences', preferences);
  expect(answer.status).toBe(200);
}

describe("the asker's words win over the asker's settings", () => {
  test('an earlier hour than they work, which the reasoning says', async () => {
    const meeting = await book();
    const answer = moved(await post(meeting, { reason: '7am would be better' }));
    expect(answer.reasoning).toMatch(/7:00 in New York, as \S+ asked\..*usual hours/);
  });

  test('a day off', async () => {
    const meeting = await book();
    await prefer(meeting, meeting.ada.email, { work_hours: LONG });
    const answer = moved(await post(meeting, { reason: 'Saturday 10:30 possible?' }));
    expect(new Date(answer.new_meeting_time).getUTCDay()).toBe(6);
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
      ['An evening on Thursday, not before 9 pm', 4, 21],
      ['Mornings are out and afternoons are out', 3, 18],
      ["Later please, I can't before seven", 3, 19],
      ['Not after 7:30 am', 3, 7],
    ])('opens the hours beyond it: %s', async (reason, day, hour) => {
      const answer = await post(await lateBooked(), { reason });
      expect([dayOf(answer), hourOf(answer)]).toEqual([day, hour]);
      expect(moved(answer).reasoning).toMatch(/usual hours/);
    });

    test('of one day leaves the other days, where a time within both people’s hours is better', async () => {
      const answer = await post(await lateBooked(), { reason: "I can't do Wednesday before 7 pm" });
      expect([dayOf(answer), hourOf(answer)]).toEqual([4, 15]);
    });

    test('is not what only takes place then', async () => {
      const answer = await post(await lateBooked(), { reason: "I've got the auditors till six" });
      expect(hourOf(answer)).toBeLessThan(18);
    });

    test('is never crossed, even if nothing lies beyond it', async () => {
      const meeting = await book();
      await prefer(meeting, meeting.bob.email, { timezone: 'Etc/UTC' });
      const answer = await post(meeting, { reason: 'Thursday, not before 10 pm' });
      expect(answer).toMatchObject(
        refusal(409, 'no_availability', { message: expect.not.stringContaining(meeting.bob.email) }),
      );
      await expectUntouched(meeting);
    });
  });

  test("never the other person's hours, and the reason names who they belong to", async () => {
    const meeting = await book();
    const { reasoning, new_meeting_time } = moved(await post(meeting, { reason: '8pm would be better' }));
    expect(new_meeting_time).not.toContain('T20:00');
    expect(reasoning).toMatch(/^No time at 20:00 suits both, as \S+ does not work then/);
  });

  test('never a focus block of theirs', async () => {
    const meeting = await book();
    await prefer(meeting, meeting.ada.email, { work_hours: LONG });
    const blocks = Object.keys(LONG).map((day) => ({ day, start: '19:30', end: '21:30' }));
    await prefer(meeting, meeting.bob.email, { focus_blocks: blocks });
    const answer = moved(await post(meeting, { reason: '8pm would be better' }));
    expect(answer.reasoning).not.toMatch(/is now on [^:]* at 20:00/);
  });
});

describe('a reason that was not understood', () => {
  const UNCLEAR = 'the Friday after next';

  test('moves the meeting from the next day on, with a warning', async () => {
    const meeting = await book();
    const answer = await post(meeting, { reason: UNCLEAR });
    expect(answer.body).toMatchObject({
      understood: [],
      not_understood: [UNCLEAR],
      learned_from: NOTHING_LEARNED,
    });
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
    await expectUntouched(meeting);
    expect(await weightsOf(meeting.bob.email)).toEqual(before);
  });

  test.each(['Only on <date> please', 'Only on 0001-01-01', 'Move it to 4 January <year>', '500 days later'])(
    'names a day that no meeting can have, and is refused: %s',
    async (reason) => {
      const meeting = await book();
      const [date, year] = [500, 800].map((days) => new Date(meeting.start + 24 * days * HOUR).toISOString());
      const named = reason.replace('<date>', `${date?.slice(0, 10)}`).replace('<year>', `${year?.slice(0, 4)}`);
      const answer = await post(meeting, { reason: named, when_unclear: 'refuse' });
      expect([answer.status, answer.body]).toMatchObject([409, { error: { code: 'reason_unclear' } }]);
      await expectUntouched(meeting);
    },
  );

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
    await expectUntouched(meeting);
  });
});

test('a preference text without a rule says so', async () => {
  const meeting = await book();
  const { api_key } = await world.connect(meeting.platform, meeting.bob.email);
  const client = createClient(world.baseUrl, api_key);
  const save = (text: string) => client.send('PUT', '/v1/user/preferences', { scheduling_context: text });
  expect((await save('Teams not Zoom')).body).toMatchObject({
    warnings: ['No rule was read in the text, so it changes no search.'],
  });
  expect((await save('No meetings before 10')).body).not.toHaveProperty('warnings');
});
