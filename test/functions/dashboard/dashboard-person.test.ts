import { expect, test } from 'vitest';
import { HOSTILE } from '../../support/checks/forms.ts';
import { atDashboard, fieldOf, scene, visit, withoutScript, wordsOf } from '../../support/people/dashboard.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { personWith } from '../../support/people/why.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const pathOf = (email: string) => `/dashboard/people/${encodeURIComponent(email)}`;

test('a person’s page shows their calendar, zone, hours, meetings, events and link, in one call for its data', async () => {
  const { platform, ada, bob, id, browser } = await scene();
  const page = await visit(browser, pathOf(ada.email));
  const calls = world.traffic.list().filter(({ request_id }) => request_id === page.requestId);
  expect(calls.map(({ target }) => target).sort()).toEqual(['neon', 'neon', 'redis']);
  expect(wordsOf(page)).toMatch(/Calendar Connected .* Time zone Europe\/London/);
  expect(wordsOf(page)).toMatch(/Monday to Friday 08:00 to 18:00 Saturday and Sunday off/);
  expect(wordsOf(page)).toMatch(new RegExp(`Upcoming meetings .* Intro .* ${bob.email} Scheduled`));
  expect(page.html).toContain(`href="/dashboard/meetings/${id}"`);
  expect(wordsOf(page)).toContain('user.calendar.connected');
  const { body } = await platform.api.oauthUrl(ada.email);
  expect(fieldOf(page, 'link')?.replaceAll('&amp;', '&')).toBe((body as { oauth_url: string }).oauth_url);
  expect(page.html).toContain(`/dashboard/people/disconnect?user_email=${encodeURIComponent(ada.email)}`);
});

test('a person’s rules are quoted, and a grant that has ended is told', async () => {
  const platform = await freshPlatform();
  const ada = await personWith(platform, { preferences: { scheduling_context: 'Never before 10. <b>bold</b>' } });
  const { browser } = await atDashboard(platform);
  await world.neon.query(
    `update calendar_accounts set status = 'needs_reauthorization', reauthorization_needed_since = now()
     where user_id = (select id from users where email = $1)`,
    [ada.email],
  );
  const page = await visit(browser, pathOf(ada.email));
  expect(wordsOf(page)).toContain('Needs to reconnect');
  expect(wordsOf(page)).toMatch(/Rules in their own words .*Never before 10/);
  expect(page.html).not.toContain('<b>bold');
});

test('a stranger, another platform’s person and hostile text are told as what they are', async () => {
  const { ada } = await scene();
  const { browser } = await atDashboard(await freshPlatform());
  const page = await visit(browser, pathOf(ada.email));
  expect([page.status, wordsOf(page).includes('Nobody with this address is connected')]).toEqual([404, true]);
  expect(page.html).not.toContain('Europe/London');
  for (const text of HOSTILE) {
    const answer = await visit(browser, pathOf(text));
    expect([400, 404]).toContain(answer.status);
    expect(withoutScript(answer)).not.toMatch(/<script|<img/);
  }
});
