import { expect, test } from 'vitest';
import { inspect, openTab, pagesSuite, strangeParts, tabTo } from '../support/worlds/tabs.ts';

pagesSuite();

test.each([
  ['text that is too pale', 'document.querySelector("main p").style.color = "#ccc"', /color-contrast/],
  [
    'a field without a label',
    'document.querySelector("main").append(document.createElement("input"))',
    /label at .*input/,
  ],
  ['what is wider than a phone', 'document.querySelector("h1").style.width = "500px"', /too wide by/],
  [
    'a second heading of the first rank',
    'document.querySelector("main").append(document.createElement("h1"))',
    /headings/,
  ],
])('%s is found', async (_name, damage, finding) => {
  const tab = await openTab('/docs/idempotency');
  await tab.page.evaluate(damage);
  await expect(inspect(tab, 'damaged')).rejects.toThrow(finding);
});

test('what the policy of a page stops is complained of', async () => {
  const tab = await openTab('/privacy');
  await tab.page.evaluate('document.querySelector("main").innerHTML = "<p style=color:red>x</p>"');
  await expect.poll(() => tab.complaints).toEqual([expect.stringContaining('Content Security Policy')]);
  expect(await strangeParts(tab)).toEqual(['<p style="color:red">x</p>']);
  tab.complaints.length = 0;
});

test('a focus that cannot be seen is found, and a name that Tab never reaches', async () => {
  const tab = await openTab('/docs/idempotency');
  await expect(tabTo(tab, 'Nowhere')).rejects.toThrow('Tab does not lead to Nowhere, only to: Skip to the content');
  await tab.page.evaluate('document.querySelector("nav a").style.outline = "none"');
  await expect(tabTo(tab, 'Concepts')).rejects.toThrow('the focus at "Dashboard" can be seen');
});
