import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { clockIn } from '../../../lib/words/people.ts';
import { iso, useQuota } from '../../support/people/meetings.ts';
import { answer, choosing, look, told, visit } from '../../support/people/proposal-pages.ts';
import {
  accept,
  busyAt,
  decline,
  expectEnd,
  made,
  openInvitation,
  passUntil,
  readProposal,
  weekdays,
  withdraw,
} from '../../support/people/proposing.ts';
import { hold, met, passWaiting } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const EVENTS = { target: 'google', match: 'POST /calendar/v3/calendars/primary/events' } as const;

describe('the page of an open proposal', () => {
  test('names the requester, the title, the length and the times on both clocks, and nothing else', async () => {
    const { proposal, ada, bob } = await made({
      description: 'Two secret clauses',
      metadata: { deal: 'D-secret' },
      location: 'Room 7',
    });
    const { status, title, words } = await look(`${proposal.url}?zone=Asia/Tokyo`);
    expect([status, title]).toEqual([200, 'Contract questions']);
    expect(words).toContain(`${ada.email} asks you for 30 minutes and offers three times.`);
    expect(words).toContain(`The calendar invitation goes to ${bob.email}`);
    const london = clockIn(Date.parse(proposal.times[0]?.start_time ?? ''), 'Europe/London');
    expect(words).toMatch(new RegExp(`0:00 to 0:30 \\w+day, ${london} in London`));
    expect(words).toContain('Your clock: Tokyo');
    expect(words).not.toMatch(/secret|Room 7|Ada\b/);
    expect((await visit(proposal.url)).text).not.toContain(proposal.times[0]?.reason);
  });

  test('says what happens if nobody answers', async () => {
    const cancelled = await made();
    const booked = await made({ on_expiry: 'book_first' });
    expect((await look(cancelled.proposal.url)).words).toMatch(
      /These times are kept free for you until [^.]+\d\d\s?(?:, each at most until it begins)?\. Your clock/,
    );
    const { words } = await look(booked.proposal.url);
    expect(words).toMatch(/Tandem books the first of these times that is still free\s?\. Your clock/);
    expect(words).toContain('If you did not expect this, open “None of these” above and decline.');
  });

  test('lists its times by date, names which is booked first, and explains the drawn days', async () => {
    const times = weekdays(3).reverse().map(iso);
    const { proposal } = await made({ times, on_expiry: 'book_first' });
    const page = await visit(`${proposal.url}?zone=Asia/Tokyo`);
    const { words } = told(page);
    const offered = [...page.text.matchAll(/<input type="hidden" name="time" value="([^"]+)"/g)].map(([, id]) => id);
    expect(offered).toEqual(proposal.times.map(({ id }) => id).reverse());
    expect(words).toMatch(/Tandem books \w+day, \d+ \w+, 0:00, or another if that is gone\./);
    expect(words).toContain('Daytime The offered time');
  });

  test('shows our guess of the zone for one that nobody knows', async () => {
    const { proposal } = await made();
    for (const zone of ['Mars/Olympus', '../etc/passwd', 'x'.repeat(8_000), '\u202EUTC', '<b>']) {
      const page = await look(`${proposal.url}?zone=${encodeURIComponent(zone)}`);
      expect(page).toMatchObject({ status: 400, words: expect.stringContaining('Your clock: New York') });
      expect(page.words).toContain('Until you choose yours, times are shown in America/New_York.');
    }
  });

  test('names the zones that an abbreviation may mean', async () => {
    const { proposal } = await made();
    const page = await look(`${proposal.url}?zone=BST`);
    expect(page.status).toBe(400);
    expect(page.words).toContain('Did you mean Europe/London, Asia/Dhaka or Pacific/Bougainville?');
  });
});

describe('choosing a time', () => {
  test('books it once, however often the form is sent', async () => {
    const scene = await made();
    const { proposal, platform, id } = scene;
    const form = { ...choosing(proposal, 1), zone: 'Europe/Berlin' };
    const answers = await Promise.all([answer(proposal.url, form), answer(proposal.url, form)]);
    for (const { status, headers } of [...answers, await answer(proposal.url, form)]) {
      expect(status).toBe(303);
      expect(headers.get('location')).toBe(`${new URL(proposal.url).pathname}?zone=Europe%2FBerlin`);
    }
    await expectEnd(scene, 'accepted');
    const { times } = await readProposal(platform, id);
    expect(times.map(({ status }) => status)).toEqual(['released', 'accepted', 'released']);
    const [start, end] = [Date.parse(times[1]?.start_time ?? ''), Date.parse(times[1]?.end_time ?? '')];
    const berlin = `${clockIn(start, 'Europe/Berlin')} to ${clockIn(end, 'Europe/Berlin')}`;
    const london = `${clockIn(start, 'Europe/London')} in London`;
    expect(await look(`${proposal.url}?zone=Europe/Berlin`)).toMatchObject({
      status: 200,
      title: 'Your meeting is booked',
      words: expect.stringMatching(`${berlin} ${london} .* The calendar invitation will arrive by email at bob`),
    });
  });

  test('of another tab after one was chosen changes nothing, and says so', async () => {
    const scene = await made();
    const { proposal, platform, id } = scene;
    await accept(platform, id, proposal.times[0]?.id);
    for (const form of [choosing(proposal, 1), { answer: 'decline', reason: 'No' }])
      expect(told(await answer(proposal.url, form))).toMatchObject({
        status: 409,
        title: 'Your meeting is booked',
        words: expect.stringContaining('Nothing was changed This changed after you opened the page.'),
      });
    await expectEnd(scene, 'accepted');
  });

  test('that has just gone says how many are left, until none is', async () => {
    const { proposal, bob } = await made();
    for (const [n, left] of ['two are left', 'one is left', 'no other is left'].entries()) {
      const time = proposal.times[n];
      if (time === undefined) throw new Error('three times were offered');
      busyAt(bob.email, time);
      const page = told(await answer(proposal.url, { answer: 'accept', time: time.id }));
      expect(page.status).toBe(409);
      expect(page.words).toMatch(new RegExp(`That time has just gone[;,] (?:and )?${left}`));
    }
    expect((await look(proposal.url)).words).toContain('none of the times is free any more');
    expect((await answer(proposal.url, { answer: 'decline' })).status).toBe(303);
  });

  test('that has begun is not offered any more', async () => {
    const { proposal } = await made({ expires_in_hours: 336 });
    await world.advance(Date.parse(proposal.times[0]?.start_time ?? '') - world.clock.now());
    expect((await look(proposal.url)).words).toContain('offers two times');
  });

  test('while another request books says so, and books nothing itself', async () => {
    const scene = await made();
    const { proposal, platform, id } = scene;
    const held = hold(EVENTS);
    const first = accept(platform, id, proposal.times[0]?.id);
    await met(held);
    expect(await look(proposal.url)).toMatchObject({ status: 200, title: 'A time is being booked' });
    const refused = answer(proposal.url, choosing(proposal, 1));
    await passWaiting();
    const second = await refused;
    expect(told(second)).toMatchObject({
      status: 409,
      title: 'A time is being booked',
      words: expect.stringContaining('Somebody is answering already'),
    });
    expect(second.headers.get('retry-after')).toMatch(/^\d+$/);
    world.faults.clear();
    expect((await first).status).toBe(200);
    await expectEnd(scene, 'accepted');
  });

  test.each([
    ['does not answer', { mode: 'reset' }, 500, 'The calendar did not answer'],
    ['refuses', { mode: 'status', status: 400 }, 409, 'The calendar did not take the meeting'],
  ] as const)('while the calendar %s says that, and keeps the times', async (_name, fault, status, words) => {
    const { proposal, platform, id } = await made();
    world.faults.add({ ...EVENTS, ...fault });
    const page = told(await answer(proposal.url, choosing(proposal)));
    expect(page).toMatchObject({ status, words: expect.stringContaining(words) });
    expect((await readProposal(platform, id)).times).toEqual(proposal.times);
  });

  test('over the quota of the month says so', async () => {
    const { proposal, platform, id } = await made();
    await world.neon.query("update platforms set plan = 'developer' where id = $1", [platform.id]);
    await useQuota(platform, 25);
    const page = told(await answer(proposal.url, choosing(proposal)));
    expect(page).toMatchObject({ status: 429, words: expect.stringContaining('can book no more meetings this month') });
    expect(await readProposal(platform, id)).toMatchObject({ status: 'open', times: proposal.times });
  });

  test('of a suspended platform is not possible', async () => {
    const scene = await made();
    const { proposal, platform } = scene;
    await world.neon.query('update platforms set suspended_at = now() where id = $1', [platform.id]);
    expect(await look(proposal.url)).toMatchObject({ status: 200, title: 'Nothing can be booked here now' });
    expect(told(await answer(proposal.url, choosing(proposal)))).toMatchObject({
      status: 409,
      title: 'Nothing can be booked here now',
    });
    await world.neon.query('update platforms set suspended_at = null where id = $1', [platform.id]);
    await expectEnd(scene, 'open');
  });
});

describe('a guest, who is not connected,', () => {
  test('without a zone accepts too, and the page keeps to the requester’s clock', async () => {
    const { proposal, platform, id } = await openInvitation();
    const form = { ...choosing(proposal), name: 'Grace' };
    expect((await answer(proposal.url, form)).headers.get('location')).toBe(new URL(proposal.url).pathname);
    const { attendee_details } = (await readProposal(platform, id)) as unknown as { attendee_details: object[] };
    expect(attendee_details[1]).not.toHaveProperty('time_zone');
    expect((await look(proposal.url)).words).toContain('Their clock: London');
  });

  test('is asked again for a name that is none, and nothing is booked', async () => {
    const scene = await openInvitation();
    for (const name of ['', '   ', 'a\nb', 'x'.repeat(101), 'x'.repeat(8_000), 'a\0b']) {
      const refused = await answer(scene.proposal.url, { ...choosing(scene.proposal, 1), name });
      const words = expect.stringMatching(/Write your name in one line|Enter your name/);
      expect(told(refused)).toMatchObject({ status: 400, words });
      expect(refused.text).toMatch(/<details class="offer" name="offer" open=""/);
    }
    await expectEnd(scene, 'open');
  });

  test('with a hostile name is harmless', async () => {
    for (const name of ['<img src=x onerror=alert(1)>', '\u200Fevil', '"><script>alert(1)</script>']) {
      const { proposal } = await openInvitation();
      expect((await answer(proposal.url, { ...choosing(proposal), name })).status).toBe(303);
      expect((await visit(proposal.url)).text).not.toMatch(/<img|<script>alert/);
    }
  });

  test('who is connected is not asked, and a name in the form is left out', async () => {
    const { proposal } = await made();
    expect((await visit(proposal.url)).text).not.toContain('name="name"');
    expect((await answer(proposal.url, { ...choosing(proposal), name: 'Somebody else' })).status).toBe(303);
    const [row] = await world.neon.query('select guest_name from proposals where id = $1', [proposal.proposal_id]);
    expect(row).toEqual({ guest_name: null });
  });
});

describe('declining', () => {
  test('tells the reason once, however often the form is sent', async () => {
    const scene = await made();
    const { proposal, platform, id } = scene;
    const form = { answer: 'decline', reason: '  Next week, please.  ' };
    const answers = await Promise.all([answer(proposal.url, form), answer(proposal.url, form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await look(proposal.url)).toMatchObject({ status: 200, title: 'These times were declined' });
    await expectEnd(scene, 'declined');
    expect((await readProposal(platform, id)).decline_reason).toBe('Next week, please.');
  });

  test('keeps a reason that cannot be sent in the form, and sends nothing', async () => {
    const scene = await made();
    for (const reason of ['x'.repeat(8_000), 'a\0b', '\uD800'.concat('x'.repeat(1_001))]) {
      const refused = await answer(scene.proposal.url, { answer: 'decline', reason });
      expect(told(refused)).toMatchObject({ status: 400, words: expect.stringContaining('at most 1,000 characters') });
      expect(refused.text).toContain(reason.slice(-500).replaceAll('\uD800', ''));
    }
    await expectEnd(scene, 'open');
  });
});

describe('a proposal that has ended says how', () => {
  test.each([
    ['withdrawn', withdraw, 'These times are no longer offered'],
    ['declined by the platform', decline, 'These times were declined'],
  ] as const)('%s', async (_name, end, title) => {
    const { proposal, platform, id } = await made();
    await end(platform, id);
    expect(await look(proposal.url)).toMatchObject({ status: 200, title });
    expect(told(await answer(proposal.url, choosing(proposal)))).toMatchObject({ status: 409, title });
  });

  test('expired, even before the minute’s timer has ended it', async () => {
    const scene = await made({ expires_in_hours: 1 });
    const { proposal } = scene;
    await world.advance(HOUR);
    expect(await look(proposal.url)).toMatchObject({ status: 200, title: 'These times have expired' });
    const form = choosing(proposal);
    expect(told(await answer(proposal.url, form))).toMatchObject({ status: 409, title: 'These times have expired' });
    await passUntil(proposal.expires_at);
    expect(await look(proposal.url)).toMatchObject({ status: 200, title: 'These times have expired' });
    await expectEnd(scene, 'expired');
  });
});
