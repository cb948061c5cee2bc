import { expect, test } from 'vitest';
import { formIn, send, withFields } from '../../support/checks/forms.ts';
import { visit } from '../../support/people/dashboard.ts';
import { adaWithTwo } from '../../support/people/me-pages.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const rows = (count: number) =>
  Object.assign(
    {},
    ...Array.from({ length: count }, (_, row) => ({
      [`focus-${row}-day`]: 'monday',
      [`focus-${row}-start`]: '09:00',
      [`focus-${row}-end`]: '10:00',
      [`focus-${row}-reason`]: '',
    })),
  );

test('the form keeps a hundred focus blocks, and refuses one more beside its row', async () => {
  const ada = await adaWithTwo();
  const { browser } = await world.signIn(ada.email);
  const form = formIn(browser, await visit(browser, '/me/preferences'), '/me/preferences');
  const stored = async () => {
    const { body } = await ada.own.send('GET', '/v1/user/preferences');
    return (body as { preferences: { focus_blocks: unknown[] } }).preferences.focus_blocks.length;
  };
  expect((await send(withFields(form, rows(100)))).status).toBe(303);
  expect(await stored()).toBe(100);
  const more = await send(withFields(form, rows(101)));
  expect(more.status).toBe(400);
  expect(more.html).toMatch(/id="focus-100-day-error"[^>]*>.*?at most 100 focus times/);
  const fewer = { ...rows(101), 'focus-7-remove': 'on' };
  expect((await send(withFields(form, fewer))).status).toBe(303);
  expect(await stored()).toBe(100);
});
