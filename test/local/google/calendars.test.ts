import { afterAll, describe, expect, test } from 'vitest';
import { openGoogleWorld, refusal, SCOPES } from './world.ts';

const world = await openGoogleWorld();
afterAll(() => world.close());
const email = 'ana@example.com';
const ALL = [...SCOPES, 'https://www.googleapis.com/auth/calendar.readonly'];

world.google.addUser({ email, timezone: 'Asia/Kolkata' });

test('the settings, the list and the calendar name the zone', async () => {
  const { api } = await world.connect(email, ALL);
  expect((await api.settings.get({ setting: 'timezone' })).data.value).toBe('Asia/Kolkata');
  expect((await api.calendarList.list()).data.items).toMatchObject([{ id: email, primary: true, accessRole: 'owner' }]);
  expect((await api.calendars.get({ calendarId: 'primary' })).data).toMatchObject({
    id: email,
    timeZone: 'Asia/Kolkata',
  });
});

test('a foreign calendar is not found', async () => {
  const { api } = await world.connect(email, ALL);
  expect(await refusal(api.calendars.get({ calendarId: 'ben@example.com' }))).toMatchObject({ status: 404 });
});

test('each call wants its own scope', async () => {
  world.google.revoke(email);
  const { api } = await world.connect(email, ['openid', 'email']);
  const denied = { status: 403, reason: 'insufficientPermissions' };
  expect(await refusal(api.settings.get({ setting: 'timezone' }))).toMatchObject(denied);
  expect(await refusal(api.calendarList.list())).toMatchObject(denied);
  expect(await refusal(api.events.list({ calendarId: 'primary' }))).toMatchObject(denied);
  expect(await refusal(api.events.delete({ calendarId: 'primary', eventId: 'abcde' }))).toMatchObject(denied);
  const asked = { timeMin: '2026-03-10T00:00:00Z', timeMax: '2026-03-11T00:00:00Z', items: [{ id: 'primary' }] };
  expect(await refusal(api.freebusy.query({ requestBody: asked }))).toMatchObject(denied);
});

describe('several calendars of one person', () => {
  const hour = { start: { dateTime: '2026-03-10T10:00:00Z' }, end: { dateTime: '2026-03-10T11:00:00Z' } };
  const window = { timeMin: '2026-03-10T00:00:00Z', timeMax: '2026-03-11T00:00:00Z' };

  test('are listed with what their reader may do, and only the own one is primary', async () => {
    const [ana, ben] = [await world.join('Europe/Lisbon', ALL), await world.join('Asia/Tokyo', ALL)];
    const team = world.google.addCalendar({ owner: ana.email, summary: 'Team' });
    const tokyo = world.google.addCalendar({ owner: ben.email, summary: 'Tokyo' });
    world.google.share({ calendar: tokyo, reader: ana.email, role: 'reader', isListed: true });
    world.google.share({ calendar: ben.email, reader: ana.email });
    const { data } = await ana.api.calendarList.list();
    const shown = data.items?.map(({ id, timeZone, accessRole, primary }) => [id, timeZone, accessRole, primary]);
    expect(shown).toEqual([
      [ana.email, 'Europe/Lisbon', 'owner', true],
      [team, 'Europe/Lisbon', 'owner', undefined],
      [tokyo, 'Asia/Tokyo', 'reader', undefined],
    ]);
    const owned = await ana.api.calendarList.list({ minAccessRole: 'owner', maxResults: 1 });
    expect(owned.data.items?.map(({ id }) => id)).toEqual([ana.email]);
    const rest = await ana.api.calendarList.list({ minAccessRole: 'owner', pageToken: owned.data.nextPageToken ?? '' });
    expect(rest.data.items?.map(({ summary }) => summary)).toEqual(['Team']);
    expect(rest.data.nextPageToken).toBeUndefined();
    world.google.unshare({ calendar: tokyo, reader: ana.email });
    expect((await ana.api.calendarList.list()).data.items).toHaveLength(2);
  });

  test('are listed under the name their reader gave them, hidden and deleted ones for who asks', async () => {
    const ana = await world.join('UTC', ALL);
    const [team, old, gone] = ['Team', 'Old', 'Gone'].map((summary) =>
      world.google.addCalendar({ owner: ana.email, summary }),
    ) as [string, string, string];
    world.google.relist({ calendar: team, reader: ana.email, name: 'Mine' });
    world.google.relist({ calendar: old, reader: ana.email, isHidden: true });
    world.google.removeCalendar(gone);
    const shown = async (asked: { showHidden?: boolean; showDeleted?: boolean }) =>
      (await ana.api.calendarList.list(asked)).data.items?.map((entry) => [
        entry.summaryOverride ?? entry.summary,
        entry.hidden ?? entry.deleted ?? false,
      ]);
    const [own, mine] = [
      [ana.email, false],
      ['Mine', false],
    ];
    expect(await shown({})).toEqual([own, mine]);
    expect(await shown({ showHidden: true })).toEqual([own, mine, ['Old', true]]);
    expect(await shown({ showDeleted: true })).toEqual([own, mine, [undefined, true]]);
  });

  test('each hold their own events, made in the name of whoever made them', async () => {
    const { api, email } = await world.join('UTC', ALL);
    const team = world.google.addCalendar({ owner: email, summary: 'Team', timezone: 'Asia/Kolkata' });
    const { data } = await api.events.insert({ calendarId: team, requestBody: hour });
    expect(data).toMatchObject({
      organizer: { email: team, self: true },
      creator: { email },
      start: { dateTime: '2026-03-10T15:30:00+05:30', timeZone: 'Asia/Kolkata' },
    });
    expect((await api.events.list({ calendarId: 'primary' })).data.items).toEqual([]);
    const page = (await api.events.list({ calendarId: team })).data;
    expect([page.items?.length, page.summary, page.timeZone, page.accessRole]).toEqual([
      1,
      'Team',
      'Asia/Kolkata',
      'owner',
    ]);
  });

  test('answer for free/busy one by one, each with its own errors', async () => {
    const [ana, ben] = [await world.join('UTC', ALL), await world.join('UTC', ALL)];
    const team = world.google.addCalendar({ owner: ana.email, summary: 'Team' });
    const [broken, lost] = [1, 2].map((n) => world.google.addCalendar({ owner: ana.email, summary: `Other ${n}` }));
    world.google.addBusy({ email: ana.email, start: '2026-03-10T08:00:00Z', end: '2026-03-10T09:00:00Z' });
    await ana.api.events.insert({ calendarId: team, requestBody: hour });
    world.google.settings.calendarErrors.set(broken ?? '', 'internalError');
    world.google.settings.calendarsLeftOut.add(lost ?? '');
    const ids = ['primary', team, ben.email, broken ?? '', lost ?? ''];
    const ask = { ...window, items: ids.map((id) => ({ id })) };
    const { data } = await ana.api.freebusy.query({ requestBody: ask });
    const failed = (reason: string) => ({ busy: [], errors: [{ domain: 'global', reason }] });
    expect(data.calendars).toEqual({
      primary: { busy: [{ start: '2026-03-10T08:00:00Z', end: '2026-03-10T09:00:00Z' }] },
      [team]: { busy: [{ start: '2026-03-10T10:00:00Z', end: '2026-03-10T11:00:00Z' }] },
      [ben.email]: failed('notFound'),
      [broken ?? '']: failed('internalError'),
    });
    const two = await ana.api.freebusy.query({ requestBody: { ...ask, calendarExpansionMax: 1 } });
    expect(two.data.calendars?.[team]).toEqual(failed('tooManyCalendarsRequested'));
    world.google.removeCalendar(team);
    const gone = await ana.api.freebusy.query({ requestBody: ask });
    expect(gone.data.calendars?.[team]).toEqual(failed('notFound'));
    expect(await refusal(ana.api.events.list({ calendarId: team }))).toMatchObject({ status: 404 });
  });

  test.each([
    { role: 'freeBusyReader', summary: undefined, secret: undefined, writes: 403 },
    { role: 'reader', summary: 'Open', secret: undefined, writes: 403 },
    { role: 'writer', summary: 'Open', secret: 'Secret', writes: undefined },
  ] as const)('a $role sees and does what they may', async ({ role, summary, secret, writes }) => {
    const [owner, other] = [await world.join('UTC', ALL), await world.join('UTC', ALL)];
    world.google.share({ calendar: owner.email, reader: other.email, role });
    const times = { email: owner.email, start: hour.start.dateTime, end: hour.end.dateTime };
    const open = world.google.addEvent({ ...times, summary: 'Open' });
    const hidden = world.google.addEvent({ ...times, summary: 'Secret', visibility: 'private' });
    const { data } = await other.api.events.list({ calendarId: owner.email });
    const shown = data.items?.map((event) => [event.id, event.summary, event.start?.dateTime]);
    expect(shown).toEqual([
      [open, summary, '2026-03-10T10:00:00Z'],
      [hidden, secret, '2026-03-10T10:00:00Z'],
    ]);
    const insert = other.api.events.insert({ calendarId: owner.email, requestBody: hour });
    const refused = writes && 'requiredAccessLevel';
    expect(await refusal(insert)).toMatchObject({ status: writes, reason: refused });
    const busy = await other.api.freebusy.query({ requestBody: { ...window, items: [{ id: owner.email }] } });
    expect(Object.keys(busy.data.calendars?.[owner.email] ?? {})).toEqual(['busy']);
    expect(busy.data.calendars?.[owner.email]?.busy).toHaveLength(1);
  });
});
