import { afterAll, describe, expect, test } from 'vitest';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { CalendarError } from '../../../lib/kit/calendar-ports.ts';
import { openCases, type Person } from '../../support/checks/calendar-cases.ts';

// A person's busy times are the free/busy of all chosen calendars together, both live and in the snapshot.
const cases = await openCases();
afterAll(() => cases.lab.close());

const [MAIN, TEAM] = ['main', 'Team'];

/**
 * Adds a person with a second calendar of their own and an hour in each. Both calendars are read, and nothing is due.
 */
async function twoCalendars() {
  const { lab, person, day, rest } = cases;
  const ada = await person('Europe/Berlin', [TEAM]);
  const [main = '', team = ''] = ada.calendars;
  lab.google.addEvent({ email: ada.email, ...day(9, '09:00', '10:00') });
  lab.google.addEvent({ email: ada.email, calendar: team, ...day(9, '09:30', '11:00') });
  await rest();
  return { ada, main, team };
}

/** Checks that the live busy times and the snapshot both show exactly these calendars. */
async function blocks(person: Person, ...calendars: string[]) {
  const { lab } = cases;
  const truth = lab.truth(...calendars);
  expect(await lab.live(person.email)).toEqual(truth);
  expect((await lab.served(person.email))?.busy ?? truth).toEqual(truth);
  await lab.ask(person.email);
  await cases.rest();
  expect((await lab.served(person.email))?.busy).toEqual(truth);
}

const watched = (person: Person) =>
  cases.lab.google
    .channels()
    .map(({ calendarId }) => calendarId)
    .filter((id) => person.calendars.includes(id))
    .sort();

describe('which calendars block', () => {
  test('the main one and those one owns, together, and each is watched', async () => {
    const { ada, main, team } = await twoCalendars();
    const { busy } = await cases.agree(ada);
    expect(busy).toHaveLength(1);
    await blocks(ada, main, team);
    expect(watched(ada)).toEqual([main, team].sort());
  });

  test('a change in any of them is pushed', async () => {
    const { lab, day } = cases;
    const { ada, team } = await twoCalendars();
    lab.google.takePushes();
    lab.advance(11_000);
    lab.google.addEvent({ email: ada.email, calendar: team, ...day(12, '09:00', '10:00') });
    const pushes = lab.google.takePushes();
    expect(pushes).toHaveLength(1);
    for (const push of pushes) await lab.deliver(push);
    expect(await lab.served(ada.email)).toBeUndefined();
    await cases.hear();
    await cases.agree(ada);
  });

  test('one of which Google tells no change is served for a minute at most, and its channel asked for once a day', async () => {
    const { lab } = cases;
    const ada = await cases.person('UTC', ['Holidays']);
    const [, holidays = ''] = ada.calendars;
    let asked = 0;
    for (let minutes = 0; minutes < 120; minutes++) {
      await lab.tick((call, phase) => {
        if (phase === 'before' || !call.path.endsWith(`/${encodeURIComponent(holidays)}/events/watch`))
          return undefined;
        asked += 1;
        return new Response('{"error":{"errors":[{"reason":"pushNotSupportedForRequestedResource"}]}}', {
          status: 400,
        });
      });
      await cases.honest(ada, 60_000);
      lab.advance(60_000);
    }
    expect(asked).toBe(1);
  });

  test('another’s, once it is ticked, and not an own one that is unticked: at once, whatever was read before', async () => {
    const { lab, day } = cases;
    const { ada, main } = await twoCalendars();
    const bob = await cases.person('Europe/London');
    lab.google.share({ calendar: bob.email, reader: ada.email, isListed: true });
    lab.google.addEvent({ email: bob.email, ...day(9, '14:00', '15:00') });
    expect(await lab.choose(ada.email, [MAIN, bob.email])).toBe('saved');
    await blocks(ada, main, bob.email);
    expect(await lab.choose(ada.email, [bob.email])).toBe('saved');
    await blocks(ada, bob.email);
    expect(watched(ada)).toEqual([]);
  });

  test('saved before the read it races with has ended, it is what holds', async () => {
    const { lab } = cases;
    const { ada, main } = await twoCalendars();
    lab.advance(7 * 60_000);
    await cases.askForAll();
    await lab.tick(cases.during('/freeBusy', 'after', () => lab.choose(ada.email, [MAIN])));
    expect((await lab.served(ada.email))?.busy ?? lab.truth(main)).toEqual(lab.truth(main));
    await blocks(ada, main);
  });

  test('one that is made later blocks when its owner opens the page, or within a day', async () => {
    const { lab, day } = cases;
    const { ada, main, team } = await twoCalendars();
    const add = (summary: string) => {
      const calendar = lab.google.addCalendar({ owner: ada.email, summary });
      lab.google.addEvent({ email: ada.email, calendar, ...day(15, '09:00', '10:00') });
      return calendar;
    };
    const first = add('First');
    await lab.page(ada.email);
    await blocks(ada, main, team, first);
    const second = add('Second');
    lab.advance(DAY);
    await blocks({ ...ada }, main, team, first, second);
  });
});

describe('a calendar that says nothing is not free, nor does it make its reader unbookable for ever', () => {
  test.each<[string, (team: string, ada: Person) => void]>([
    ['was deleted', (team) => cases.lab.google.removeCalendar(team)],
    [
      'is shared no more',
      (_team, ada) => cases.lab.google.unshare({ calendar: `bob-${ada.email}`, reader: ada.email }),
    ],
  ])('one that %s blocks no more, and the page says so until it is saved', async (what, lose) => {
    const { lab } = cases;
    const { ada, main, team } = await twoCalendars();
    const bob = await lab.join(`bob-${ada.email}`);
    lab.google.share({ calendar: bob.email, reader: ada.email, isListed: true });
    await lab.choose(ada.email, [MAIN, TEAM, bob.email]);
    await blocks(ada, main, team, bob.email);
    lose(team, ada);
    const left = what === 'was deleted' ? [main, bob.email] : [main, team];
    expect(await lab.live(ada.email)).toEqual(lab.truth(...left));
    await blocks(ada, ...left);
    expect(await lab.page(ada.email)).toMatchObject({ kind: 'listed', gone: 1 });
    expect(await lab.choose(ada.email, [MAIN, TEAM, bob.email])).toBe('saved');
    expect(await lab.page(ada.email)).toMatchObject({ kind: 'listed', gone: 0 });
  });

  test('one whose times are never told, as of birthdays, is dropped and told; it is asked again when it is saved', async () => {
    const { lab } = cases;
    const { ada, main, team } = await twoCalendars();
    lab.google.settings.calendarErrors.set(team, 'notFound');
    expect(await lab.live(ada.email)).toEqual(lab.truth(main));
    await blocks(ada, main);
    const rows = async () => {
      const page = await lab.page(ada.email);
      return page?.kind === 'listed'
        ? page.calendars.map(({ name, isTicked, isMissing }) => [name, isTicked, isMissing])
        : [];
    };
    expect(await rows()).toEqual([
      [ada.email, true, false],
      [TEAM, true, true],
    ]);
    lab.google.settings.calendarErrors.delete(team);
    expect(await lab.choose(ada.email, [MAIN, TEAM])).toBe('saved');
    await blocks(ada, main, team);
    expect(await rows()).toContainEqual([TEAM, true, false]);
  });

  test.each([
    ['fails', (team: string) => cases.lab.google.settings.calendarErrors.set(team, 'internalError')],
    ['is left out', (team: string) => cases.lab.google.settings.calendarsLeftOut.add(team)],
  ])(
    'one that is still there and %s is unknown: live nothing is answered, the snapshot is kept and not served',
    async (_what, fail) => {
      const { lab } = cases;
      const { ada, main, team } = await twoCalendars();
      const kept = (await lab.rowOf(ada.userId))?.busy;
      fail(team);
      expect(await lab.live(ada.email)).toBeInstanceOf(CalendarError);
      lab.advance(7 * 60_000);
      await lab.tick();
      expect(await lab.served(ada.email)).toBeUndefined();
      expect((await lab.rowOf(ada.userId))?.busy).toEqual(kept);
      lab.google.settings.calendarErrors.delete(team);
      lab.google.settings.calendarsLeftOut.delete(team);
      await blocks(ada, main, team);
    },
  );

  test('while the list cannot be read either, what blocked before is asked for all the same', async () => {
    const { lab, failing } = cases;
    const { ada, main, team } = await twoCalendars();
    lab.advance(DAY);
    await lab.tick(failing('/calendar/v3/users/me/calendarList'));
    expect((await lab.served(ada.email))?.busy ?? lab.truth(main, team)).toEqual(lab.truth(main, team));
    await blocks(ada, main, team);
  });
});

describe('without the permission to see the list', () => {
  test('what was chosen holds again once it is given', async () => {
    const { lab } = cases;
    const { ada, main } = await twoCalendars();
    await lab.choose(ada.email, [MAIN]);
    lab.google.revoke(ada.email);
    await lab.connect(ada.email, { without: 'calendar.calendarlist.readonly' });
    lab.google.revoke(ada.email);
    await lab.connect(ada.email);
    await blocks(ada, main);
    expect(await lab.page(ada.email)).toMatchObject({ kind: 'listed', gone: 0 });
  });
});

test('stored data names no calendar: ids are sealed, and marks reveal nothing', async () => {
  const { lab } = cases;
  const { ada, team } = await twoCalendars();
  const rows = await lab.neon.query(
    'select a.*, w.calendar from calendar_accounts a join watch_channels w using (user_id) where a.user_id = $1',
    [ada.userId],
  );
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(team);
  expect(rows[0]?.calendars).toMatch(/^\w+\./);
});
