import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  FOREIGN,
  formIn,
  HOSTILE,
  readAfter,
  type SentForm,
  send,
  sendTwice,
  withFields,
} from '../../support/checks/forms.ts';
import { acceptedBatch, batchIs } from '../../support/people/batches.ts';
import {
  freshDashboard,
  linkFor,
  lookingAt,
  newBrowser,
  scene,
  visit,
  withoutScript,
} from '../../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { proposed, strangersAddress } from '../../support/people/proposing.ts';
import { answerWith, drain, emitOne, hookOf } from '../../support/people/webhooks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const SETTINGS = '/dashboard/settings';
const LOG = '/dashboard/webhooks';
const ENDPOINT = `${LOG}/endpoint`;
const KEY = '/dashboard/keys/regenerate';
const MEETING = '/dashboard/meetings/:meeting';
const PROPOSAL = '/dashboard/proposals/:proposal';
const BATCH = '/dashboard/batches/:batch';
const SENT_BEFORE = 'Webhooks: You already sent this form, so nothing was sent a second time.';

const TEST_BEFORE = 'Webhooks: You already sent this form, so no second test was made.';
const SAVED = 'Webhook endpoint: The webhook is saved. Its secret has not changed.';
const RESENT = /: You already sent this form, so the event was not sent a second time/;
/** Forms that a session with a read-only link may send too. */
const ANY_SESSION = ['/dashboard/zone', '/dashboard/sign-out'];
const CANCELLED = /: The meeting is cancelled and taken off both calendars/;
const DISCONNECT = '/dashboard/people/disconnect';

/**
 * Forms of the dashboard: the path each posts to, the page it is on, the statuses of its two answers when it is sent
 * twice at once, what a person reads who sends it again after that, and the fields that refuse hostile text.
 */
const FORMS: [path: string, page: string, statuses: number[], words: string | RegExp, checked: string[]][] = [
  [SETTINGS, SETTINGS, [303, 303], 'Settings: Your settings are saved.', ['redirect_uris', 'on_decline', 'logo_url']],
  ['/dashboard/zone', '/dashboard/zone', [303, 303], 'Overview', ['zone']],
  [ENDPOINT, ENDPOINT, [303, 303], SAVED, ['url', 'events', 'max_retries', 'timeout_seconds', 'once']],
  [`${ENDPOINT}/test`, ENDPOINT, [200, 303], TEST_BEFORE, ['event_type', 'once']],
  [`${ENDPOINT}/rotate`, `${ENDPOINT}/rotate`, [200, 200], 'Your new webhook secret', ['once']],
  [`${LOG}/resend`, LOG, [200, 200], SENT_BEFORE, ['since', 'status', 'once']],
  [`${LOG}/resend-selected`, LOG, [200, 200], SENT_BEFORE, ['id', 'once']],
  [`${LOG}/resend-failed`, LOG, [200, 200], SENT_BEFORE, ['once']],
  [`${LOG}/:id/resend`, `${LOG}/:id`, [303, 303], RESENT, ['once']],
  [`${MEETING}/cancel`, MEETING, [303, 303], CANCELLED, ['once']],
  [`${MEETING}/reschedule`, MEETING, [303, 303], /: The meeting is moved/, ['requested_by', 'once']],
  [`${MEETING}/propose`, MEETING, [303, 303], /: The proposal is made/, ['expires_in_hours', 'once']],
  [`${PROPOSAL}/withdraw`, PROPOSAL, [200, 200], /: The proposal is withdrawn/, ['csrf']],
  [`${BATCH}/commit`, BATCH, [200, 200], /: The meetings (are being|were) booked/, ['csrf']],
  [`${BATCH}/stop`, BATCH, [200, 200], /: The batch is stopped/, ['csrf']],
  [DISCONNECT, `${DISCONNECT}?user_email=:email`, [200, 200], /^ada.* is disconnected already$/, ['user_email']],
  [KEY, KEY, [200, 200], 'Your new secret key', ['once']],
  ['/dashboard/sign-out', '/dashboard', [200, 200], 'You are not signed in', ['csrf']],
];

/**
 * Creates a platform with a meeting and its webhook deliveries, and opens a form of its dashboard, filled in as a
 * person would.
 */
async function withForm(path: string, page: string) {
  const { platform, browser, id: meeting, ada } = await scene();
  await webhooksOf(platform);
  const proposal = path.startsWith(PROPOSAL) ? (await offered(platform, ada)).proposal_id : '';
  const batch = path.startsWith(BATCH) ? await planned(platform, ada) : '';
  if (path.endsWith('/resend-failed')) await failOne(platform);
  const { deliveries } = (await hookOf(platform).logs()).body as { deliveries: { id: string }[] };
  const ids = { id: deliveries[0]?.id ?? '', meeting, proposal, batch, email: encodeURIComponent(ada.email) };
  const here = (pattern: string) =>
    Object.entries(ids).reduce((made, [name, value]) => made.replace(`:${name}`, value), pattern);
  const form = formIn(browser, await visit(browser, here(page)), here(path));
  const id = deliveries.map((delivery) => delivery.id);
  return {
    platform,
    form: withFields(form, {
      ...{ since: '2026-01-01T00:00', on_decline: 'cancel', zone: 'Asia/Tokyo', id },
      ...(path.endsWith('/reschedule') ? { reason: 'Another day, please' } : {}),
    }),
  };
}

/** Offers three times to somebody who is not connected. */
const offered = (platform: TestPlatform, { email }: { email: string }) =>
  proposed(platform, { attendees: [email, strangersAddress()], duration_minutes: 30, title: 'Offered' });

async function planned(platform: TestPlatform, { email }: { email: string }): Promise<string> {
  const other = await connectedPerson(platform);
  const meetings = [{ reference: 'one', attendees: [email, other.email] }];
  const id = await acceptedBatch(platform, { meetings, dry_run: true });
  await batchIs(platform, id, 'planned');
  return id;
}

/** Makes an event happen that the platform's receiver refuses, so that the log offers to send it again. */
async function failOne(platform: TestPlatform) {
  await hookOf(platform).put({ max_retries: 1 });
  answerWith(platform, { status: 503 });
  await emitOne(platform);
  await drain(platform);
}

/** Reads everything a form of the dashboard could change. A key that the form replaced could not read it. */
async function heldOf(platform: TestPlatform) {
  await webhooksOf(platform);
  const read = [
    platform.api.send('GET', '/v1/platform/settings'),
    hookOf(platform).get(),
    hookOf(platform).logs(),
    platform.api.send('GET', '/v1/meetings'),
    platform.api.send('GET', '/v1/proposals'),
    platform.api.send('GET', '/v1/calendars'),
  ];
  const answers = await Promise.all(read);
  expect(answers.map(({ status }) => status)).toEqual(read.map(() => 200));
  return answers.map(({ body }) => body);
}

const csrfOf = ({ fields }: SentForm) => Object.fromEntries(fields).csrf ?? '';

describe.each(FORMS)('%s', (path, page, statuses, words, checked) => {
  test('sent twice at once does what it does once, and sent again says what is true', async () => {
    const { form, platform } = await withForm(path, page);
    const [, , before] = await heldOf(platform);
    const answers = await sendTwice(form);
    const found = answers.map(({ status }) => status).sort();
    // Of two sign-outs, one may find that the other has ended the session.
    expect(found).toEqual(path === '/dashboard/sign-out' && found.includes(401) ? [200, 401] : statuses);
    const read = await readAfter(form, await send(form));
    if (typeof words === 'string') expect(read).toBe(words);
    else expect(read).toMatch(words);
    if (path.endsWith('/regenerate')) return;
    const [, , after] = await heldOf(platform);
    const made = (logs: unknown) => (logs as { deliveries: unknown[] }).deliveries.length;
    expect(made(after) - made(before)).toBeLessThanOrEqual(path.includes('resend') ? made(before) : 1);
  });

  test('does nothing from another site, for another session, a read-only one, without one, or after it', async () => {
    const { form, platform } = await withForm(path, page);
    const before = await heldOf(platform);
    for (const [name, sender] of FOREIGN) expect([name, (await send(form, sender)).status]).toEqual([name, 403]);
    const other = await withForm(path, page);
    for (const csrf of [csrfOf(other.form), '', 'x']) expect((await send(withFields(form, { csrf }))).status).toBe(403);
    expect((await send(form, { withoutCookie: true })).status).toBe(401);
    const looking = await lookingAt(platform);
    const { fields, cookie } = formIn(looking.browser, looking.page, '/dashboard/sign-out');
    const looked = withFields({ ...form, cookie }, Object.fromEntries(fields));
    if (!ANY_SESSION.includes(path))
      expect((await send(looked)).html).toContain('opened the dashboard with a read-only link');
    expect(await heldOf(platform)).toEqual(before);
    await world.advance(12 * 3_600_000 + 1_000);
    expect((await send(form)).status).toBe(401);
  });

  test('refuses hostile text in any field and changes nothing', async () => {
    const { form, platform } = await withForm(path, page);
    const before = await heldOf(platform);
    for (const field of checked)
      for (const text of HOSTILE) {
        const once = randomBytes(32).toString('base64url');
        const answer = await send(withFields(form, { once, [field]: text }));
        expect([400, 403], `${field}: ${text.slice(0, 40)}`).toContain(answer.status);
        expect(withoutScript(answer)).not.toMatch(/<script|<img/);
      }
    expect(await heldOf(platform)).toEqual(before);
  });
});

test('the way in is not opened from another site, nor for a browser that did not see the link’s page', async () => {
  const platform = await freshPlatform();
  const browser = newBrowser();
  const form = formIn(browser, await browser.open(await linkFor(platform)), '/dashboard/enter');
  for (const [name, sender] of FOREIGN) expect([name, (await send(form, sender)).status]).toEqual([name, 403]);
  expect((await send(form, { withoutCookie: true })).status).toBe(400);
  expect((await send(form)).location).toBe('/dashboard');
});

test.each([
  ['/dashboard/people', ['search', 'calendar', 'cursor']],
  ['/dashboard/jobs', ['status', 'cursor']],
  ['/dashboard/batches', ['cursor']],
  ['/dashboard/why', ['first', 'second', 'date', 'time', 'minutes']],
  ['/dashboard/why', ['clock', 'which', 'context', 'from', 'to', 'week']],
  ['/dashboard/people/link', ['user_email']],
  [DISCONNECT, ['user_email']],
  ['/dashboard/meetings', ['title', 'attendee', 'status', 'from', 'to', 'cursor']],
  ['/dashboard/meetings/find', ['id']],
  ['/dashboard/zone', ['back']],
  ['/dashboard/proposals', ['email', 'status', 'cursor']],
  [LOG, ['event', 'status', 'url', 'from', 'to', 'cursor']],
  ['/dashboard/enter', ['link']],
] as const)('hostile text asked for at %s is shown as text alone', async (path, fields) => {
  const { browser } = await freshDashboard();
  for (const field of fields)
    for (const text of HOSTILE) {
      const answer = await visit(browser, `${path}?${new URLSearchParams({ [field]: text })}`);
      expect([200, 400, 404], `${field}: ${text.slice(0, 40)}`).toContain(answer.status);
      expect(withoutScript(answer)).not.toMatch(/<script|<img|href="javascript:/);
    }
});
