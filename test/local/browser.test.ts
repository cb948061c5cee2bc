import { expect, test } from 'vitest';
import { excerpt, formsOf } from './browser.ts';

const page = (html: string) => ({ url: 'http://localhost:1/o/auth?x=1', status: 200, html });

test('a form carries its hidden inputs, what is checked, and an action read against the page', () => {
  const [form] = formsOf(
    page(`<form method="post" action="auth/consent">
      <input type="hidden" name="state" value="a&amp;b&quot;" />
      <input name="email" value=ann type=radio checked><input name="email" value="ben" type="radio">
      <input type='checkbox' name='granted' value='one' checked='checked'><input type="checkbox" name="granted" value="two">
      <input type="submit" name="go" value="Go"><button name="action" value="allow">Allow</button>
    </form>`),
  );
  expect(form?.method).toBe('POST');
  expect(form?.action).toBe('http://localhost:1/o/auth/consent');
  expect([...(form?.fields ?? [])]).toEqual([
    ['state', 'a&b"'],
    ['email', 'ann'],
    ['granted', 'one'],
  ]);
});

test('a form without action or method goes to the page itself by GET', () => {
  expect(formsOf(page('<form><input name="q"></form>'))).toMatchObject([
    { method: 'GET', action: 'http://localhost:1/o/auth?x=1' },
  ]);
});

test('an excerpt has the words of a page without its style sheet', () => {
  const sorry = page('<title>Sorry</title><style>body { color: red }</style><p>Try   again.</p>');
  expect(excerpt(sorry).trim()).toBe('Sorry Try again.');
});
