import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { connectedPerson, freshPlatform, type TestPlatform, webhooksOf } from './factories.ts';
import { world } from './world.ts';

/** The platform's events of one type, once `count` have arrived; as many must have been written and no more. */
export async function eventsOf(platform: TestPlatform, type: string, count = 1) {
  expect(await writtenEvents(platform, type)).toBe(count);
  return eventually(async () => {
    const events = (await webhooksOf(platform)).filter(({ body }) => body.event_type === type);
    expect(events).toHaveLength(count);
    return events;
  });
}

/** How many events of one type were written for the platform, delivered or not. */
export async function writtenEvents(platform: TestPlatform, type: string): Promise<number> {
  const [row] = await world.neon.query(
    'select count(*)::int as written from deliveries where platform_id = $1 and event_type = $2',
    [platform.id, type],
  );
  return Number(row?.written);
}

/** What is kept of a person's grant: its state, whether tokens are there, and what waits to be revoked. */
export async function grantOf(email: string) {
  const [row] = await world.neon.query(
    `select a.status, a.refresh_token is not null as refresh, a.access_token is not null as access,
      (select count(*)::int from revocations r where r.user_id = u.id) as revocations
    from calendar_accounts a join users u on u.id = a.user_id where u.email = $1`,
    [email],
  );
  return row;
}

/** An instant as events and lists write it. */
export const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

export const NO_GRANT = { status: 'disconnected', refresh: false, access: false, revocations: 0 };

/** The provider's id of a person. */
export const providerIdOf = (email: string) => world.google.users().find((user) => user.email === email)?.sub;

/** Runs the minute's tick now. */
export const tick = () => world.worker.runScheduled(world.clock.now());

/** The calls of the revoke endpoint since the traffic was cleared. */
export const revokeCalls = () => world.traffic.list().filter(({ path }) => path.startsWith('/revoke'));

interface Listed {
  connections: { user_email: string; last_used_at: string; status: string }[];
  count: number;
}

/** Ada, connected with two platforms. */
export async function connectedTwice() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const other = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada', timezone: 'Europe/London' });
  await world.connectCalendar(other, ada.email);
  return { platform, other, ada };
}

/** The platform's list of connections. */
export const listed = async ({ api }: TestPlatform) => (await api.calendars()).body as Listed;

/** Ada is connected with two platforms, Bob with the first; both are searched there. */
export async function searchable() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const other = await freshPlatform({ plan: 'enterprise' });
  const ada = await connectedPerson(platform, { name: 'ada' });
  const bob = await connectedPerson(platform, { name: 'bob' });
  for (const { email } of [ada, bob]) await world.connectCalendar(other, email);
  const search = (by: TestPlatform = platform) => by.api.availability({ attendees: [ada.email, bob.email] });
  return { platform, other, both: [platform, other], ada, bob, search };
}

export type Searchable = Awaited<ReturnType<typeof searchable>>;

/** Ada removes the app and her access token has run out by the clock. */
export async function loseGrant({ ada }: Searchable) {
  await world.advance(2 * 3_600_000);
  world.google.revoke(ada.email);
}

/** The code of a nested refusal. */
export const codeOf = (answer: { body: unknown }) => (answer.body as { error?: { code?: string } }).error?.code;
/** So many at once. */
export const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
