import { describe, expect, test } from 'vitest';
import { FOREIGN, formIn, HOSTILE, readAfter, send, sendTwice, withFields } from '../../support/checks/forms.ts';
import { visit } from '../../support/people/dashboard.ts';
import { connectedPerson } from '../../support/people/factories.ts';
import { adaWithTwo } from '../../support/people/signing-in.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const SAVED = 'Your week: SavedPlatforms now look for times within the week below.';
const CANCELLED = 'Your meetings: The meeting is cancelled, and gone from both calendars.';

/**
 * Forms of a person's own pages: the path each posts to, the page it is on, the statuses of its two answers when it is
 * sent twice at once, and what a person reads who sends it again after that.
 */
const FORMS = [
  ['/me/disconnect', '/me/disconnect?platform_id=', [303, 303], 'Your page'],
  ['/me/calendars', '/me', [303, 303], 'Your page: Saved'],
  ['/me/api-key', '/me', [200, 200], 'Your new API key'],
  ['/me/api-key/revoke', '/me', [303, 303], 'Your page'],
  ['/me/preferences', '/me/preferences', [303, 303], SAVED],
  ['/me/learning/undo', '/me/learning', [303, 303], 'What Tandem learned'],
  ['/me/rules/remove', '/me/learning', [303, 303], 'What Tandem learned'],
  ['/me/learning/reset', '/me/learning', [303, 303], 'What Tandem learned'],
  ['/me/delete', '/me/delete', [200, 200], 'Your account is deleted'],
  ['/me/meetings/cancel', '/me/meetings', [303, 303], CANCELLED],
  ['/me/meetings/propose', '/me/meetings', [400, 400], 'Your meetings'],
  ['/me/sign-out', '/me', [200, 200], 'Sign in'],
  ['/me/sign-out-everywhere', '/me', [200, 200], 'Sign in'],
] as const;

/** Opens the page with the form as Ada. A path that ends with `platform_id=` gets the id of one of her platforms. */
async function withForm(path: string, page: string) {
  const ada = await adaWithTwo();
  await ada.teach();
  const { browser } = await world.signIn(ada.email);
  const address = page.replace(/platform_id=$/, `$&${ada.platform.id}`);
  return { ...ada, form: formIn(browser, await visit(browser, address), path) };
}

/** Reads everything stored about a person, except the time of the export. */
async function heldOf({ own }: Pick<Awaited<ReturnType<typeof adaWithTwo>>, 'own'>) {
  const { exported_at: _, ...held } = (await own.send('GET', '/v1/user/export')).body as Record<string, unknown>;
  expect(held.email).toBeDefined();
  return held;
}

describe.each(FORMS)('%s', (path, page, statuses, words) => {
  test('sent twice at once does what it does once, and sent again says what is true', async () => {
    const { form } = await withForm(path, page);
    const answers = await sendTwice(form);
    const seen = answers.map(({ status }) => status).sort();
    // Of two sign-outs, one may find that the other has ended the session.
    expect(seen).toEqual(path.startsWith('/me/sign-out') && seen.includes(401) ? [200, 401] : statuses);
    expect(await readAfter(form, await send(form))).toBe(words);
  });

  test('does nothing from another site, for another session, without one, or after it', async () => {
    const { form, platform, own } = await withForm(path, page);
    const before = await heldOf({ own });
    for (const [name, sender] of FOREIGN) expect([name, (await send(form, sender)).status]).toEqual([name, 403]);
    const bob = await connectedPerson(platform, { name: 'bob' });
    const others = await world.signIn(bob.email);
    const { csrf } = Object.fromEntries(formIn(others.browser, others.page, '/me/sign-out').fields);
    for (const other of [csrf ?? '', '', 'x']) {
      const answer = await send(withFields(form, { csrf: other }));
      expect([answer.status, answer.html.includes('<h1>Nothing was changed</h1>')]).toEqual([403, true]);
    }
    expect((await send(form, { withoutCookie: true })).status).toBe(401);
    await world.advance(3_601_000);
    expect((await send(form)).status).toBe(401);
    expect(await heldOf({ own })).toEqual(before);
  });
});

describe('hostile text', () => {
  test.each([
    ['/me/disconnect', '/me/disconnect?platform_id=', 'platform_id', [303]],
    ['/me/calendars', '/me', 'blocks', [400]],
    ['/me/learning/undo', '/me/learning', 'id', [404]],
    ['/me/preferences', '/me/preferences', 'version', [409]],
  ] as const)('sent to %s changes nothing', async (path, page, field, statuses) => {
    const { form, own } = await withForm(path, page);
    const before = await heldOf({ own });
    for (const text of HOSTILE) {
      const answer = await send(withFields(form, { [field]: text }));
      expect(statuses).toContain(answer.status);
      expect(answer.html).not.toMatch(/<script|<img/);
    }
    expect(await heldOf({ own })).toEqual(before);
  });

  test('in a field of the week is refused', async () => {
    const { form, own } = await withForm('/me/preferences', '/me/preferences');
    const before = await heldOf({ own });
    const checked = ['timezone', 'focus-0-day', ...form.fields.map(([name]) => name)].filter(
      (name) => !['csrf', 'version'].includes(name) && !/-on$|reason|context/.test(name),
    );
    for (const name of [...new Set(checked)])
      for (const text of HOSTILE) {
        const answer = await send(withFields(form, { 'focus-0-day': 'monday', [name]: text }));
        expect([name, text.slice(0, 40), answer.status]).toEqual([name, text.slice(0, 40), 400]);
        expect(answer.html).not.toMatch(/<script|<img/);
      }
    expect(await heldOf({ own })).toEqual(before);
  });
});
