import { describe, expect, test } from 'vitest';
import { FOREIGN, formIn, send, sendTwice, withFields } from '../../support/checks/forms.ts';
import { atDashboard, newBrowser, scene, visit, wordsOf } from '../../support/people/dashboard.ts';
import { metAsGuest } from '../../support/people/guests.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const ACTIONS = ['cancel', 'reschedule', 'propose'] as const;

/** Opens a meeting's page, and returns its form for this action. */
async function onPage(name: (typeof ACTIONS)[number]) {
  const at = await scene();
  const page = await visit(at.browser, `/dashboard/meetings/${at.id}`);
  return { ...at, page, form: formIn(at.browser, page, `/dashboard/meetings/${at.id}/${name}`) };
}

type Scene = Awaited<ReturnType<typeof onPage>>;

/** Fills the form for a reschedule in, as a support person would. */
const asked = ({ form, bob }: Scene, more: Record<string, string> = {}) =>
  withFields(form, { requested_by: bob.email, reason: 'not before the day after, please', ...more });

/** Reads the meeting's status and the number of the platform's meetings and proposals. */
const heldOf = ({ platform, id }: Pick<Scene, 'platform' | 'id'>) =>
  world.neon.query(
    `select (select status from meetings where id = $2) as status,
       (select count(*)::int from meetings where platform_id = $1) as meetings,
       (select count(*)::int from proposals where platform_id = $1) as proposals`,
    [platform.id, id],
  );

describe('a meeting', () => {
  test('is cancelled once, however often the form is sent', async () => {
    const at = await onPage('cancel');
    const answers = await sendTwice(at.form);
    const location = answers[0]?.location ?? '';
    expect(location).toContain(`/dashboard/meetings/${at.id}?done=cancelled-deleted.`);
    expect(answers.map(({ status, location: to }) => [status, to])).toEqual([
      [303, location],
      [303, location],
    ]);
    expect((await send(at.form)).location).toBe(location);
    const page = await visit(at.browser, location);
    expect(wordsOf(page)).toContain('The meeting is cancelled and taken off both calendars.');
    expect(page.html).not.toContain('/cancel"');
  });

  test('is moved once to the best time for the reason, and both pages show the old and the new time, and who asked', async () => {
    const at = await onPage('reschedule');
    const answers = await sendTwice(asked(at));
    expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
    const { location } = answers[0] ?? {};
    expect(location).toMatch(/^\/dashboard\/meetings\/meet_\w+\?done=moved\.\w+$/);
    expect(await heldOf(at)).toEqual([{ status: 'rescheduled', meetings: 2, proposals: 0 }]);
    const moved = await visit(at.browser, location ?? '');
    expect(wordsOf(moved)).toMatch(/The meeting is moved\..* Was \w+ \d+ .* to \d\d:\d\d , see that meeting/);
    expect(wordsOf(moved)).toContain(`Asked to move ${at.bob.email}`);
    const former = wordsOf(await visit(at.browser, `/dashboard/meetings/${at.id}`));
    expect(former).toMatch(/Replaced When .* Now \w+ \d+ .* to \d\d:\d\d , see that meeting/);
    expect(former).not.toContain('Reschedule Who asks');
  });

  test('gets a proposal instead of a move, and stays as it is', async () => {
    const at = await onPage('reschedule');
    const { location } = await send(asked(at, { propose: 'true' }));
    expect(location).toMatch(/^\/dashboard\/proposals\/prop_\w+\?done=made\.\w+$/);
    expect(await heldOf(at)).toEqual([{ status: 'scheduled', meetings: 1, proposals: 1 }]);
    expect(wordsOf(await visit(at.browser, location ?? ''))).toContain('The proposal is made, and its times are held.');
  });

  test('is offered other times without a reason, once', async () => {
    const at = await onPage('propose');
    const answers = await sendTwice(withFields(at.form, { expires_in_hours: '24' }));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[0]?.location).toBe(answers[1]?.location);
    expect(await heldOf(at)).toEqual([{ status: 'scheduled', meetings: 1, proposals: 1 }]);
  });

  test('with a guest offers the same', async () => {
    const { platform, meetingId: id } = await metAsGuest();
    const { browser } = await atDashboard(platform);
    const page = await visit(browser, `/dashboard/meetings/${id}`);
    expect((await send(formIn(browser, page, `/dashboard/meetings/${id}/cancel`))).status).toBe(303);
  });

  test('leads to “Why not?” with its people and its time on the requester’s clock', async () => {
    const { ada, bob, page, browser, start } = await onPage('cancel');
    const link = /href="(\/dashboard\/why\?[^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const asked = Object.fromEntries(new URL(link, world.baseUrl).searchParams);
    const clock = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/London', dateStyle: 'short', timeStyle: 'short' });
    expect(asked).toMatchObject({ first: ada.email, second: bob.email, minutes: '30' });
    expect(`${asked.date} ${asked.time}`).toBe(clock.format(start));
    expect((await visit(browser, link)).status).toBe(200);
  });

  test('that has begun, or that a read-only link shows, offers no change', async () => {
    const at = await onPage('cancel');
    const { body } = await at.platform.api.send('POST', '/v1/platform/dashboard-link', { read_only: true });
    const browser = newBrowser();
    await browser.submit(await browser.open((body as { url: string }).url), '/dashboard/enter');
    const path = `/dashboard/meetings/${at.id}`;
    expect((await visit(browser, path)).html).not.toContain(`${path}/`);
    await world.advance(at.start - world.clock.now() + 1_000);
    const { browser: later } = await atDashboard(at.platform);
    expect((await visit(later, path)).html).not.toContain(`${path}/`);
  });
});

describe('a form of a meeting', () => {
  test('that is refused says why beside the field and keeps what was typed', async () => {
    const at = await onPage('reschedule');
    const empty = await send(asked(at, { reason: '  ' }));
    expect([empty.status, empty.html.includes('id="reason-error"')]).toEqual([400, true]);
    const strange = await send(asked(at, { requested_by: 'no.one@people.test', reason: 'x < y & <b>' }));
    expect([strange.status, strange.html.includes('x &lt; y &amp; &lt;b&gt;')]).toEqual([400, true]);
    expect(strange.html).toMatch(/<details name="act" open=""><summary class="button quiet">Reschedule/);
    expect(await heldOf(at)).toEqual([{ status: 'scheduled', meetings: 1, proposals: 0 }]);
  });

  test('that is stale, or was sent with other text, changes nothing more', async () => {
    const at = await onPage('reschedule');
    await at.platform.api.send('DELETE', `/v1/meetings/${at.id}`);
    const stale = await send(asked(at));
    expect([stale.status, stale.html.includes('Nothing was changed')]).toEqual([404, true]);
    const other = await onPage('reschedule');
    expect((await send(asked(other))).status).toBe(303);
    const again = await send(asked(other, { reason: 'in the evening' }));
    expect([again.status, again.html.includes('This form was already sent once, with other text')]).toEqual([
      422,
      true,
    ]);
    expect(await heldOf(other)).toEqual([{ status: 'rescheduled', meetings: 2, proposals: 0 }]);
  });

  test('is sent again after the calendar did not answer', async () => {
    const at = await onPage('cancel');
    world.faults.add({ target: 'google', match: 'DELETE /calendar/v3', mode: 'status', status: 503 });
    const failed = await send(at.form);
    expect([failed.status, failed.html.includes('Nothing was changed')]).toEqual([500, true]);
    world.faults.clear();
    const page = await visit(at.browser, `/dashboard/meetings/${at.id}`);
    expect(page.status).toBe(200);
  });

  test.each(ACTIONS)('%s does nothing from another site or session, or without one', async (name) => {
    const at = await onPage(name);
    const form = name === 'reschedule' ? asked(at) : at.form;
    for (const [from, sender] of FOREIGN) expect([from, (await send(form, sender)).status]).toEqual([from, 403]);
    const { form: other } = await onPage(name);
    const csrf = Object.fromEntries(other.fields).csrf ?? '';
    for (const token of [csrf, '', 'x']) expect((await send(withFields(form, { csrf: token }))).status).toBe(403);
    expect((await send(withFields(form, { once: 'x' }))).status).toBe(403);
    expect((await send(form, { withoutCookie: true })).status).toBe(401);
    expect(await heldOf(at)).toEqual([{ status: 'scheduled', meetings: 1, proposals: 0 }]);
  });

  test('of another platform’s meeting is refused', async () => {
    const at = await onPage('cancel');
    const other = await onPage('cancel');
    const form = { ...at.form, action: other.form.action };
    expect((await send(form)).status).toBe(403);
    expect(await heldOf(other)).toEqual([{ status: 'scheduled', meetings: 1, proposals: 0 }]);
  });
});
