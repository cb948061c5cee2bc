import { describe, expect, test } from 'vitest';
import { connectedTwice, grantOf, listed, writtenEvents } from '../../support/people/calendars.ts';
import { atDashboard, suspend, visit } from '../../support/people/dashboard.ts';
import { openInvitation } from '../../support/people/guests.ts';
import { hold, met } from '../../support/worlds/held.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const DISCONNECTED = 'user.calendar.disconnected';

describe('a caller whose access ends meanwhile', () => {
  type At = Awaited<ReturnType<typeof connectedTwice>>;
  const replace =
    (body?: object) =>
    ({ platform }: Pick<At, 'platform'>) =>
      platform.api.send('POST', '/v1/platform/regenerate-key', body);
  const KEY_ENDS = [
    ['its key is replaced', replace()],
    ['its key is replaced and kept', replace({ keep_old_for_hours: 72 })],
    ['it is suspended', ({ platform }: Pick<At, 'platform'>) => suspend(platform)],
  ] as const;
  const ENDING = 'insert into revocations';

  async function meanwhile<T>(match: string, act: () => Promise<T>, end: () => Promise<unknown>): Promise<T> {
    const held = hold({ target: 'neon', body_match: match, times: 1 });
    const acting = act();
    await met(held);
    await end();
    held.release();
    return acting;
  }

  const expectConnected = async ({ ada, platform }: At) => {
    expect(await grantOf(ada.email)).toMatchObject({ status: 'connected', revocations: 0 });
    expect(await writtenEvents(platform, DISCONNECTED)).toBe(0);
  };

  test.each(KEY_ENDS)('a platform disconnects nobody if %s', async (_how, end) => {
    const at = await connectedTwice();
    const answer = await meanwhile(
      ENDING,
      () => at.platform.api.disconnect(at.ada.email),
      () => end(at),
    );
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    await expectConnected(at);
  });

  test.each(KEY_ENDS)('a platform erases no guest if %s', async (_how, end) => {
    const at = await openInvitation();
    const path = `/v1/users/${encodeURIComponent(at.guest)}`;
    const answer = await meanwhile(
      'person.erased',
      () => at.platform.api.send('DELETE', path),
      () => end(at),
    );
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    const guests = await world.neon.query('select 1 from users where guest_email = $1', [at.guest]);
    expect(guests).toHaveLength(1);
  });

  test.each(KEY_ENDS)('a dashboard disconnects nobody if %s', async (_how, end) => {
    const at = await connectedTwice();
    const { browser } = await atDashboard(at.platform);
    const page = await visit(browser, `/dashboard/people/disconnect?user_email=${encodeURIComponent(at.ada.email)}`);
    const { status } = await meanwhile(
      ENDING,
      () => browser.submit(page, '/people/disconnect'),
      () => end(at),
    );
    expect(status).toBe(401);
    await expectConnected(at);
  });

  test.each([
    ['disconnects no platform', '/me/disconnect'],
    ['deletes nothing', '/me/delete'],
  ])('a person who signs out everywhere %s', async (_what, path) => {
    const at = await connectedTwice();
    const { browser } = await world.signIn(at.ada.email);
    const page = await visit(browser, `${path}?platform_id=${at.platform.id}`);
    const mine = await visit(browser, '/me');
    const { status } = await meanwhile(
      ENDING,
      () => browser.submit(page, path),
      () => browser.submit(mine, '/me/sign-out-everywhere'),
    );
    expect(status).toBe(401);
    await expectConnected(at);
    expect((await listed(at.platform)).count).toBe(1);
  });
});
