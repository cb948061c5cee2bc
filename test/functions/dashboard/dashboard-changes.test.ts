import { beforeAll, describe, expect, test } from 'vitest';
import { type Browser, formsOf, type Page } from '../../local/browser.ts';
import { formIn, send, sendTwice, withFields } from '../../support/checks/forms.ts';
import {
  atDashboard,
  expectSaid,
  fieldOf,
  freshDashboard,
  linkIn,
  lookingAt,
  scene,
  visit,
  wordsOf,
} from '../../support/people/dashboard.ts';
import { freshPlatform, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { metAsGuest } from '../../support/people/proposing.ts';
import { answerWith, arrived, hookOf } from '../../support/people/webhooks.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const worksNow = async (key: string) =>
  (await createClient(world.baseUrl, key).send('GET', '/v1/platform/settings')).status === 200;

describe('webhooks', () => {
  test('show the log by event and status, and a delivery with its attempts and body', async () => {
    const { platform, browser, id } = await scene();
    await webhooksOf(platform);
    const log = await visit(browser, '/dashboard/webhooks?event=meeting.scheduled&status=success');
    const path = linkIn(log, /href="(\/dashboard\/webhooks\/wh_del_\w+)"/);
    const one = await visit(browser, path);
    expect(wordsOf(one)).toMatch(/Attempt 1 Delivered.*answered 200 in/);
    expect(wordsOf(one)).toContain(`"meeting_id": "${id}"`);
    expect(one.html).toContain(`href="/dashboard/meetings/${id}"`);
    expect(wordsOf(log)).toContain(`On ${platform.webhookUrl} `);
    expect(wordsOf(log)).toMatch(
      / in the last 30 days: \d+ delivered, none failed\. Responses took \d+ ms on average\./,
    );
    expect(wordsOf(await visit(browser, '/dashboard/webhooks?status=failed'))).toContain('No deliveries match');
    expect((await visit(browser, '/dashboard/webhooks?status=odd')).status).toBe(400);
  });

  test('send again what was missed since a time, and say how much', async () => {
    const { platform, browser } = await scene();
    await webhooksOf(platform);
    const before = arrived(platform).length;
    const page = await visit(browser, '/dashboard/webhooks');
    const since = new Date(world.clock.now() - 3_600_000).toISOString().slice(0, 16);
    const answer = await browser.submit(page, '/webhooks/resend', { since, status: '' });
    expect(wordsOf(answer)).toContain(`${before} events are being resent.`);
    expect(wordsOf(await browser.submit(page, '/webhooks/resend', { since, status: '' }))).toContain(
      'You already sent this form',
    );
    await webhooksOf(platform);
    expect(arrived(platform).length).toBe(2 * before);
    const again = await visit(browser, '/dashboard/webhooks');
    const refused = await browser.submit(again, '/webhooks/resend', { since: 'yesterday', status: '' });
    expect([refused.status, fieldOf(refused, 'since')]).toEqual([400, 'yesterday']);
  });

  test('send a test and show how it went', async () => {
    const { platform, browser } = await freshDashboard();
    const page = await visit(browser, '/dashboard/webhooks/endpoint');
    const tested = await browser.submit(page, '/endpoint/test', { event_type: 'meeting.cancelled' });
    expect(wordsOf(tested)).toMatch(/The test was delivered\. Status Delivered/);
    expect(arrived(platform)).toHaveLength(1);
    answerWith(platform, { status: 503 });
    const failed = await browser.submit(await visit(browser, '/dashboard/webhooks/endpoint'), '/endpoint/test');
    expect(wordsOf(failed)).toMatch(/The test was not delivered\. Status Failed answered 503/);
  });

  test('say that sending is off, and where it is turned on', async () => {
    const { platform, browser } = await scene();
    await webhooksOf(platform);
    await platform.api.send('PUT', '/v1/platform/webhook', { enabled: false });
    const log = await visit(browser, '/dashboard/webhooks');
    expect(wordsOf(log)).toContain(`Off ${platform.webhookUrl} `);
    const refused = await browser.submit(log, '/webhooks/resend', { since: '2026-01-01T00:00', status: '' });
    expectSaid(refused, 409, 'Sending is off. First tick “Send events”');
  });
});

describe('the endpoint', () => {
  test('is set for the first time, and its secret is shown, also by an answer that comes twice', async () => {
    const platform = await freshPlatform();
    await world.neon.query('delete from webhook_endpoints where platform_id = $1', [platform.id]);
    const { browser } = await atDashboard(platform);
    const page = await visit(browser, '/dashboard/webhooks/endpoint');
    expect(wordsOf(page)).toContain('You have no webhook yet');
    const values = { url: `${platform.webhookUrl}-new` };
    const [one, two] = await Promise.all([1, 2].map(() => browser.submit(page, '/webhooks/endpoint', values)));
    const secret = fieldOf(one as Page, 'webhook-secret');
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(fieldOf(two as Page, 'webhook-secret')).toBe(secret);
    const { body } = await hookOf(platform).get();
    expect(body).toMatchObject({ url: values.url, enabled: true });
    expect((body as { events: string[] }).events).toHaveLength(10);
  });

  let unchanged: { platform: TestPlatform; browser: Browser };
  beforeAll(async () => {
    const platform = await freshPlatform();
    unchanged = { platform, ...(await atDashboard(platform)) };
  });

  test.each([
    [{ url: 'http://10.0.0.1/' }, 'The webhook URL'],
    [{ max_retries: '9' }, '`max_retries` must be a whole number from 1 to 3.'],
    [{ max_retries: 'x' }, 'max_retries'],
    [{ timeout_seconds: '' }, '`timeout_seconds` must be a whole number from 1 to 30.'],
    [{ events: ['nonsense'] }, '`events.0` must be one of'],
  ])('refuses %j in words, loses nothing of the form, changes nothing', async (values, sentence) => {
    const { platform, browser } = unchanged;
    const before = await hookOf(platform).get();
    const page = await visit(browser, '/dashboard/webhooks/endpoint');
    const refused = await browser.submit(page, '/webhooks/endpoint', { timeout_seconds: '7', ...values });
    expectSaid(refused, 400, sentence);
    const kept = formsOf(refused).find(({ action }) => action.endsWith('/endpoint'))?.fields;
    const [[name, value] = ['', '']] = Object.entries(values).filter(([name]) => name !== 'events');
    if (name !== '') expect(kept?.get(name)).toBe(value);
    expect((await hookOf(platform).get()).body).toEqual(before.body);
  });

  test('gets another secret, the same one however often the button is pressed', async () => {
    const { platform, browser } = await freshDashboard();
    const asked = await visit(browser, '/dashboard/webhooks/endpoint/rotate');
    const pages = await Promise.all([1, 2, 3].map(() => browser.submit(asked, '/rotate')));
    const secrets = new Set(pages.map((page) => fieldOf(page, 'webhook-secret')));
    expect([...secrets]).toEqual([expect.stringMatching(/^whsec_[\w+/]{43}=$/)]);
    const [row] = await world.neon.query(
      'select jsonb_array_length(previous_secrets) as former from webhook_endpoints where platform_id = $1',
      [platform.id],
    );
    expect(row).toEqual({ former: 1 });
  });

  test.each([
    ['/dashboard/webhooks/endpoint/rotate', '/rotate', {}, {}],
    ['/dashboard/webhooks/endpoint', '/webhooks/endpoint', { url: 'https://a.test/' }, { url: 'https://b.test/' }],
  ])('gets no secret back that was replaced, by an old form of %s', async (path, action, first, second) => {
    const { platform, browser } = await freshDashboard();
    const old = await visit(browser, path);
    expect(fieldOf(await browser.submit(old, action, first), 'webhook-secret')).toMatch(/^whsec_/);
    await browser.submit(await visit(browser, path), action, second);
    const stored = () => world.neon.query('select * from webhook_endpoints where platform_id = $1', [platform.id]);
    const before = await stored();
    const again = await browser.submit(old, action, first);
    expectSaid(again, 409, 'that secret was replaced since');
    expect(await stored()).toEqual(before);
  });
});

describe('the secret key', () => {
  const keyIn = (page: Page) => fieldOf(page, 'api-key') ?? '';

  test('is replaced and shown once; this browser stays, every other is out', async () => {
    const platform = await freshPlatform();
    const [{ browser }, other] = [await atDashboard(platform), await atDashboard(platform)];
    const asked = await visit(browser, '/dashboard/keys/regenerate');
    const shown = await browser.submit(asked, '/regenerate');
    const key = keyIn(shown);
    expect(await Promise.all([key, platform.secret_key].map(worksNow))).toEqual([true, false]);
    const kept = await visit(browser, '/dashboard/keys');
    expectSaid(kept, 200, `sk_live_…${key.slice(-4)}`);
    expect(kept.html).not.toContain(key);
    expect(wordsOf(kept)).toMatch(/You can replace it again from \w+ \d+ \w+, \d\d:\d\d on\./);
    const again = await visit(browser, '/dashboard/keys/regenerate');
    expect(formsOf(again).filter(({ action }) => action.endsWith('/regenerate'))).toEqual([]);
    expect((await visit(other.browser, '/dashboard')).status).toBe(401);
  });

  test('is shown by every answer to a form that is sent many times at once, and replaced once', async () => {
    const { browser } = await freshDashboard();
    const asked = await visit(browser, '/dashboard/keys/regenerate');
    const pages = await Promise.all([1, 2, 3, 4].map(() => browser.submit(asked, '/regenerate')));
    const keys = new Set(pages.map(keyIn));
    expect([...keys]).toEqual([expect.stringMatching(/^sk_live_[\w-]{53}$/)]);
    expect(await Promise.all([...keys].map(worksNow))).toEqual([true]);
    expect((await visit(browser, '/dashboard')).status).toBe(200);
  });
});

test.each([
  ['/dashboard/settings', { on_decline: 'cancel' }, '/v1/platform/settings', { logo_url: 'https://a.example/l.png' }],
  ['/dashboard/webhooks/endpoint', { max_retries: '2' }, '/v1/platform/webhook', { timeout_seconds: 7 }],
])('an old form of %s changes only what was changed in it', async (path, changed, api, meanwhile) => {
  const { platform, browser } = await freshDashboard();
  const old = await visit(browser, path);
  await platform.api.send('PUT', api, meanwhile);
  expect((await browser.submit(old, path, changed)).status).toBe(200);
  const { body } = await platform.api.send('GET', api);
  for (const [name, value] of Object.entries({ ...meanwhile, ...changed }))
    expect(String((body as Record<string, unknown>)[name])).toBe(String(value));
});

describe('settings', () => {
  test('are saved, and a refusal says why and keeps what was written', async () => {
    const { platform, browser } = await freshDashboard({ redirectUris: ['https://a.test/in'] });
    const page = await visit(browser, '/dashboard/settings');
    expect(page.html).toContain('https://a.test/in</textarea>');
    expect(wordsOf(page)).toContain('You suggest none.');
    await platform.api.send('PUT', '/v1/platform/settings', { default_preferences: { buffer_minutes: 15 } });
    const shown = wordsOf(await visit(browser, '/dashboard/settings'));
    expect(shown).toContain('People new to Tandem begin with these: 15 minutes between meetings.');
    const values = { redirect_uris: ' https://b.test/in \r\n\r\nhttp://localhost:3000/in', on_decline: 'cancel' };
    expect(wordsOf(await browser.submit(page, '/settings', values))).toContain('Your settings are saved.');
    const { body } = await platform.api.send('GET', '/v1/platform/settings');
    const redirect_uris = ['https://b.test/in', 'http://localhost:3000/in'];
    expect(body).toMatchObject({ redirect_uris, on_decline: 'cancel', webhook_url: platform.webhookUrl });
    const refused = await browser.submit(page, '/settings', { ...values, redirect_uris: 'ftp://<b>' });
    expect([refused.status, refused.html.includes('ftp://&lt;b&gt;</textarea>')]).toEqual([400, true]);
    expect(wordsOf(refused)).toContain('Not saved yet');
    const many = Array.from({ length: 6 }, (_, index) => `https://a.test/${index}`).join('\n');
    expect(wordsOf(await browser.submit(page, '/settings', { ...values, redirect_uris: many }))).toContain('at most 5');
    expect((await platform.api.send('GET', '/v1/platform/settings')).body).toMatchObject({ redirect_uris });
  });

  test('have a logo, which is checked as in the API, kept by an old form and removed by an empty field', async () => {
    const { platform, browser } = await freshDashboard();
    const page = await visit(browser, '/dashboard/settings');
    const logo = async () =>
      ((await platform.api.send('GET', '/v1/platform/settings')).body as { logo_url: string | null }).logo_url;
    const save = (logo_url: string, at = page) => browser.submit(at, '/settings', { on_decline: 'notify', logo_url });
    expect(wordsOf(await save(' https://cdn.acme.test/logo.png '))).toContain('Your settings are saved.');
    expect(fieldOf(await visit(browser, '/dashboard/settings'), 'logo_url')).toBe('https://cdn.acme.test/logo.png');
    for (const [wrong, sentence] of [
      ['http://cdn.acme.test/logo.png', '`logo_url` must be an HTTPS URL of an image on a public host'],
      [`https://cdn.acme.test/${'x'.repeat(500)}`, '`logo_url` must have at most 500 characters.'],
    ] as const) {
      const refused = await save(wrong);
      expect([refused.status, fieldOf(refused, 'logo_url')]).toEqual([400, wrong]);
      expect(/id="logo_url-error">([^<]*)/.exec(refused.html)?.[1]).toContain(sentence);
      expect(refused.html).not.toContain('redirect_uris-error');
    }
    const form = formIn(browser, page, '/dashboard/settings');
    const old = { ...form, fields: form.fields.filter(([name]) => name !== 'logo_url') };
    expect((await send(withFields(old, { on_decline: 'cancel' }))).status).toBe(303);
    expect(await logo()).toBe('https://cdn.acme.test/logo.png');
    await save('', await visit(browser, '/dashboard/settings'));
    expect(await logo()).toBe(null);
  });
});

const ACTIONS = ['cancel', 'reschedule', 'propose'] as const;

async function onPage(name: (typeof ACTIONS)[number]) {
  const at = await scene();
  const page = await visit(at.browser, `/dashboard/meetings/${at.id}`);
  return { ...at, page, form: formIn(at.browser, page, `/dashboard/meetings/${at.id}/${name}`) };
}

type Scene = Awaited<ReturnType<typeof onPage>>;

const asked = ({ form, bob }: Scene, more: Record<string, string> = {}) =>
  withFields(form, { requested_by: bob.email, reason: 'not before the day after, please', ...more });

const heldOf = ({ platform, id }: Pick<Scene, 'platform' | 'id'>) =>
  world.neon.query(
    `select (select status from meetings where id = $2) as status,
       (select count(*)::int from meetings where platform_id = $1) as meetings,
       (select count(*)::int from proposals where platform_id = $1) as proposals`,
    [platform.id, id],
  );

describe('a meeting', () => {
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

  test('with a guest says who is not connected, and offers the same', async () => {
    const { platform, grace, meetingId: id } = await metAsGuest();
    const { browser } = await atDashboard(platform);
    const page = await visit(browser, `/dashboard/meetings/${id}`);
    expect(wordsOf(page)).toContain(`${grace.email} : invitation not answered Not connected`);
    expect((await send(formIn(browser, page, `/dashboard/meetings/${id}/cancel`))).status).toBe(303);
  });

  test('leads to “Why not?” with its people and its time on the requester’s clock', async () => {
    const { ada, bob, page, browser, start } = await onPage('cancel');
    const link = linkIn(page, /href="(\/dashboard\/why\?[^"]+)"/);
    const asked = Object.fromEntries(new URL(link, world.baseUrl).searchParams);
    const clock = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/London', dateStyle: 'short', timeStyle: 'short' });
    expect(asked).toMatchObject({ first: ada.email, second: bob.email, minutes: '30' });
    expect(`${asked.date} ${asked.time}`).toBe(clock.format(start));
    expect((await visit(browser, link)).status).toBe(200);
  });

  test('that has begun, or that a read-only link shows, offers no change', async () => {
    const at = await onPage('cancel');
    const { browser } = await lookingAt(at.platform);
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
    expect(again).toMatchObject({ status: 422, html: expect.stringContaining('This form was already sent once') });
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

  test('of another platform’s meeting is refused', async () => {
    const at = await onPage('cancel');
    const other = await onPage('cancel');
    const form = { ...at.form, action: other.form.action };
    expect((await send(form)).status).toBe(403);
    expect(await heldOf(other)).toEqual([{ status: 'scheduled', meetings: 1, proposals: 0 }]);
  });
});
