import { formatInTimeZone } from 'date-fns-tz';
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { wednesday } from '../../support/people/changing.ts';
import { ownClient } from '../../support/people/factories.ts';
import { iso } from '../../support/people/meetings.ts';
import { moving } from '../../support/people/move-proposals.ts';
import {
  acceptedProposal,
  answer,
  answerTo,
  counter,
  expectUntouched,
  hourInLondon,
  look,
  named,
  offered,
  offeredToGoogleUser,
  told,
  visit,
  ZONE,
} from '../../support/people/proposal-pages.ts';
import {
  accept,
  bodyFor,
  decline,
  heldFor,
  made,
  proposed,
  readProposal,
  toldOf,
  weekdays,
} from '../../support/people/proposing.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const datesOf = ({ times }: { times: { start_time: string }[] }) =>
  times.map(({ start_time }) => start_time.slice(0, 10));
const hoursOf = ({ times }: { times: { start_time: string }[] }) =>
  times.map(({ start_time }) => new Date(start_time).getUTCHours());

describe('a text with a day and hours', () => {
  test('is answered with up to three held times of that day, and the old proposal ends with one event', async () => {
    const scene = await offered({ metadata: { deal: 'D-1' }, expires_in_hours: 20, description: 'Bring the draft' });
    const { platform, url, id, days, proposal } = scene;
    const text = `None of these, sorry. I can do ${named(days[1])} before noon.`;
    const sent = await counter(url, text);
    expect(sent.status).toBe(303);
    const next = await answerTo(platform, id);
    expect(next).toMatchObject({
      status: 'open',
      attendees: proposal.attendees,
      title: 'Contract questions',
      description: 'Bring the draft',
      duration_minutes: 30,
      metadata: { deal: 'D-1' },
      on_expiry: 'cancel',
      counter_of: id,
    });
    expect(Date.parse(next.expires_at) - Date.parse(next.created_at)).toBe(20 * HOUR);
    expect(next.times).toHaveLength(3);
    expect(new Set(datesOf(next))).toEqual(new Set([proposal.times[1]?.start_time.slice(0, 10)]));
    for (const { start_time, end_time, status } of next.times) {
      expect(new Date(end_time).getUTCHours() * 60 + new Date(end_time).getUTCMinutes()).toBeLessThanOrEqual(720);
      expect(Date.parse(end_time) - Date.parse(start_time)).toBe(30 * MINUTE);
      expect(status).toBe('held');
    }
    expect([...next.times].sort((a, b) => a.start_time.localeCompare(b.start_time))).toEqual(next.times);
    const old = await readProposal(platform, id);
    expect(old).toMatchObject({ status: 'countered', decline_reason: text, counter_of: null, meeting_id: null });
    expect(old.times.map(({ status }) => status)).toEqual(['released', 'released', 'released']);
    expect(await heldFor(platform)).toBe(3);
    expect(await toldOf(platform)).toEqual([
      [
        'proposal.countered',
        expect.objectContaining({
          proposal_id: id,
          reason: text,
          new_proposal_id: next.proposal_id,
          countered_at: old.ended_at,
          metadata: { deal: 'D-1' },
        }),
      ],
    ]);
    expect(JSON.stringify(await toldOf(platform))).not.toContain(new URL(next.url).pathname);
    await expectPeace({ platforms: [scene.platform] });
  });

  test('is read on the clock of the person at the page', async () => {
    const { platform, url, id, days } = await offered();
    expect((await counter(url, `${named(days[1])} at 7pm`, { zone: 'Asia/Tokyo' })).status).toBe(303);
    expect(hoursOf(await answerTo(platform, id))).toEqual([10]);
  });

  test('outside ordinary hours opens a guest’s hours, and never the requester’s', async () => {
    const { platform, url, id, days } = await offered();
    expect((await counter(url, `${named(days[1])} after 9pm`, { zone: 'Asia/Tokyo' })).status).toBe(303);
    for (const hour of hoursOf(await answerTo(platform, id))) expect([12, 13, 14, 15, 16]).toContain(hour);
    const other = await offered();
    const form = {
      answer: 'counter',
      reason: `${named(other.days[1])} between 11pm and 11:30pm`,
      zone: 'Europe/London',
    };
    expect(told(await answer(other.url, form, { 'accept-language': 'en-US' }))).toMatchObject({
      status: 200,
      words: expect.stringMatching(/Nothing is free then We read .* between 11:00 PM and 11:30 PM\. /),
    });
    await expectUntouched(other);
  });

  test('of a week gets three dates where possible', async () => {
    const { platform, url, id } = await offered();
    expect((await counter(url, 'A morning next week would be good')).status).toBe(303);
    const next = await answerTo(platform, id);
    expect(new Set(datesOf(next)).size).toBe(3);
    for (const hour of hoursOf(next)) expect(hour).toBeLessThan(12);
  });

  test('without a day is about the days of the proposal', async () => {
    // Around New Year other days are better than some of these.
    const times = weekdays(12)
      .map(iso)
      .filter((time) => !/-(?:12-2[3-9]|12-3.|01-0[1-3])T/.test(time));
    const { url, id, platform, proposal } = await offered({ times: times.slice(0, 3) });
    await counter(url, 'After 4 pm works better for me');
    const next = await answerTo(platform, id);
    expect(datesOf(next)).toEqual(datesOf(proposal));
    expect(Math.min(...hoursOf(next))).toBeGreaterThanOrEqual(15);
  });

  test('without a day keeps near the days of a proposal that is weeks ahead', async () => {
    const { platform, ada, bob } = await made();
    const start = new Date(wednesday(2));
    const proposal = await proposed(platform, { ...bodyFor({ ada, bob }), times: [iso(start.getTime())] });
    expect((await counter(proposal.url, `Could we make it ${hourInLondon(start, 14)}:00?`)).status).toBe(303);
    const { times } = await answerTo(platform, proposal.proposal_id);
    for (const { start_time } of times) {
      expect(new Date(start_time).getUTCHours()).toBe(14);
      expect(Math.abs(Date.parse(start_time) - start.getTime())).toBeLessThan(6 * 24 * HOUR);
    }
  });

  test('moved by a named length is that time alone', async () => {
    const { platform, url, id, days } = await offered();
    expect((await counter(url, 'An hour later, please')).status).toBe(303);
    expect((await answerTo(platform, id)).times.map(({ start_time }) => start_time)).toEqual([
      iso((days[0]?.getTime() ?? 0) + HOUR),
    ]);
  });

  test('may name a time that overlaps an offered one, because those are freed', async () => {
    const { platform, url, id, days } = await offered();
    expect((await counter(url, `${named(days[0])} at ${hourInLondon(days[0], 15)}:15`)).status).toBe(303);
    expect((await answerTo(platform, id)).times[0]?.start_time).toBe(iso((days[0]?.getTime() ?? 0) + 15 * MINUTE));
  });

  test('is held for a connected person too, and searched in their calendar', async () => {
    const { platform, bob, proposal, id } = await made();
    const [first] = proposal.times;
    const day = new Date(first?.start_time ?? '');
    const at = (hour: number) => iso(new Date(day).setUTCHours(hour, 0, 0, 0));
    world.google.addBusy({ email: bob.email, start: at(13), end: at(14) });
    const wish = `${named(day)} between ${hourInLondon(day, 13)}:00 and ${hourInLondon(day, 15)}:00`;
    expect((await counter(proposal.url, wish)).status).toBe(303);
    for (const hour of hoursOf(await answerTo(platform, id))) expect(hour).toBe(14);
    expect(await heldFor(platform)).toBe(2 * (await answerTo(platform, id)).times.length);
  });
});

test('a time within the asker’s own buffer is held and booked, because they ask for it', async () => {
  const { platform, ada, bob } = await made();
  const start = wednesday(2);
  const own = await ownClient(platform, bob.email);
  expect((await own.send('PUT', '/v1/user/preferences', { buffer_minutes: 30 })).status).toBe(200);
  const { url, proposal_id } = await proposed(platform, { ...bodyFor({ ada, bob }), times: [iso(start)] });
  world.google.addBusy({ email: bob.email, start: iso(start - HOUR), end: iso(start - HOUR / 2) });
  expect((await counter(url, 'Half an hour earlier, please')).status).toBe(303);
  const { proposal_id: id, times } = await answerTo(platform, proposal_id);
  expect(times.map(({ start_time }) => start_time)).toEqual([iso(start - HOUR / 2)]);
  expect(await accept(platform, id, times[0]?.id)).toMatchObject({ status: 200, body: { status: 'accepted' } });
  await expectPeace({ platforms: [platform] });
});

test('never books at its expiry, also if the old proposal would have', async () => {
  const { platform, url, id, days } = await offered({ on_expiry: 'book_first', expires_in_hours: 1 });
  expect((await counter(url, `${named(days[1])} before noon`)).status).toBe(303);
  expect((await answerTo(platform, id)).on_expiry).toBe('cancel');
});

describe('times on the clock of the person at the page', () => {
  const BUTTON = 'Find times between 8:00';

  test('that are all at night come with a button that has times within their day held', async () => {
    const { platform, url, id, days } = await offered();
    const page = await visit(`${url}?zone=Asia/Tokyo`, { headers: { 'Accept-Language': 'en-US' } });
    expect(told(page).words).toContain(
      'All of these times are early or late in Tokyo . Find times between 8:00 AM and 8:00 PM',
    );
    const reason = /name="reason" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await counter(url, reason, { zone: 'Asia/Tokyo' })).status).toBe(303);
    const next = await answerTo(platform, id);
    expect(next.times).toHaveLength(3);
    // From 8:00 in London, which is 7:00 UTC in summer, to 20:00 in Tokyo.
    const first = 16 - hourInLondon(days[0], 8);
    for (const hour of hoursOf(next)) expect([first, first + 1, first + 2, 10]).toContain(hour);
    expect((await look(`${next.url}?zone=Asia/Tokyo`)).words).not.toContain(BUTTON);
  });

  test.each([
    ['that are bearable', '?zone=Europe/London'],
    ['on a clock that is only our guess', ''],
  ])('%s come without it', async (_, query) => {
    const { url } = await offered();
    expect((await look(`${url}${query}`)).words).not.toContain(BUTTON);
  });
});

describe('the link', () => {
  test('of the old proposal leads to the new times, and to the meeting after that', async () => {
    const { platform, url, id, days, ada } = await offered();
    const sent = await counter(url, `${named(days[1])} before noon`);
    expect(sent.headers.get('location')).toBe(`${new URL(url).pathname}?zone=${ZONE}`);
    const next = await answerTo(platform, id);
    const moved = await visit(`${url}?zone=${ZONE}`);
    expect([moved.status, moved.headers.get('location')]).toEqual([303, `${new URL(next.url).pathname}?zone=${ZONE}`]);
    const page = await look(next.url);
    expect(page.words).toContain(`${ada.email} can meet you for 30 minutes at one of these three times instead.`);
    expect(page.words).toContain('You asked for: “');
    await accept(platform, next.proposal_id, next.times[0]?.id);
    expect((await visit(url)).status).toBe(303);
    expect(await look(next.url)).toMatchObject({ title: 'Your meeting is booked' });
  });

  test('of a proposal that was answered shows where to go after a form of another tab', async () => {
    const { platform, url, id, proposal, days } = await offered();
    await counter(url, `${named(days[1])} before noon`);
    const late = await answer(url, { answer: 'accept', time: proposal.times[0]?.id ?? '', name: 'Grace' });
    expect(told(late)).toMatchObject({ status: 409, title: 'These times were answered with others' });
    expect(late.text).toContain(new URL((await answerTo(platform, id)).url).pathname);
  });
});

test('after three answers in a row the person can only choose or decline', async () => {
  const scene = await offered();
  let { url, id } = scene;
  for (const [n, hours] of ['before noon', 'between 12:00 and 14:00', 'before 11:00'].entries()) {
    expect((await counter(url, `${named(scene.days[n % 2])} ${hours}`)).status).toBe(303);
    ({ url, proposal_id: id } = await answerTo(scene.platform, id));
  }
  const page = await visit(url);
  expect(page.text).not.toContain('value="counter"');
  expect(told(page).words).toContain('You have asked for other times as often as you can here.');
  expect(told(await counter(url, `${named(scene.days[2])} before noon`))).toMatchObject({ status: 409 });
  expect((await readProposal(scene.platform, id)).status).toBe('open');
  expect((await decline(scene.platform, id)).status).toBe(200);
  await expectPeace({ platforms: [scene.platform] });
});

test.each([
  ['texts', offered, { answer: 'counter', reason: 'Hello there' }, 200],
  ['checks of a calendar', offeredToGoogleUser, { answer: 'check' }, 303],
  ['wishes to move a meeting', acceptedProposal, { answer: 'move', reason: 'Hello there' }, 409],
])('more than six %s a minute at one page are refused', async (_what, open, form, status) => {
  const { url } = await open();
  const sent = [];
  for (let n = 0; n < 7; n += 1) sent.push((await answer(url, form)).status);
  expect(sent).toEqual([...Array(6).fill(status), 429]);
});

test('erasing the requester erases the text', async () => {
  const { platform, url, id, days, ada } = await offered();
  const text = `${named(days[1])} before noon`;
  await counter(url, text);
  const own = await ownClient(platform, ada.email);
  expect((await own.send('DELETE', '/v1/user')).status).toBe(200);
  expect((await readProposal(platform, id)).decline_reason).toBeNull();
  expect((await visit(url)).status).toBe(404);
});

test('a proposal that moves a meeting is answered with other times, and one of them moves it', async () => {
  const { meeting, proposal, id } = await moving();
  const day = new Date(proposal.times[1]?.start_time ?? '');
  expect((await counter(proposal.url, `${named(day)} between 16:00 and 18:00`)).status).toBe(303);
  const next = await answerTo(meeting.platform, id);
  expect(await readProposal(meeting.platform, id)).toMatchObject({ status: 'countered', meeting_id: null });
  expect(next).toMatchObject({ status: 'open', counter_of: id, moves_meeting_id: meeting.id });
  for (const { start_time } of next.times) {
    expect(start_time.slice(0, 10)).toBe(day.toISOString().slice(0, 10));
    expect(Number(formatInTimeZone(start_time, ZONE, 'H'))).toBeGreaterThanOrEqual(16);
  }
  expect(await heldFor(meeting.platform)).toBe(2 * next.times.length);
  expect(told(await visit(next.url)).words).toContain('can meet you at');
  expect((await answer(next.url, { answer: 'accept', time: next.times[0]?.id ?? '' })).status).toBe(303);
  expect((await readProposal(meeting.platform, next.proposal_id)).status).toBe('accepted');
});
