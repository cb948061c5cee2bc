import { expect } from 'vitest';
import { grantOf, listed, NO_GRANT, writtenEvents } from './calendars.ts';
import type { TestPlatform } from './factories.ts';

const DISCONNECTED = 'user.calendar.disconnected';

/**
 * Checks `late`, which connected while `platform` disconnected the person: it can still read the calendar, or it was
 * told of the disconnection.
 */
export async function expectToldOrConnected(platform: TestPlatform, late: TestPlatform, email: string): Promise<void> {
  const connected = await writtenEvents(late, 'user.calendar.connected');
  const told = await writtenEvents(late, DISCONNECTED);
  expect((await listed(late)).count).toBe(connected - told);
  const grant = await grantOf(email);
  if (connected === told) expect(grant).toEqual(NO_GRANT);
  else {
    expect(grant).toMatchObject({ status: 'connected', refresh: true, revocations: 0 });
    expect((await late.api.send('GET', `/v1/users/${encodeURIComponent(email)}/availability`)).status).toBe(200);
  }
  expect((await listed(platform)).count).toBe(0);
  expect(await writtenEvents(platform, DISCONNECTED)).toBe(1);
}
