import { describe, expect, test } from 'vitest';
import { HOSTILE } from '../support/checks/forms.ts';
import { adaWithTwo } from '../support/people/signing-in.ts';
import { openTab, pagesSuite, settled, strangeParts } from '../support/worlds/tabs.ts';

pagesSuite();

const atTheirWeek = async () => openTab('/me/preferences', { as: (await adaWithTwo()).email });

describe('what is typed into the week', () => {
  test('is kept as it was written, however hostile', async () => {
    const tab = await atTheirWeek();
    const [script = '', image = ''] = HOSTILE;
    await tab.page.selectOption('#focus-0-day', 'monday');
    await tab.page.fill('#focus-0-start', '09:00');
    await tab.page.fill('#focus-0-end', '10:00');
    await tab.page.fill('#focus-0-reason', image);
    await tab.page.fill('#context', script);
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect(await tab.page.inputValue('#context')).toBe(script);
    expect(await tab.page.inputValue('#focus-0-reason')).toBe(image);
    expect(await strangeParts(tab)).toEqual([]);
  });

  test('is not lost where one field is wrong', async () => {
    const tab = await atTheirWeek();
    const text = 'Two lines,\nthe second “quoted” & <b>bold</b>';
    await tab.page.fill('#context', text);
    await tab.page.fill('#most-per-day', 'eleven');
    await tab.page.uncheck('[name=tuesday-on]');
    await tab.page.check('[name=buffer][value="30"]');
    await tab.page.selectOption('#timezone', 'Asia/Tokyo');
    await tab.page.selectOption('#focus-1-day', 'friday');
    await tab.page.fill('#focus-1-start', '14:00');
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect(tab.answer().status()).toBe(400);
    expect(await tab.page.locator('.error').allInnerTexts()).toEqual([
      'Enter a time, such as 09:00.',
      'Must be a whole number from 1 to 10.',
    ]);
    expect(await tab.page.inputValue('#context')).toBe(text);
    expect(await tab.page.inputValue('#most-per-day')).toBe('eleven');
    expect(await tab.page.isChecked('[name=tuesday-on]')).toBe(false);
    expect(await tab.page.isChecked('[name=buffer][value="30"]')).toBe(true);
    expect(await tab.page.inputValue('#timezone')).toBe('Asia/Tokyo');
    expect(await tab.page.inputValue('#focus-0-day')).toBe('friday');
    expect(await tab.page.inputValue('#focus-0-start')).toBe('14:00');
    await tab.page.fill('#focus-0-end', '00:00');
    await tab.page.fill('#most-per-day', '4');
    await settled(tab, () => tab.page.click('text=Save your week'));
    expect(await tab.page.locator('.notice').textContent()).toContain('Saved');
    expect(await tab.page.inputValue('#focus-0-end')).toBe('00:00');
    expect(await tab.page.inputValue('#context')).toBe(text);
  });
});
