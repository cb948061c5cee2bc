import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const page = readFileSync(new URL('../../../functions/OPERATING.md', import.meta.url), 'utf8');
const [, sql = ''] = /### After the loss of TOKEN_KEYS[\s\S]*?```sql\n([\s\S]*?)```/.exec(page) ?? [];

test('after the loss of TOKEN_KEYS the statement of functions/OPERATING.md asks people to consent again, and then they can be found', async () => {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const [ada, bob] = [await connectedPerson(platform), await connectedPerson(platform)];
  const search = () => platform.api.availability({ attendees: [ada.email, bob.email] });
  expect((await search()).status).toBe(200);

  // What another key sealed begins with that key's id.
  await world.neon.query(`update calendar_accounts set
    refresh_token = 'lost.' || split_part(refresh_token, '.', 2) || '.' || split_part(refresh_token, '.', 3),
    access_token = 'lost.' || split_part(access_token, '.', 2) || '.' || split_part(access_token, '.', 3),
    calendars = 'lost.' || split_part(calendars, '.', 2) || '.' || split_part(calendars, '.', 3)`);
  expect(
    (await platform.api.send('POST', '/v1/availability?fresh=true', { attendees: [ada.email, bob.email] })).status,
  ).toBe(500);

  const statements = sql
    .split(';')
    .map((one) => one.trim())
    .filter((one) => !['', 'begin', 'commit'].includes(one));
  expect(statements).toHaveLength(3);
  for (const statement of statements) await world.neon.query(statement);
  expect(await search()).toMatchObject({ status: 404, body: { error: { code: 'calendar_reconnect_required' } } });
  for (const { email } of [ada, bob]) await world.connectCalendar(platform, email);
  expect((await search()).status).toBe(200);
});
