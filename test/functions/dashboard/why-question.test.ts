import { describe, expect, test } from 'vitest';
import type { Page } from '../../local/browser.ts';
import {
  atDashboard,
  callsFor,
  freshDashboard,
  newBrowser,
  visit,
  withoutScript,
} from '../../support/people/dashboard.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { ask, count, errorAt, nextWeek, typedInto } from '../../support/people/why.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const platform = await freshPlatform({ plan: 'enterprise' });
const ada = await connectedPerson(platform, { name: 'ada' });
const bob = await connectedPerson(platform, { name: 'bob' });
const { browser } = await atDashboard(platform);
const typed = { first: ada.email, second: bob.email, date: nextWeek(2), time: '10:15', clock: 'first', minutes: 30 };

const isMarked = ({ html }: Page, field: string) =>
  new RegExp(`id="${field}" aria-describedby="[^"]*${field}-error" aria-invalid="true"`).test(html);

describe('the question', () => {
  test('is asked by a form that is empty at first, and may have somebody in it', async () => {
    const empty = await visit(browser, '/dashboard/why');
    expect([empty.status, typedInto(empty, 'minutes'), count(empty, /class="error"/g)]).toEqual([200, '30', 0]);
    const begun = await ask(browser, { first: ada.email });
    expect([begun.status, typedInto(begun, 'first'), count(begun, /class="error"/g)]).toEqual([200, ada.email, 0]);
  });

  test('suggests the addresses of the platform’s own people', async () => {
    const page = await visit(browser, '/dashboard/why');
    const list = /<datalist id="known">(.*?)<\/datalist>/.exec(page.html)?.[1] ?? '';
    expect(list).toBe([ada, bob].map(({ email }) => `<option value="${email}"></option>`).join(''));
    expect(count(page, /list="known"/g)).toBe(2);
    const other = await freshDashboard();
    expect((await visit(other.browser, '/dashboard/why')).html).toContain('<datalist id="known"></datalist>');
  });

  test('is for the dashboard’s session alone', async () => {
    expect((await ask(newBrowser(), typed)).status).toBe(401);
  });

  test('asks Postgres twice', async () => {
    await ask(browser, typed);
    const page = await ask(browser, typed);
    expect(page.status).toBe(200);
    // One call checks the session and reads the suggestions, and one reads the answer.
    expect(callsFor(page).filter((target) => target === 'neon')).toHaveLength(2);
  });

  test.each<[field: string, wrong: Record<string, string>, sentence: string]>([
    ['first', { first: '' }, 'Enter the email address of a connected person.'],
    ['second', { second: 'bob' }, 'Enter an email address, like ada@example.com.'],
    [
      'second',
      { second: ada.email.toUpperCase() },
      'This is the same address as for the first person. Enter the other person’s.',
    ],
    ['date', { date: '' }, 'Enter a date, or leave the time empty too.'],
    ['date', { date: '2027-02-30' }, 'Enter a date that exists, like 2027-03-15.'],
    [
      'date',
      { date: '2020-01-01' },
      'This time has passed. Tandem can explain only future times, because calendars change.',
    ],
    ['time', { time: '25:00' }, 'Enter a time, like 14:30.'],
    ['minutes', { minutes: '5' }, 'Enter a whole number of minutes, from 15 to 120.'],
    ['to', { from: nextWeek(3), to: nextWeek(2) }, 'The last date is before the first.'],
  ])('that is wrong at %s is told there, and nothing typed is lost: %j', async (field, wrong, sentence) => {
    const given: Record<string, string | number> = { ...typed, ...wrong };
    const page = await ask(browser, given);
    expect([page.status, errorAt(page, field)]).toEqual([400, sentence]);
    expect(isMarked(page, field)).toBe(true);
    for (const name of ['first', 'second', 'date', 'time', 'minutes'])
      expect(typedInto(page, name)).toBe(String(given[name]));
  });

  test('tells all that is wrong at once', async () => {
    const page = await ask(browser, { first: 'x', second: 'y', date: 'z', time: 'z', minutes: '' });
    expect(count(page, /class="error"/g)).toBe(5);
  });

  test('beyond what is read ahead is told so', async () => {
    expect(errorAt(await ask(browser, { ...typed, date: '2099-01-01' }), 'date')).toMatch(
      /^Choose a date up to \w+, \d+ \w+\. Tandem reads calendars 100 days ahead\.$/,
    );
  });

  test('takes whatever a stranger writes as text', async () => {
    const hostile = '"><script>alert(1)</script>';
    const fields = ['first', 'date', 'time', 'clock', 'which', 'minutes', 'from', 'to', 'week', 'fresh'];
    const all = Object.fromEntries(fields.map((field) => [field, hostile]));
    const page = await ask(browser, { ...all, second: '\u0000' });
    expect(page.status).toBe(400);
    expect(withoutScript(page)).not.toContain('<script');
    const optional = { week: hostile, which: hostile, clock: hostile, fresh: hostile };
    expect((await ask(browser, { ...typed, ...optional })).status).toBe(200);
  });
});

describe('somebody', () => {
  test('who is not connected is told at their field', async () => {
    const eve = freshPerson({ name: 'eve' });
    const page = await ask(browser, { ...typed, second: eve.email });
    expect([page.status, errorAt(page, 'second')]).toEqual([
      404,
      `${eve.email} has no calendar connected to this platform. Send them the link from GET /v1/platform/oauth-url.`,
    ]);
    expect([typedInto(page, 'first'), typedInto(page, 'second')]).toEqual([ada.email, eve.email]);
    expect(errorAt(page, 'first')).toBeUndefined();
  });

  test('whose calendar cannot be read is told at their field, and not taken for free', async () => {
    await world.advance(2_000);
    const reading = { target: 'google', match: 'POST /calendar/v3/freeBusy', body_match: bob.email } as const;
    world.faults.add({ ...reading, mode: 'status', status: 500 });
    const page = await ask(browser, { ...typed, fresh: 'yes' });
    expect(page.status).toBe(500);
    expect(errorAt(page, 'second')).toMatch(
      new RegExp(
        `^The calendar of ${bob.email} could not be reached\\. Try again in a minute\\. The request ID is [\\w-]+\\.$`,
      ),
    );
    expect([typedInto(page, 'first'), count(page, /role="img"/g)]).toEqual([ada.email, 0]);
  });

  test('whose grant has ended is told at their field', async () => {
    const zoe = await connectedPerson(platform, { name: 'zoe' });
    world.google.revoke(zoe.email);
    await world.advance(2 * 3_600_000);
    const page = await ask(browser, { ...typed, first: zoe.email });
    expect([page.status, errorAt(page, 'first')]).toEqual([
      404,
      `${zoe.email} must connect their calendar again, because access to it was revoked or has expired. Send them the link from GET /v1/platform/oauth-url.`,
    ]);
  });
});
