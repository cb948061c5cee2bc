import { expect, test } from 'vitest';
import { defaultTitle, nameOf, suggestTitle } from '../../../lib/words/title.ts';

const people = ['ada.lovelace@example.com', 'Bob'];

test.each([
  ['quarterly budget review', 'Quarterly budget review: Ada Lovelace and Bob'],
  ['  plan   the launch. Bring numbers.', 'Launch: Ada Lovelace and Bob'],
  ['v2.0 kick-off\nagenda follows', 'V2.0 kick-off: Ada Lovelace and Bob'],
  ['   ', 'Meeting: Ada Lovelace and Bob'],
  ['Hi Bob,', 'Meeting: Ada Lovelace and Bob'],
  ['Hi Bob,\n\ncan we discuss the roadmap for Q3? I have some thoughts.', 'Roadmap for Q3: Ada Lovelace and Bob'],
  ['Hello! Please schedule a call about pricing', 'Pricing: Ada Lovelace and Bob'],
  ['investor_call', 'Investor call: Ada Lovelace and Bob'],
  ['quick sync re: budget 2027!!!', 'Budget 2027: Ada Lovelace and Bob'],
  ['Investor call', 'Investor call: Ada Lovelace and Bob'],
  ['one_on_one', '1:1: Ada Lovelace and Bob'],
  ["I'd like to show the demo", 'Show the demo: Ada Lovelace and Bob'],
  [
    'We have been following what you build for quite some time now and as investors would love to learn more about it all',
    'Investor call: Ada Lovelace and Bob',
  ],
  [
    'The thing is that nothing we tried last year has worked out as planned and so on and so forth without an end',
    'Meeting: Ada Lovelace and Bob',
  ],
])('the context %j suggests %j', (context, title) => {
  expect(suggestTitle(context, people)).toBe(title);
});

test('a title stays within 200 characters', () => {
  const title = suggestTitle('word '.repeat(100), [`${'a'.repeat(250)}@example.com`, 'bob@example.com']);
  expect(title).toMatch(/^Meeting: A+/);
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
