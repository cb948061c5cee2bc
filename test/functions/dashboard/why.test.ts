import { describe, expect, test } from 'vitest';
import type { Page } from '../../local/browser.ts';
import { atDashboard, freshDashboard, newBrowser, visit } from '../../support/people/dashboard.ts';
import { connectedPerson, connectTo, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import {
  ask,
  beforeClockChange,
  count,
  errorAt,
  nextWeek,
  personWith,
  typedInto,
  wordsOf,
} from '../../support/people/why.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const platform = await freshPlatform({ plan: 'enterprise' });
const wednesday = nextWeek(2);
const at = (time: string, date = wednesday) => `${date}T${time}:00Z`;
const ada = await personWith(platform, {
  name: 'ada',
  busy: [[at('10:00'), at('11:00')]],
  preferences: {
    buffer_minutes: 15,
    focus_blocks: [{ day: 'wednesday', start: '14:00', end: '16:00', reason: 'a secret plan' }],
  },
});
const bob = await connectedPerson(platform, { name: 'bob' });
const { browser } = await atDashboard(platform);
const typed = { first: ada.email, second: bob.email, date: wednesday, time: '10:15', clock: 'first', minutes: 30 };

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

describe('the answer', () => {
  test('says what stands against the time in the sentences of explain, each with its letter at its place', async () => {
    const page = await ask(browser, typed);
    const { body } = await platform.api.send('POST', '/v1/availability/explain', {
      attendees: [ada.email, bob.email],
      start_time: at('10:15'),
    });
    const { against } = body as { against: { detail: string }[] };
    expect(against).toHaveLength(1);
    for (const { detail } of against) expect(wordsOf(page)).toContain(detail);
    expect(wordsOf(page)).toContain(`Not free`);
    expect(page.html).toMatch(/<rect class="against"[^>]*><\/rect><text class="against-text"[^>]*>A<\/text>/);
    expect(count(page, /class="span asked"/g)).toBe(2);
  });

  test('shows the five slots of a search, in its order', async () => {
    const page = await ask(browser, typed);
    const { body } = await platform.api.availability({ attendees: [ada.email, bob.email] });
    const { slots } = body as { slots: { reason: string }[] };
    expect(slots).toHaveLength(5);
    for (const { reason } of slots) expect(wordsOf(page)).toContain(reason.replaceAll("'", '’'));
    expect(count(page, /<li><b aria-hidden="true">\d<\/b>/g)).toBe(5);
  });

  test('says of a free time how it ranks', async () => {
    const page = await ask(browser, { ...typed, time: '13:00' });
    expect(wordsOf(page)).toMatch(/Free, but not offered .* Both are free then(?:[.:]|, but )/);
    expect(page.html).not.toContain('class="against"');
  });

  test('says of a kind of meeting whether the time leaves its notice', async () => {
    const soon = await ask(browser, { ...typed, context: 'client_demo' });
    expect(wordsOf(soon)).toContain('For a demo, Tandem looks for times with a day’s notice. This time');
    expect(soon.html).toContain('<option value="client_demo" selected');
    const unknown = await ask(browser, { ...typed, context: 'lunch' });
    expect([unknown.status, wordsOf(unknown).includes('Automatic scheduling')]).toEqual([200, false]);
  });

  test('holds no text of a calendar, no id, and of meetings only which are the platform’s own', async () => {
    const other = await freshPlatform();
    for (const person of [ada, bob]) await connectTo(other, person);
    const body = { attendees: [ada.email, bob.email], duration_minutes: 30, title: 'A secret title' };
    await platform.api.schedule({ ...body, start_time: at('12:00') });
    await other.api.schedule({ ...body, start_time: at('09:00') });
    // A read of the last second would still serve.
    await world.advance(2_000);
    const own = await ask(browser, { ...typed, fresh: 'yes' });
    expect(own.html).not.toMatch(/secret|meet_|evt_|user_[0-9a-f]/);
    const row = /<tr><th scope="row">Wednesday[^<]*<\/th>(.*?)<\/tr>/.exec(own.html)?.[1];
    expect(row).toMatch(
      /^<td data-label="Ada[^"]*">Work hours 8:00–18:00\. Focus time 14:00–16:00\. Busy 9:00–9:30, 10:00–11:00\. Tandem meeting 12:00–12:30\./,
    );
    const theirs = await ask((await atDashboard(other)).browser, { ...typed, fresh: 'yes' });
    expect(theirs.html).toContain('Busy 10:00–11:00, 12:00–12:30. Tandem meeting 9:00–9:30.');
  });

  test('draws what a proposal holds as held for its own platform, and as busy for another', async () => {
    const pair = await Promise.all([connectedPerson(platform, { name: 'una' }), connectedPerson(platform)]);
    const attendees = pair.map(({ email }) => email);
    const offered = { attendees, duration_minutes: 30, title: 'Held', times: [at('13:00')] };
    expect((await platform.api.send('POST', '/v1/proposals', offered)).status).toBe(201);
    const other = await freshPlatform();
    for (const person of pair) await connectTo(other, person);
    const asked = { ...typed, first: attendees[0] ?? '', second: attendees[1] ?? '', time: '13:00' };
    const own = await ask(browser, asked);
    expect(own.html).toContain('Work hours 8:00–18:00. Held by a proposal 13:00–13:30.');
    expect(own.html).toMatch(/<ul class="legend">.*Held by a proposal.*?<\/ul>/);
    expect(wordsOf(own)).toContain('is held for a proposal.');
    const theirs = await ask((await atDashboard(other)).browser, asked);
    expect(theirs.html).toContain('Work hours 8:00–18:00. Busy 13:00–13:30.');
    expect(theirs.html).not.toMatch(/held (?:by|for)/i);
  });

  test('steps back to the present week, and leads from there to the week of the time', async () => {
    const asked = { ...typed, date: nextWeek(2) };
    expect((await ask(browser, asked)).html).toContain('>Previous week</a>');
    const today = new Date(world.clock.now()).toISOString().slice(0, 10);
    const first = await ask(browser, { ...asked, week: today, from: nextWeek(), to: nextWeek(6) });
    expect(first.html).not.toContain('Previous week');
    expect(first.html).toContain('Show its week');
  });

  test('leads from a time that is not searched to a search of its week', async () => {
    const date = nextWeek(23);
    const page = await ask(browser, { ...typed, date, time: '12:00' });
    expect(wordsOf(page)).toContain('The search covers');
    const link = /href="([^"]*)">Search the week of this time</.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
    const searched = await visit(browser, link ?? '');
    expect([typedInto(searched, 'from'), typedInto(searched, 'to')]).toEqual([nextWeek(21), nextWeek(27)]);
    expect(wordsOf(searched)).toMatch(/Free, (?:and|but not) offered/);
  });

  test('says why a search has nothing, also without a date and a time', async () => {
    const busy: [string, string][] = [[at('00:00', nextWeek(-7)), at('00:00', nextWeek(21))]];
    const full = await connectedPerson(platform, { name: 'max', busy });
    const page = await ask(browser, { ...typed, first: full.email });
    expect(wordsOf(page)).toMatch(/No times \S+ busy times leave no half hour free for both/);
    expect(count(page, /class="pick"/g)).toBe(0);
    const week = await ask(browser, { first: full.email, second: bob.email });
    expect(wordsOf(week)).toMatch(/A search finds no time \S+ busy times leave no half hour free for both/);
    expect(wordsOf(week)).not.toContain('What a search offers');
  });

  test('without a date and a time shows this week, and how many times a search offers', async () => {
    const { date: _, time: __, ...people } = typed;
    // On a weekend the page shows the week that follows.
    const isWeekend = [0, 6].includes(new Date(world.clock.now()).getUTCDay());
    for (const page of [await ask(browser, people), await ask(browser, { ...typed, date: '', time: '' })]) {
      expect(page.status).toBe(200);
      expect(wordsOf(page)).toContain('A search offers 5 times');
      expect(count(page, /class="span asked"/g)).toBe(0);
      expect(count(page, /<li><b aria-hidden="true">\d<\/b>/g)).toBe(5);
      expect(page.html.includes('>Previous week</a>')).toBe(isWeekend);
      expect(page.html).toContain('>Next week</a>');
    }
    expect(wordsOf(await ask(browser, { ...typed, time: '' }))).toMatch(/The week of Monday, .* Wednesday/);
  });
});

describe('on the days when the clocks change', () => {
  const overseas = async () => {
    const { platform, browser } = await freshDashboard();
    const nora = await connectedPerson(platform, { name: 'nora', timezone: 'America/New_York' });
    const ben = await connectedPerson(platform, { name: 'ben', timezone: 'Europe/London' });
    return { browser, nora, ben };
  };

  test('a time that no clock shows is told at its field, with the week drawn', async () => {
    const sunday = await beforeClockChange('forward');
    const { browser, nora, ben } = await overseas();
    const asked = { first: ben.email, second: nora.email, date: sunday, time: '02:30', minutes: 30 };
    const page = await ask(browser, { ...asked, clock: 'second' });
    expect(page.status).toBe(400);
    expect(errorAt(page, 'time')).toMatch(
      /^2:30 does not exist on Sunday, \d+ March in New York, where the second person is, because the clocks go forward\. Choose another time\.$/,
    );
    expect(wordsOf(page)).toContain('In New York the clocks go forward: after 1:59 comes 3:00.');
    expect(count(page, /class="span asked"/g)).toBe(0);
    expect((await ask(browser, { ...asked, clock: 'first' })).status).toBe(200);
  });

  test('a time that comes twice is asked about, and both are told apart', async () => {
    const sunday = await beforeClockChange('back');
    const { browser, nora, ben } = await overseas();
    const twice = { first: nora.email, second: ben.email, date: sunday, time: '01:30', clock: 'first', minutes: 30 };
    const first = await ask(browser, twice);
    expect(first.status).toBe(200);
    expect(wordsOf(first)).toContain(
      '1:30 happens twice that day, because the clocks go back. Which one do you mean? The first (UTC-04:00) The second (UTC-05:00)',
    );
    expect(wordsOf(first)).toContain(`5:30–6:00 for ${ben.email}`);
    const second = await ask(browser, { ...twice, which: 'second' });
    expect(wordsOf(second)).toContain(`6:30–7:00 for ${ben.email}`);
    expect(second.html).toMatch(/name="which" value="second" checked/);
  });
});
