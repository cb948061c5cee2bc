import { expect, test } from 'vitest';
import { defaultTitle, nameOf, suggestTitle } from '../../../lib/scheduling/title.ts';

const people = ['ada.lovelace@example.com', 'Bob'];

test.each([
  ['quarterly budget review', 'Quarterly budget review: Ada Lovelace and Bob'],
  ['  plan   the launch. Bring numbers.', 'Plan the launch: Ada Lovelace and Bob'],
  ['v2.0 kick-off\nagenda follows', 'V2.0 kick-off: Ada Lovelace and Bob'],
  ['   ', 'Meeting: Ada Lovelace and Bob'],
])('the context %j suggests %j', (context, title) => {
  expect(suggestTitle(context, people)).toBe(title);
});

test('a long context is cut at a word and the title stays within 200 characters', () => {
  const title = suggestTitle('word '.repeat(100), [`${'a'.repeat(150)}@example.com`, 'bob@example.com']);
  expect(title).toMatch(/^Word( word)+…: A+/);
  expect(title.length).toBeLessThanOrEqual(200);
});

test.each([
  ['investor_call', 'Investor call: Ada Lovelace and Bob'],
  ['team_standup', 'Standup: Ada Lovelace and Bob'],
  [undefined, 'Meeting: Ada Lovelace and Bob'],
] as const)('the meeting context %s has the default title %j', (context, title) => {
  expect(defaultTitle(context, people)).toBe(title);
});

test.each([
  ['ada@example.com', 'Ada'],
  ['ada_king-lovelace+work@example.com', 'Ada King Lovelace'],
  ['Ada King', 'Ada King'],
])('%s is called %s', (person, name) => {
  expect(nameOf(person)).toBe(name);
});
