import { expect, test } from 'vitest';
import { adaAtHome } from '../../support/people/me.ts';
import { errorAt, typedInto } from '../../support/people/why.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

async function onTheForm() {
  const { browser, own } = await adaAtHome();
  const open = () => browser.open(`${world.baseUrl}/me/preferences`);
  return {
    open,
    save: async (holidays: string) => browser.submit(await open(), '/me/preferences', { holidays }),
    stored: async () => {
      const { body } = await own.send('GET', '/v1/user/preferences');
      return (body as { preferences: { holidays: string } }).preferences.holidays;
    },
  };
}

test('a person chooses a region in any letter case, and goes back to the holidays of their time zone', async () => {
  const { open, save, stored } = await onTheForm();
  expect((await open()).html).toContain('Public holidays');
  await save('de-by');
  expect([await stored(), typedInto(await open(), 'holidays')]).toEqual(['DE-BY', 'DE-BY']);
  await save('');
  // Ada lives in London.
  expect([await stored(), typedInto(await open(), 'holidays')]).toEqual(['GB-ENG', '']);
  expect((await open()).html).toContain('follow your time zone: GB-ENG.');
  await save('off');
  expect([await stored(), typedInto(await open(), 'holidays')]).toEqual(['off', 'off']);
});

test('a place without known holidays is refused beside its field, and nothing is saved', async () => {
  const { save, stored } = await onTheForm();
  const page = await save('Germany');
  expect(page.status).toBe(400);
  expect(errorAt(page, 'holidays')).toBe(
    'Enter a country such as DE, a region such as DE-BY, or off. We know no public holidays for this.',
  );
  expect(typedInto(page, 'holidays')).toBe('Germany');
  expect(await stored()).toBe('off');
});
