import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { rows } from '../../support/checks/rows.ts';
import { iso, PATCH_EVENT, pass } from '../../support/people/meetings.ts';
import { moving } from '../../support/people/move-proposals.ts';
import {
  answer,
  answerTo,
  busyOn,
  counter,
  expectUntouched,
  hourInLondon,
  named,
  offered,
  startsOn,
  told,
} from '../../support/people/proposal-pages.ts';
import {
  accept,
  busyAt,
  decline,
  expectEnd,
  made,
  passUntil,
  readProposal,
  withdraw,
} from '../../support/people/proposing.ts';
import { dying } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

type Scene = Awaited<ReturnType<typeof offered>>;

describe('a text that changes nothing', () => {
  test.each([
    ['Sorry, none of these works for me', 'We found no day and no hour in your text.'],
    ['Please cancel, I can’t do Tuesday', 'To say no, choose “Decline” below, and your text is passed on.'],
    ['How about when the frogs sing on the day after the thing?', 'We did not understand when you can meet'],
  ])('%s: says what was not understood, and keeps the text for a decline', async (text, words) => {
    const scene = await offered();
    const page = await counter(scene.url, text);
    expect(told(page)).toMatchObject({ status: 200, words: expect.stringContaining(words) });
    expect(page.text).toContain(`>\n${text}</textarea>`);
    await expectUntouched(scene);
    expect((await answer(scene.url, { answer: 'decline', reason: text })).status).toBe(303);
    expect(await readProposal(scene.platform, scene.id)).toMatchObject({ status: 'declined', decline_reason: text });
  });

  test.each([
    ['', 'Write a day or an hour that suits you'],
    ['x'.repeat(1_001), 'Write at most 1,000 characters'],
    ['Thursday\u0000', 'Write at most 1,000 characters'],
  ])('because it is empty, too long or no text (%#) is refused at the field', async (text, words) => {
    const scene = await offered();
    expect(told(await counter(scene.url, text))).toMatchObject({ status: 400, words: expect.stringContaining(words) });
    await expectUntouched(scene);
  });

  test('names a time that is offered already, and says which', async () => {
    const scene = await offered();
    const hour = hourInLondon(scene.days[2], 15);
    expect(told(await counter(scene.url, `${named(scene.days[2])} at ${hour}:00`))).toMatchObject({
      status: 200,
      words: expect.stringMatching(
        new RegExp(`That is one of the times offered here .* ${hour}:00 to ${hour}:30 fits it. Choose it below`),
      ),
    });
    await expectUntouched(scene);
  });

  test('asks for what is not free: says so, with the nearest times, which the person can have held', async () => {
    const scene = await offered();
    const { platform, ada, url, id, days } = scene;
    busyOn(ada.email, days[1], 8, 12);
    const text = `${named(days[1])} between 9:00 and 12:00`;
    const page = await counter(url, text);
    expect(told(page)).toMatchObject({
      status: 200,
      words: expect.stringMatching(
        /Nothing is free then .* These are the nearest free times\. The offered times are still kept/,
      ),
    });
    await expectUntouched(scene);
    const start = startsOn(page.text);
    expect(start).toHaveLength(3);
    expect((await counter(url, text, { start })).status).toBe(303);
    const next = await answerTo(platform, id);
    expect(next.times.map(({ start_time }) => String(Date.parse(start_time)))).toEqual(start);
    expect((await readProposal(platform, id)).decline_reason).toBe(text);
    await expectPeace({ platforms: [platform] });
  });

  test('asks by a forged form for a start at night, in the past, too late, within a minute or that is none', async () => {
    const scene = await offered();
    const at = (hour: number, minute = 0, second = 0) => new Date(scene.days[0] ?? 0).setUTCHours(hour, minute, second);
    for (const start of [at(3), at(15 - 30 * 24), at(15 + 730 * 24), at(15, 7, 13), Number.NaN])
      expect([start, (await counter(scene.url, 'x', { start: String(start) })).status]).toEqual([start, 409]);
    await expectUntouched(scene);
  });
});

test.each([
  ['withdrawn', (scene: Scene) => withdraw(scene.platform, scene.id)],
  ['declined', (scene: Scene) => decline(scene.platform, scene.id)],
  ['accepted', (scene: Scene) => accept(scene.platform, scene.id, scene.proposal.times[0]?.id)],
  ['expired', (scene: Scene) => world.advance(Date.parse(scene.proposal.expires_at) - world.clock.now())],
])('a proposal that cannot be answered because it is %s says so, and makes none', async (_, end) => {
  const scene = await offered();
  await end(scene);
  expect((await counter(scene.url, `${named(scene.days[1])} before noon`)).status).toBe(409);
  expect(await rows('select id from proposals where platform_id = any($1)', [scene.platform])).toHaveLength(1);
});

test('a calendar that does not answer changes nothing, and the page says so', async () => {
  const scene = await offered();
  world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 500 });
  expect(told(await counter(scene.url, `${named(scene.days[1])} before noon`))).toMatchObject({
    words: expect.stringContaining('The calendar did not answer Nothing was changed.'),
  });
  world.faults.clear();
  await expectUntouched(scene);
});

describe('on_expiry: book_first', () => {
  test('expires 15 minutes before its earliest time at the latest', async () => {
    const { proposal } = await made({ on_expiry: 'book_first', expires_in_hours: 336 });
    expect(proposal.expires_at).toBe(iso(Date.parse(proposal.times[0]?.start_time ?? '') - HOUR / 4));
  });

  test('expires after it is made, however soon its earliest time may be', async () => {
    const soon = world.clock.now() + HOUR / 4 + 2 * MINUTE;
    const { proposal } = await made({ on_expiry: 'book_first', times: [iso(soon)] });
    expect(proposal.expires_at > proposal.created_at).toBe(true);
  });

  test.each([
    ['books the first time', 0, 'accepted', ['accepted', 'released', 'released']],
    ['takes the next time if the first is busy', 1, 'accepted', ['released', 'accepted', 'released']],
    ['ends as expired if no time is free', 3, 'expired', ['released', 'released', 'released']],
  ])('%s', async (_what, busy, end, statuses) => {
    const scene = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    for (const time of scene.proposal.times.slice(0, busy)) busyAt(scene.bob.email, time);
    await passUntil(scene.proposal.expires_at);
    const { times } = await expectEnd(scene, end);
    expect(times.map(({ status }) => status)).toEqual(statuses);
  });

  test('tries again while a calendar fails, for an hour', async () => {
    const scene = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 503 });
    await passUntil(scene.proposal.expires_at);
    expect((await readProposal(scene.platform, scene.id)).status).toBe('open');
    await pass(3_600);
    world.faults.clear();
    await expectEnd(scene, 'expired');
  });

  test('books once the calendar answers again', async () => {
    const scene = await made({ on_expiry: 'book_first', expires_in_hours: 1 });
    world.faults.add({ target: 'google', match: 'POST /calendar/v3/freeBusy', mode: 'status', status: 503 });
    await passUntil(scene.proposal.expires_at);
    world.faults.clear();
    await pass(120);
    await expectEnd(scene, 'accepted');
  });
});

test.each([
  ['before Google moved the event: the answer counts', 'kill', 303, 'countered'],
  ['after Google moved the event: the meeting has moved', 'kill_after', 409, 'accepted'],
] as const)('an acceptance that died %s', async (_when, mode, status, end) => {
  const { meeting, proposal, id } = await moving();
  await dying({ ...PATCH_EVENT, mode }, () => accept(meeting.platform, id, proposal.times[0]?.id));
  await world.advance(61_000);
  const day = new Date(proposal.times[1]?.start_time ?? '');
  expect((await counter(proposal.url, `${named(day)} between 16:00 and 18:00`)).status).toBe(status);
  expect((await readProposal(meeting.platform, id)).status).toBe(end);
});
