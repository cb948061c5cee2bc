import { expect, test } from 'vitest';
import { isSameMailbox } from '../../../lib/calendars/connect/mailbox.ts';

test.each([
  ['jane.doe@gmail.com', 'janedoe@gmail.com', true],
  ['jane.doe+work@gmail.com', 'JaneDoe@googlemail.com', true],
  ['jane.doe@gmail.com', 'jane.roe@gmail.com', false],
  ['jane.doe@acme.test', 'janedoe@acme.test', false],
  ['jane+work@acme.test', 'jane@acme.test', false],
  ['jane@münchen.de', 'Jane@xn--mnchen-3ya.de', true],
  ['jane@gmail.com.evil.test', 'jane@gmail.com', false],
])('%s and %s: %s', (one, other, isSame) => {
  expect(isSameMailbox(one, other)).toBe(isSame);
});
