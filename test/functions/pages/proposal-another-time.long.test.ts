import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../lib/engine/time/dates.ts';
import { violations } from '../../support/checks/checker.ts';
import { HOSTILE } from '../../support/checks/forms.ts';
import { rows } from '../../support/checks/rows.ts';
import { iso, liveEvents } from '../../support/people/meetings.ts';
import { moveOf } from '../../support/people/move-proposals.ts';
import {
  answer,
  answerTo,
  busyOn,
  look,
  named,
  offered,
  startsOn,
  told,
  visit,
} from '../../support/people/proposal-pages.ts';
import { accept, heldFor, proposed, readProposal, toldOf } from '../../support/people/proposing.ts';
import { quiet } from '../../support/worlds/quiet.ts';
import { expectPeace } from '../../support/worlds/race.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** A meeting that a guest in London chose, at 15:00 UTC on the first of three weekdays. */
async function met(change: object = {}) {
  const scene = await offered(change);
  const [time] = scene.proposal.times;
  const { body } = await accept(scene.platform, scene.id, time?.id);
  const { meeting_id: meetingId } = body as { meeting_id: string };
  return { ...scene, meetingId, start: Date.parse(time?.start_time ?? '') };
}
type Met = Awaited<ReturnType<typeof met>>;

const ask = (
  { url, start }: Pick<Met, 'url' | 'start'>,
  reason: string,
  fields: { seen?: string; start?: string[] } = {},
) => answer(url, { answer: 'move', seen: String(start), reason, zone: 'Europe/London', ...fields });

const meetingOf = async ({ platform }: Met, id: string) =>
  (await platform.api.send('GET', `/v1/meetings/${id}`)).body as Record<string, unknown>;

const openMoves = ({ platform }: Met) =>
  rows<{ id: string }>("select id from proposals where platform_id = any($1) and status = 'open'", [platform]);

async function expectUnmoved(scene: Met) {
  expect(await meetingOf(scene, scene.meetingId)).toMatchObject({ status: 'scheduled', start_time: iso(scene.start) });
  expect(await openMoves(scene)).toEqual([]);
  await expectPeace({ platforms: [scene.platform] });
}

test('a text is answered with other times on a page of their own, and the meeting stays until one is chosen', async () => {
  const scene = await met({ requester_name: 'Ada Lovelace', location: 'Room 7', metadata: { deal: 'D-1' } });
  const { platform, ada, id, url, days, meetingId, start } = scene;
  expect((await look(url)).words).toContain('Propose another time');
  const sent = await ask(scene, `${named(days[1])} before noon`);
  const move = await answerTo(platform, id);
  expect([sent.status, sent.headers.get('location')]).toEqual([
    303,
    `${new URL(move.url).pathname}?zone=Europe%2FLondon`,
  ]);
  expect(move).toMatchObject({
    status: 'open',
    counter_of: id,
    moves_meeting_id: meetingId,
    requester_name: 'Ada Lovelace',
    location: 'Room 7',
    metadata: { deal: 'D-1' },
    on_expiry: 'cancel',
  });
  for (const { start_time, end_time } of move.times) {
    const at = new Date(start_time);
    expect([at.getUTCDate(), at.getUTCHours() < 12, Date.parse(end_time) - at.getTime()]).toEqual([
      days[1]?.getUTCDate(),
      true,
      30 * MINUTE,
    ]);
  }
  expect(await heldFor(platform)).toBe(move.times.length);
  expect(await meetingOf(scene, meetingId)).toMatchObject({ status: 'scheduled', start_time: iso(start) });
  expect(await readProposal(platform, id)).toMatchObject({ status: 'accepted', meeting_id: meetingId });
  expect((await look(url)).words).not.toContain('Propose another time');
  expect((await look(move.url)).words).toContain('Ada Lovelace can meet you at');

  const chosen = await answer(move.url, { answer: 'accept', time: move.times[0]?.id ?? '', name: 'Grace Hopper' });
  expect(chosen.status).toBe(303);
  for (const link of [url, move.url]) {
    expect((await visit(link)).text).toContain(`datetime="${new Date(move.times[0]?.start_time ?? '').toISOString()}"`);
    expect((await look(link)).words).toContain('Propose another time');
  }
  const { meeting_id: newId } = await readProposal(platform, move.proposal_id);
  expect(await meetingOf(scene, newId ?? '')).toMatchObject({ rescheduled_from: meetingId });
  const readings = await rows<{ reading: { understood: unknown[] } | null }>(
    `select reading from meetings where platform_id = any($1) and id = '${newId}'`,
    [platform],
  );
  expect(readings[0]?.reading?.understood).not.toEqual([]);
  await quiet([platform]);
  const told = await toldOf(platform);
  expect(told.map(([type]) => type)).toEqual(['proposal.accepted', 'proposal.accepted']);
  expect(new Set(told.map(([, data]) => data.proposal_id))).toEqual(new Set([id, move.proposal_id]));
  expect(liveEvents(ada.email)).toHaveLength(1);
  expect(await violations({ platforms: [platform] })).toEqual([]);
});

test('the form sent twice, at once and again, makes one proposal, and a stale one changes nothing', async () => {
  const scene = await met();
  const text = `${named(scene.days[1])} before noon`;
  const sent = await Promise.all([1, 2, 3].map(() => ask(scene, text)));
  const again = await ask(scene, text);
  expect(new Set([...sent, again].map(({ status, headers }) => `${status} ${headers.get('location')}`)).size).toBe(1);
  expect(again.status).toBe(303);
  expect(await openMoves(scene)).toHaveLength(1);
  const move = await answerTo(scene.platform, scene.id);
  await accept(scene.platform, move.proposal_id, move.times[0]?.id);
  const stale = await ask(scene, text);
  expect(told(stale)).toMatchObject({ status: 409, words: expect.stringContaining('Nothing was changed') });
  expect(await openMoves(scene)).toEqual([]);
  await expectPeace({ platforms: [scene.platform] });
});

describe('nothing changes, and the page says why, for', () => {
  test.each([
    ['an empty text', ' ', 400, 'Write a day or an hour that suits you'],
    ['a text that is too long', 'x'.repeat(1_001), 400, 'Write at most 1,000 characters'],
    ['a text with NUL', 'Thursday\0', 400, 'Write at most 1,000 characters'],
    ['a wish to cancel', 'Please cancel, I can’t do Tuesday', 200, 'open “Cancel this meeting” below'],
  ])('%s', async (_what, text, status, words) => {
    const scene = await met();
    const answered = told(await ask(scene, text));
    expect(answered).toMatchObject({ status, words: expect.stringContaining(words) });
    expect(answered.words).not.toContain('or decline');
    await expectUnmoved(scene);
  });

  test('the time that the meeting has', async () => {
    const scene = await met();
    const at = (hour: number, minute = 0) => iso(new Date(scene.start).setUTCHours(hour, minute, 0, 0));
    world.google.addBusy({ email: scene.ada.email, start: at(8), end: at(15) });
    world.google.addBusy({ email: scene.ada.email, start: at(15, 30), end: at(23) });
    const answered = told(await ask(scene, `${named(scene.days[0])} after 14:00`));
    expect(answered).toMatchObject({ status: 200, words: expect.stringContaining('That is when your meeting is') });
    await expectUnmoved(scene);
  });

  test.each(HOSTILE)('hostile text: %j', async (text) => {
    const scene = await met();
    const { status, text: html } = await ask(scene, text);
    expect([200, 400]).toContain(status);
    expect(html).not.toMatch(/<(?:script(?! data-zone)|img)/);
    await expectUnmoved(scene);
  });

  test('a form without the start of the meeting', async () => {
    const scene = await met();
    for (const seen of ['', '0', 'NaN', '1e400', '-1'])
      expect((await ask(scene, `${named(scene.days[1])} before noon`, { seen })).status, seen).toBe(409);
    await expectUnmoved(scene);
  });

  test('an open proposal, which has no meeting yet', async () => {
    const scene = await offered();
    const sent = await ask({ ...scene, start: 0 }, `${named(scene.days[1])} before noon`);
    expect(sent.status).toBe(409);
    expect((await readProposal(scene.platform, scene.id)).status).toBe('open');
  });

  test('a requester who has disconnected', async () => {
    const scene = await met();
    await scene.platform.api.disconnect(scene.ada.email);
    const answered = told(await ask(scene, `${named(scene.days[1])} before noon`));
    expect(answered.words).toContain('The meeting was not moved A calendar is no longer connected.');
    expect(await openMoves(scene)).toEqual([]);
  });

  test('a suspended platform', async () => {
    const scene = await met();
    await world.neon.query('update platforms set suspended_at = now() where id = $1', [scene.platform.id]);
    expect((await look(scene.url)).words).not.toContain('Propose another time');
    expect((await ask(scene, `${named(scene.days[1])} before noon`)).status).toBe(409);
    await world.neon.query('update platforms set suspended_at = null where id = $1', [scene.platform.id]);
    await expectUnmoved(scene);
  });

  test('a meeting that begins within 15 minutes, which can still be cancelled', async () => {
    const scene = await met();
    await world.advance(scene.start - world.clock.now() - 14 * MINUTE);
    const page = await look(scene.url);
    expect(page.words).toContain('Cancel this meeting');
    expect(page.words).not.toContain('Propose another time');
    expect((await ask(scene, 'tomorrow at 10')).status).toBe(409);
    await expectUnmoved(scene);
  });

  test('a meeting that was cancelled', async () => {
    const scene = await met();
    await scene.platform.api.send('DELETE', `/v1/meetings/${scene.meetingId}`);
    expect(told(await ask(scene, 'tomorrow at 10'))).toMatchObject({
      status: 409,
      title: 'This meeting was cancelled',
    });
    expect(await openMoves(scene)).toEqual([]);
  });
});

test('what is not free brings up the nearest times, which one tap holds', async () => {
  const scene = await met();
  const { platform, ada, id, days, start } = scene;
  busyOn(ada.email, days[1], 8, 12);
  const { text } = await ask(scene, `${named(days[1])} between 9:00 and 12:00`);
  expect(text).toContain('Nothing is free then');
  expect(text).toContain('Your meeting stays as it is.');
  const starts = startsOn(text);
  // The last `start` is that of the form that cancels the meeting.
  expect(starts.pop()).toBe(String(start));
  expect(starts).toHaveLength(3);
  expect((await ask(scene, 'that day', { start: starts })).status).toBe(303);
  const move = await answerTo(platform, id);
  expect(move.times.map(({ start_time }) => String(Date.parse(start_time)))).toEqual(starts);
});

test('times that were declined lead back to the meeting, and three offers for a meeting are the most', async () => {
  const scene = await met();
  const { platform, url, days, meetingId } = scene;
  for (const [n, hours] of ['before noon', 'before 11:00', 'between 12:00 and 14:00'].entries()) {
    expect((await look(url)).words).toContain('Propose another time');
    expect((await ask(scene, `${named(days[1 + (n % 2)])} ${hours}`)).status).toBe(303);
    const [open] = await openMoves(scene);
    const { url: link } = await readProposal(platform, open?.id ?? '');
    await answer(link, { answer: 'decline' });
    const declined = await visit(link);
    expect(told(declined).words).toContain('The meeting was not moved. You can still ask for another time.');
    expect(declined.text).toContain(`href="${new URL(url).pathname}"`);
  }
  const last = await look(url);
  expect(last).toMatchObject({ status: 200, title: 'Your meeting is booked' });
  expect(last.words).not.toContain('Propose another time');
  expect((await ask(scene, `${named(days[1])} at 9:00`)).status).toBe(409);
  expect(await meetingOf(scene, meetingId)).toMatchObject({ status: 'scheduled' });
  await expectPeace({ platforms: [platform] });
});

test('the page leads to the times that the platform offers for the meeting', async () => {
  const scene = await met();
  const { platform, url, meetingId, start } = scene;
  const { url: link } = await proposed(platform, {
    ...moveOf({ id: meetingId }),
    times: [iso(start + DAY * 7), iso(start + DAY * 7 + HOUR)],
  });
  expect((await visit(url)).text).toContain(`href="${new URL(link).pathname}"`);
  const sent = await ask(scene, `${named(scene.days[1])} before noon`);
  expect(sent.headers.get('location')).toBe(`${new URL(link).pathname}?zone=Europe%2FLondon`);
  expect(await openMoves(scene)).toHaveLength(1);
});

test('a requester with as many open proposals as allowed is offered no more', async () => {
  const scene = await met();
  await world.neon.query(
    `insert into proposals (id, platform_id, requester_id, other_id, requester_email, other_email, status,
      duration_minutes, title, location, expires_at, created_at)
     select r.id || n, r.platform_id, r.requester_id, r.other_id, r.requester_email, r.other_email, 'open', 30, 'Full',
       r.location, now() + interval '30 days', r.created_at from proposals r cross join generate_series(1, 20) n where r.id = $1`,
    [scene.id],
  );
  const answered = told(await ask(scene, `${named(scene.days[1])} before noon`));
  expect(answered).toMatchObject({
    status: 409,
    words: expect.stringContaining('The meeting was not moved Too many times are offered at once.'),
  });
});
