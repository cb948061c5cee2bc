import { describe, expect, test } from 'vitest';
import { type Browser, formsOf, type Page } from '../../local/browser.ts';
import { HOSTILE, send, sendTwice, withFields } from '../../support/checks/forms.ts';
import { visit } from '../../support/people/dashboard.ts';
import { connectedPerson, webhooksOf } from '../../support/people/factories.ts';
import { type Booked, booked, eventOf, inHours, iso, rowOf, toMonday } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const CANCEL = '/me/meetings/cancel';
const PROPOSE = '/me/meetings/propose';

const mine = (browser: Browser) => visit(browser, '/me/meetings');

function formAbout(browser: Browser, page: Page, path: string, id: string) {
  const form = formsOf(page).find(({ action, fields }) => action.endsWith(path) && fields.get('id') === id);
  if (form === undefined) throw new Error(`no form for ${path} about ${id}`);
  return {
    action: form.action,
    fields: [...form.fields] as [string, string][],
    cookie: browser.cookiesFor(form.action),
  };
}

async function listed(who: 'ada' | 'bob', start = inHours(48)) {
  const meeting = await booked({ start });
  const { browser } = await world.signIn(meeting[who].email);
  const page = await mine(browser);
  return { ...meeting, browser, page, form: (path: string) => formAbout(browser, page, path, meeting.id) };
}

const cancelled = async ({ platform, id }: Booked) =>
  (await webhooksOf(platform))
    .filter(({ body }) => body.event_type === 'meeting.cancelled')
    .map(({ body }) => body.data)
    .filter((data) => (data as { meeting_id: string }).meeting_id === id);

const offers = async ({ id }: Pick<Booked, 'id'>) =>
  world.neon.query('select status from proposals where moves_meeting_id = $1', [id]);

const doneAs = (what: string) => expect.stringContaining(`/me/meetings?done=${what}.`);

describe('the list of a person’s meetings', () => {
  test('says what, when on their clock, with whom, where, and who booked it', async () => {
    await toMonday();
    const { page, ada, link } = await listed('bob', world.clock.now() + 33 * 3_600_000);
    const text = page.html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/Intro Tuesday, \d+ \w+( \d{4})? , 1[01]:00 to 1[01]:30 With ada/);
    expect(text).toContain(`With ${ada.email} `);
    expect(text).toContain(` · ${link.replace('https://', '')} `);
    expect(text).toMatch(/Booked by Test platform on \w{3} \d+ \w{3} at the request of ada/);
    expect(text).toContain('Times are on the clock in New York.');
  });

  test('has both people’s meetings ahead of all platforms, in order, and neither cancelled nor past ones', async () => {
    const later = await booked({ start: inHours(72) });
    const { platform, ada, bob } = later;
    const sooner = await booked({ start: inHours(48), pair: later });
    const ended = await booked({ start: inHours(96), pair: later });
    await platform.api.send('DELETE', `/v1/meetings/${ended.id}`);
    const past = await booked({ start: inHours(2), pair: later });
    await world.advance(4 * 3_600_000);
    for (const { email } of [ada, bob]) {
      const { browser } = await world.signIn(email);
      const { html } = await mine(browser);
      const ids = [...html.matchAll(/<section class="card" id="(meet_\w+)"/g)].map(([, id]) => id);
      expect(ids).toEqual([sooner.id, later.id]);
      expect(html).not.toContain(past.id);
    }
  });
});

describe('a person cancels their meeting', () => {
  test.each(['ada', 'bob'] as const)(
    'as %s: once, however often the form is sent, and the platform learns it',
    async (who) => {
      const meeting = await listed(who);
      const form = meeting.form(CANCEL);
      const answers = [...(await sendTwice(form)), await send(form)];
      expect(answers.map(({ status, location }) => [status, location])).toEqual(
        Array(3).fill([303, doneAs('cancelled')]),
      );
      expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled' });
      expect(eventOf(meeting.ada, meeting.eventId)?.status ?? 'cancelled').toBe('cancelled');
      expect(await cancelled(meeting)).toEqual([
        expect.objectContaining({ cancelled_by: 'attendee', reason: 'cancelled_by_attendee' }),
      ]);
      expect((await mine(meeting.browser)).html).not.toContain(meeting.id);
    },
  );

  test('and reads that the event stays, if the organizer’s calendar was disconnected', async () => {
    const meeting = await listed('bob');
    await meeting.platform.api.disconnect(meeting.ada.email);
    const form = meeting.form(CANCEL);
    const answers = [...(await sendTwice(form)), await send(form)];
    expect(answers.map(({ status, location }) => [status, location])).toEqual(Array(3).fill([303, doneAs('kept')]));
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'cancelled' });
    expect(eventOf(meeting.ada, meeting.eventId)?.status).toBe('confirmed');
    expect((await visit(meeting.browser, answers[0]?.location ?? '')).html).toContain(
      'Its event stays in both calendars',
    );
  });

  test('but not at another time than they saw, and not once it has begun', async () => {
    const meeting = await listed('ada');
    const { platform, ada, bob, id } = meeting;
    const moved = { start_time: iso(meeting.start + 3_600_000), end_time: iso(meeting.end + 3_600_000) };
    await platform.api.send('PUT', `/v1/meetings/${id}`, { attendees: [ada.email, bob.email], ...moved });
    for (const path of [CANCEL, PROPOSE]) {
      const answer = await send(withFields(meeting.form(path), { reason: 'Later' }));
      expect([answer.status, answer.html.includes('<h1>Nothing was changed</h1>')]).toEqual([409, true]);
    }
    await world.advance(50 * 3_600_000);
    const { browser } = await world.signIn(ada.email);
    const csrf = formsOf(await mine(browser))[0]?.fields.get('csrf') ?? '';
    const late = { ...meeting.form(CANCEL), cookie: browser.cookiesFor(world.baseUrl) };
    expect((await send(withFields(late, { csrf, seen: String(meeting.start + 3_600_000) }))).status).toBe(409);
    expect(await rowOf(id)).toMatchObject({ status: 'updated' });
    expect(await offers({ id })).toEqual([]);
  });

  test('but never one of other people, whatever the form says', async () => {
    const meeting = await listed('ada');
    const eve = await connectedPerson(meeting.platform, { name: 'eve' });
    const own = await booked({ pair: { ...meeting, ada: eve }, start: inHours(96) });
    const { browser } = await world.signIn(eve.email);
    const page = await mine(browser);
    for (const path of [CANCEL, PROPOSE]) {
      const form = withFields(formAbout(browser, page, path, own.id), { reason: 'Later' });
      for (const id of [meeting.id, 'meet_none', ...HOSTILE]) {
        const answer = await send(withFields(form, { id, seen: String(meeting.start) }));
        expect([id.slice(0, 40), answer.status]).toEqual([id.slice(0, 40), 409]);
        expect(answer.html).not.toMatch(/<script|<img/);
      }
    }
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled' });
    expect(await offers(meeting)).toEqual([]);
  });
});

describe('a person asks for another time', () => {
  test.each([
    ['ada', 'Page with the times'],
    ['bob', 'Choose a time'],
  ] as const)('as %s: one offer, however often the form is sent, and the meeting stays', async (who, link) => {
    const meeting = await listed(who);
    const form = withFields(meeting.form(PROPOSE), { reason: 'Another day, in the afternoon' });
    const answers = [...(await sendTwice(form)), await send(form)];
    expect(answers.map(({ status, location }) => [status, location])).toEqual(Array(3).fill([303, doneAs('proposed')]));
    expect(await offers(meeting)).toEqual([{ status: 'open' }]);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled' });
    const { html } = await mine(meeting.browser);
    const [, url = ''] = new RegExp(`<a href="([^"]+/p/[^"]+)">${link}</a>`).exec(html) ?? [];
    expect((await fetch(url)).status).toBe(200);
    expect(html).not.toContain(`action="${PROPOSE}"`);
  });

  test('in words that name no time: the best others are offered, and the page says that none was understood', async () => {
    const meeting = await listed('ada');
    const asked = await send(withFields(meeting.form(PROPOSE), { reason: 'Purple monkeys' }));
    expect([asked.status, asked.location]).toEqual([303, doneAs('unread')]);
    const { html } = await meeting.browser.open(`${world.baseUrl}${asked.location}`);
    expect(html).toContain('We understood no day and no hour in your text.');
    expect(html).not.toContain('notice ok');
    expect(await offers(meeting)).toEqual([{ status: 'open' }]);
  });

  test('with words: an empty or endless text is shown again, and nothing is offered', async () => {
    const meeting = await listed('bob');
    const form = meeting.form(PROPOSE);
    for (const [reason, error] of [
      ['', 'Write a day or an hour that suits you'],
      ['  ', 'Write a day or an hour that suits you'],
      ['x'.repeat(1_001), 'Write at most 1,000 characters.'],
    ] as const) {
      const answer = await send(withFields(form, { reason }));
      expect([answer.status, answer.html.includes(error)]).toEqual([400, true]);
      expect(answer.html).toContain(`${reason}</textarea>`);
    }
    expect(await offers(meeting)).toEqual([]);
  });

  test('in words that are not understood: free times to choose from', async () => {
    const meeting = await listed('bob');
    const form = withFields(meeting.form(PROPOSE), { reason: 'the Friday after next' });
    const asked = await send(form);
    expect(asked.status).toBe(409);
    expect(asked.html).toContain(
      'We do not know what “the Friday after next” means. Write it another way, such as “Thursday afternoon”, or take free times below. Nothing was changed.',
    );
    expect(asked.html).toContain('the Friday after next</textarea>');
    expect(asked.html).toContain('<strong>Other free times:</strong>');
    expect(await offers(meeting)).toEqual([]);
    const page: Page = { url: form.action, ...asked };
    const chosen = formsOf(page).find(({ fields }) => fields.has('start') && fields.get('id') === meeting.id);
    const fields = [...(chosen?.fields ?? [])] as [string, string][];
    expect(fields.filter(([name]) => name === 'start')).toHaveLength(3);
    expect(asked.html).toContain('Offer these times instead');
    const taken = await send({ ...form, fields });
    expect([taken.status, taken.location]).toEqual([303, doneAs('proposed')]);
    expect(await offers(meeting)).toEqual([{ status: 'open' }]);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled' });
  });

  test('of free times that are gone meanwhile: others to choose from', async () => {
    const meeting = await listed('bob');
    const start = meeting.start + 3_600_000;
    world.google.addBusy({ email: meeting.ada.email, start: iso(start), end: iso(start + 3_600_000) });
    const answer = await send(withFields(meeting.form(PROPOSE), { start: String(start) }));
    expect(answer.status).toBe(409);
    expect(answer.html).toContain('Those times have just gone. Nothing was changed.');
    expect(answer.html).toContain('Offer these times instead');
    for (const never of [
      '0',
      'NaN',
      '1e400',
      String(world.clock.now() - 1),
      String(world.clock.now() + 500 * 86_400_000),
    ])
      expect((await send(withFields(meeting.form(PROPOSE), { start: never }))).status).toBe(409);
    expect(await offers(meeting)).toEqual([]);
  });

  test('with a wish to cancel, which names the way and moves nothing', async () => {
    const meeting = await listed('ada');
    const answer = await send(
      withFields(meeting.form(PROPOSE), { reason: 'Please cancel, I no longer need this. I can’t do Fridays' }),
    );
    expect(answer.status).toBe(409);
    expect(answer.html).toContain('To cancel the meeting, open “Cancel” below.');
    expect(answer.html).not.toMatch(/DELETE|\/v1\//);
    expect(await offers(meeting)).toEqual([]);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled' });
  });

  test('in hostile words, which stay words', async () => {
    const meeting = await listed('bob');
    for (const reason of HOSTILE) {
      const answer = await send(withFields(meeting.form(PROPOSE), { reason }));
      expect([reason.slice(0, 40), [303, 400, 409].includes(answer.status)]).toEqual([reason.slice(0, 40), true]);
      expect(answer.html).not.toMatch(/<script|<img/);
    }
    expect((await mine(meeting.browser)).html).not.toMatch(/<script|<img/);
    expect(await rowOf(meeting.id)).toMatchObject({ status: 'scheduled' });
  });

  test('not while the platform is suspended or the meeting begins in minutes; it can still be cancelled', async () => {
    const meeting = await listed('ada', inHours(1));
    await world.neon.query('update platforms set suspended_at = now() where id = $1', [meeting.platform.id]);
    const suspended = await mine(meeting.browser);
    expect([suspended.html.includes(PROPOSE), suspended.html.includes(CANCEL)]).toEqual([false, true]);
    expect((await send(withFields(meeting.form(PROPOSE), { reason: 'Later' }))).status).toBe(409);
    await world.neon.query('update platforms set suspended_at = null where id = $1', [meeting.platform.id]);
    expect((await mine(meeting.browser)).html).toContain(PROPOSE);
    await world.advance(meeting.start - world.clock.now() - 10 * 60_000);
    const { browser } = await world.signIn(meeting.ada.email);
    const soon = await mine(browser);
    expect([soon.html.includes(PROPOSE), soon.html.includes(CANCEL)]).toEqual([false, true]);
  });
});
