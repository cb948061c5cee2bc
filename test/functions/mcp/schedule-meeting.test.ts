import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { namesOf } from '../../../lib/words/people.ts';
import { connectAgent, GENERATIONS, onClocks } from '../../support/people/agents.ts';
import { freshPerson } from '../../support/people/factories.ts';
import { bookable, liveEvents } from '../../support/people/meetings.ts';
import { keepHolidaysOf, nextHoliday } from '../../support/people/person-data.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const TOOL = 'schedule_meeting';

test.each(GENERATIONS)('books the time and echoes it exactly, for clients of %s', async (generation) => {
  const { platform, ada, bob, body, start } = await bookable();
  const agent = await connectAgent(platform.secret_key, { generation });
  const local = start.toISOString().replace('Z', '+00:00');
  const { data, text, isError } = await agent.call(TOOL, { ...body, start_time: local, location: 'Room 4' });
  expect([isError, text]).toEqual([false, expect.stringContaining(`Booked "Intro" as ${data.meeting_id} on `)]);
  expect(data).toEqual({
    status: 'scheduled',
    meeting_id: expect.stringMatching(/^meet_/),
    title: 'Intro',
    ...onClocks(start.getTime(), start.getTime() + 30 * MINUTE, [ada, bob]),
    meet_link: expect.stringMatching(/^https:/),
    conflicts: [],
  });
  expect(text).toContain(`in UTC ${data.start_utc} to ${data.end_utc}`);
  const [event] = liveEvents(ada.email);
  expect(Date.parse(event?.start?.dateTime ?? '')).toBe(start.getTime());
});

test('the same call three times makes one meeting, and says which', async () => {
  const { platform, ada, body } = await bookable();
  const agent = await connectAgent(platform.secret_key);
  const first = await agent.call(TOOL, body);
  for (let again = 0; again < 2; again += 1) {
    const { isError, text } = await agent.call(TOOL, body);
    expect(isError).toBe(true);
    expect(text).toContain(
      `slot_unavailable: Nothing was booked, because the two people have the same meeting already: ${first.data.meeting_id} "Intro", `,
    );
    expect(text.split('\n')).toHaveLength(1);
  }
  expect(liveEvents(ada.email)).toHaveLength(1);
});

test('a taken time is refused with other times, or booked all the same and said so', async () => {
  const { platform, ada, body, start } = await bookable();
  const agent = await connectAgent(platform.secret_key);
  const first = await agent.call(TOOL, body);
  const later = new Date(start.getTime() + 15 * MINUTE).toISOString();
  const refused = await agent.call(TOOL, { ...body, start_time: later });
  expect(refused.isError).toBe(true);
  expect(refused.text).toMatch(
    /^slot_unavailable: Nothing was booked: \S.* not free then\. Book one of the alternatives instead\.\n1\. /,
  );
  expect(refused.text.split('\n')).toHaveLength(6);
  const second = await agent.call(TOOL, { ...body, require_free: false });
  expect(second.data.conflicts).toEqual(
    expect.arrayContaining([expect.stringContaining(`${ada.email} already has ${first.data.meeting_id} then: `)]),
  );
  expect(second.text).toContain('The meeting overlaps another meeting.');
});

test('a time on a public holiday that must be free is booked with a warning', async () => {
  const { platform, ada, bob, body } = await bookable();
  const { place, date, written, said } = nextHoliday();
  await keepHolidaysOf(place, bob);
  const agent = await connectAgent(platform.secret_key);
  const { data, text } = await agent.call(TOOL, { ...body, start_time: `${date}T10:00:00Z`, require_free: true });
  const warning = `${said} is ${written}, a day off for ${namesOf([ada, bob]).short(bob.email)}.`;
  expect(data.status).toBe('scheduled');
  expect(text).toContain(warning);
});

test('a retry with its key books nothing twice, and the key is for one request', async () => {
  const { platform, ada, body } = await bookable();
  const agent = await connectAgent(platform.secret_key);
  const args = { ...body, idempotency_key: 'one' };
  const first = await agent.call(TOOL, args);
  const [, again] = await Promise.all([agent.call(TOOL, args), agent.call(TOOL, args)]);
  expect(again).toEqual(first);
  const other = await agent.call(TOOL, { ...args, title: 'Other' });
  expect([other.isError, other.text]).toEqual([
    true,
    'idempotency_key_reused: This idempotency_key was used for a different request. Use a new idempotency_key for each new request.',
  ]);
  const elsewhere = await platform.api.schedule(body, { headers: { 'idempotency-key': 'one' } });
  expect(elsewhere.status).toBe(422);
  expect(liveEvents(ada.email)).toHaveLength(1);
});

test('a kept refusal is refused again in the same words', async () => {
  const { platform, body } = await bookable();
  const agent = await connectAgent(platform.secret_key);
  await agent.call(TOOL, body);
  const args = { ...body, require_free: true, idempotency_key: 'two' };
  const first = await agent.call(TOOL, args);
  expect(await agent.call(TOOL, args)).toEqual(first);
  expect(first.text).toMatch(/^slot_unavailable: /);
});

describe('refuses what it cannot book', () => {
  test('a time without an offset, with the times that may be meant', async () => {
    const { platform, ada, bob, body } = await bookable();
    const agent = await connectAgent(platform.secret_key);
    const { text, isError } = await agent.call(TOOL, { ...body, start_time: '2027-07-01T10:00' });
    expect([isError, text]).toEqual([
      true,
      `invalid_time: \`start_time\` has no offset, so 10:00 could be in any time zone. Send 2027-07-01T10:00:00+01:00 for the clock of ${ada.email} (Europe/London), 2027-07-01T10:00:00-04:00 for the clock of ${bob.email} (America/New_York) or 2027-07-01T10:00:00Z for UTC.`,
    ]);
  });

  test.each([
    ['a day that is none', { start_time: '2027-02-30T10:00' }, /^invalid_time: `start_time` must be /],
    [
      'a time that is past',
      { start_time: '2020-01-01T10:00:00Z' },
      /^invalid_time: `start_time` must be in the future\. The time on our server is \d{4}-[\d-]+T[\d:]+Z\.$/,
    ],
    ['one attendee', { attendees: ['a@b.test'] }, /^invalid_attendees: /],
    ['no title', { title: undefined }, /^invalid_request: `title` is required\. Send it with the request\.$/],
    [
      'an unknown argument',
      { duration: 30 },
      /^invalid_request: `duration` is not a field of this request\. Leave it out\.$/,
    ],
    ['a misspelt one', { tittle: 'Intro', title: null }, /did you mean `title`\?$/],
  ])('%s', async (_what, change, message) => {
    const { platform, ada, body } = await bookable();
    const agent = await connectAgent(platform.secret_key);
    const { text, isError } = await agent.call(TOOL, { ...body, ...change });
    expect([isError, text]).toEqual([true, expect.stringMatching(message)]);
    expect(liveEvents(ada.email)).toEqual([]);
  });

  test('a stranger, and a spent quota', async () => {
    const { platform, ada, body } = await bookable({ plan: 'developer' });
    const agent = await connectAgent(platform.secret_key);
    const stranger = await agent.call(TOOL, { ...body, attendees: [ada.email, freshPerson().email] });
    expect(stranger.text).toMatch(/^user_not_found: /);
    await world.neon.query(
      "insert into usage (platform_id, month, used, confirmed) values ($1, to_char(to_timestamp($2 / 1000.0) at time zone 'utc', 'YYYY-MM'), 25, 25)",
      [platform.id, world.clock.now()],
    );
    const spent = await agent.call(TOOL, body);
    expect(spent.text).toMatch(
      /^quota_exceeded: You have used all 25 meetings of your plan for this month\. Wait until the count resets at \S+, or upgrade your plan\.$/,
    );
  });
});
