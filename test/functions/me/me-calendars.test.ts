import { describe, expect, test } from 'vitest';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { type Browser, formsOf, type Page } from '../../local/browser.ts';
import { freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { createClient } from '../../support/worlds/client.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const home = (browser: Browser) => browser.open(`${world.baseUrl}/me`);

/** Returns the calendars on the page: each one's name and note, its checkbox's state, and its mark. */
const shown = ({ html }: Page) =>
  [
    ...html.matchAll(
      /name="blocks" value="(\w+)"( checked="")?[^>]*\/><span><bdi>(.*?)<\/bdi><span class="muted">(.*?)<\/span>/g,
    ),
  ].map(([, mark = '', checked, name = '', note = '']) => ({ mark, name, note, isTicked: checked !== undefined }));
const ticks = (page: Page) => shown(page).map(({ name, isTicked }) => `${isTicked ? '+' : '-'}${name}`);

const save = (browser: Browser, page: Page, ...names: string[]) =>
  browser.submit(page, '/me/calendars', {
    blocks: shown(page).flatMap(({ name, mark }) => (names.includes(name) ? [mark] : [])),
  });

/**
 * Signs Ada in to her own page. She has a second calendar of her own and a colleague's calendar. `free` returns her free
 * intervals on a Tuesday.
 */
async function adaAtHome() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const { email } = freshPerson({ name: 'ada' });
  const boss = freshPerson({ name: 'boss' });
  for (const one of [email, boss.email]) world.google.addUser({ email: one, timezone: 'UTC' });
  const team = world.google.addCalendar({ owner: email, summary: 'Team' });
  world.google.share({ calendar: boss.email, reader: email, isListed: true });
  const { api_key } = await world.connect(platform, email);
  const soon = Math.floor((world.clock.now() + 5 * DAY) / DAY) * DAY;
  const tuesday = soon + ((9 - new Date(soon).getUTCDay()) % 7) * DAY;
  const at = (hour: number) => new Date(tuesday + hour * 3_600_000).toISOString();
  world.google.addEvent({ email, start: at(9), end: at(10) });
  world.google.addEvent({ email, calendar: team, start: at(11), end: at(12) });
  world.google.addEvent({ email: boss.email, start: at(14), end: at(15) });
  const date = at(0).slice(0, 10);
  const free = async (more = '') => {
    const { body } = await platform.api.send(
      'GET',
      `/v1/users/${email}/availability?start_date=${date}&end_date=${date}${more}`,
    );
    const { intervals } = body as { intervals: { start_time: string; end_time: string }[] };
    return intervals.map(({ start_time, end_time }) =>
      [start_time, end_time].map((time) => time.slice(11, 16)).join('–'),
    );
  };
  return {
    platform,
    email,
    boss: boss.email,
    team,
    free,
    at,
    own: createClient(world.baseUrl, api_key),
    ...(await world.signIn(email)),
  };
}

describe('the calendars that block time, on a person’s own page', () => {
  test('are the main calendar and those the person owns, until they choose', async () => {
    const { email, boss, page, free } = await adaAtHome();
    expect(ticks(page)).toEqual([`+${email}`, '+Team', `-${boss}`]);
    expect(shown(page).map(({ note }) => note)).toEqual([
      ' (your main calendar, where meetings are added)',
      '',
      ' (not yours)',
    ]);
    expect(await free()).toEqual(['08:00–09:00', '10:00–11:00', '12:00–18:00']);
  });

  test('follow an old form when it is saved, and keep the choice for calendars that the form did not show', async () => {
    const { email, boss, team, page, browser } = await adaAtHome();
    world.google.addCalendar({ owner: email, summary: 'New' });
    world.google.removeCalendar(team);
    const saved = await save(browser, page, email, 'Team', boss);
    expect(ticks(saved)).toEqual([`+${email}`, `+${boss}`, '+New']);
    expect(saved.html).not.toContain('nothing now');
    expect(saved.html).toContain('<strong>Saved</strong>');
  });

  test.each([
    ['nothing', []],
    ['only what is no calendar of theirs', ['0'.repeat(32), '<script>', '']],
  ])('are not changed by a form with %s ticked', async (_name, blocks) => {
    const { page, browser } = await adaAtHome();
    const refused = await browser.submit(page, '/me/calendars', { blocks });
    expect([refused.status, refused.html.includes('Tick at least one calendar.')]).toEqual([400, true]);
    expect(refused.html).not.toContain('<strong>Saved</strong>');
    expect(ticks(refused)).toEqual(ticks(page).map((one) => one.replace('+', '-')));
    expect(ticks(await home(browser))).toEqual(ticks(page));
  });

  test('stay while Google does not answer: the page opens and says so, and saving is refused', async () => {
    const { email, page, browser, free } = await adaAtHome();
    world.faults.add({
      target: 'google',
      match: 'GET /calendar/v3/users/me/calendarList',
      mode: 'status',
      status: 503,
    });
    const open = await home(browser);
    expect([open.status, open.html.includes('Tandem could not get your calendars from Google')]).toEqual([200, true]);
    const refused = await save(browser, page, email);
    expect([refused.status, refused.html.includes('Nothing was changed')]).toEqual([503, true]);
    expect(await free()).toHaveLength(3);
  });

  test('show the names that people gave them as plain text', async () => {
    const { email, browser, team } = await adaAtHome();
    const names = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '\u202Eevil', ' ', 'x'.repeat(5_000)];
    world.google.relist({ calendar: team, reader: email, name: 'My "team" & I' });
    for (const summary of names) world.google.addCalendar({ owner: email, summary });
    const page = await home(browser);
    expect(page.status).toBe(200);
    expect(page.html).not.toMatch(/<script|<img/);
    expect(shown(page).map(({ name }) => name)).toEqual([
      email,
      'My &quot;team&quot; &amp; I',
      expect.any(String),
      '&lt;script&gt;alert(1)&lt;/script&gt;',
      '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;',
      '\u202Eevil',
      'Unnamed calendar',
      'x'.repeat(5_000),
    ]);
    expect((await save(browser, page, email)).status).toBe(200);
  });

  test('are all read, however many pages Google’s list has', async () => {
    const { email, browser, free, at } = await adaAtHome();
    const ids = Array.from({ length: 260 }, (_, n) => world.google.addCalendar({ owner: email, summary: `${n}` }));
    world.google.addEvent({ email, calendar: ids.at(-1), start: at(16), end: at(17) });
    const page = await home(browser);
    expect(shown(page)).toHaveLength(263);
    expect((await save(browser, page, ...shown(page).map(({ name }) => name))).status).toBe(200);
    world.traffic.clear();
    expect((await free('&fresh=true')).at(-1)).toBe('17:00–18:00');
    const asked = world.traffic.list().filter(({ path }) => path.endsWith('/freeBusy'));
    expect(asked.length).toBeGreaterThanOrEqual(6);
  });
});

test('who does not let Tandem read the list of their calendars can connect, and the page says that only the main calendar blocks', async () => {
  const platform = await freshPlatform();
  const { email } = freshPerson({ name: 'ada' });
  world.google.addUser({ email, timezone: 'UTC' });
  world.google.settings.grantedScopes.set(
    email,
    ['calendar.events', 'calendar.freebusy'].map((name) => `https://www.googleapis.com/auth/${name}`),
  );
  await world.connectCalendar(platform, email);
  const { page, browser } = await world.signIn(email);
  expect(page.html).toContain('Only your main calendar blocks your time');
  expect(page.html).toContain(`/oauth/login?user_id=${encodeURIComponent(email)}`);
  const csrf = formsOf(page)[0]?.fields.get('csrf') ?? '';
  const forged = { ...page, html: '<form method="post" action="/me/calendars"></form>' };
  expect((await browser.submit(forged, '/me/calendars', { csrf })).status).toBe(400);
  world.google.settings.grantedScopes.delete(email);
  expect(shown((await world.signIn(email)).page)).toHaveLength(1);
});

test('the stored choice of calendars is in the export, and is deleted with the person', async () => {
  const { email, boss, team, page, browser, own } = await adaAtHome();
  await save(browser, page, email, boss);
  const { body } = await own.send('GET', '/v1/user/export');
  expect((body as { calendar: object }).calendar).toMatchObject({
    blocking_calendars: ['primary', boss],
    ticked_calendars: ['primary', boss],
    unticked_calendars: [team],
  });
  const [row] = await world.neon.query(
    'select a.calendars from calendar_accounts a join users u on u.id = a.user_id where u.email = $1',
    [email],
  );
  await own.send('DELETE', '/v1/user');
  expect(await world.neon.query('select 1 from calendar_accounts where calendars = $1', [row?.calendars])).toEqual([]);
});
