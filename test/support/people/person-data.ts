import { expect } from 'vitest';
import { holidaysIn } from '../../../lib/engine/rules/holiday-table.ts';
import { DAY, formatDate, HOUR, sayDate, weekdayIndex } from '../../../lib/engine/time/dates.ts';
import { holidayName } from '../../../lib/words/holiday-name.ts';
import type { Browser, Page } from '../../local/browser.ts';
import { world } from '../worlds/world.ts';
import { connectedPerson, connectTo, freshPlatform, personWithKey, type TestPlatform } from './factories.ts';
import { bookable } from './meetings.ts';

const workDay = { enabled: true, start: '08:00', end: '18:00' };
export const dayOff = { ...workDay, enabled: false };

/** Returns the preferences of a person in this zone who has set none. */
export const nothingSet = (timezone: string) => ({
  work_hours: {
    monday: workDay,
    tuesday: workDay,
    wednesday: workDay,
    thursday: workDay,
    friday: workDay,
    saturday: dayOff,
    sunday: dayOff,
  },
  timezone,
  buffer_minutes: 0,
  availability_window_days: 14,
  max_meetings_per_day: 10,
  energy_pattern: 'flexible',
  // Test people keep no holidays unless a test is about them: see the test world.
  holidays: 'off',
  scheduling_context: '',
  focus_blocks: [],
});

export const NOTHING = {
  total_meetings_scheduled: 0,
  meetings_this_month: 0,
  average_acceptance_time_hours: 0,
  reschedule_rate: 0,
  fast_acceptance_rate: 0,
  preferred_times: { morning: 0, afternoon: 0, evening: 0 },
};

export const FORMER = /^former-user-[a-z0-9]{12}@former\.invalid$/;

/** Signs Ada in to her own page. She has learned weights, and meetings with Bob on both platforms. */
export async function adaWithAHistory() {
  const at = await adaAtHome();
  const bob = await connectedPerson(at.platform, { name: 'bob' });
  await connectTo(at.other, bob);
  const given = { buffer_minutes: 15, scheduling_context: 'no meetings on Fridays' };
  expect((await at.own.send('PUT', '/v1/user/preferences', given)).status).toBe(200);
  const book = async (platform: TestPlatform, hours: number, more: Record<string, unknown> = {}) => {
    const body = {
      attendees: [at.ada.email, bob.email],
      start_time: new Date(world.clock.now() + hours * HOUR).toISOString(),
      duration_minutes: 30,
      title: 'Coffee',
      ...more,
    };
    return (await platform.api.schedule(body)).body as { meeting_id: string };
  };
  const first = await book(at.platform, 48);
  const second = await book(at.other, 72);
  return { ...at, bob, book, first, second };
}

export const rows = (sql: string, ...values: string[]) => world.neon.query(sql, values);
export const readMeeting = async (platform: TestPlatform, id: string) =>
  (await platform.api.send('GET', `/v1/meetings/${id}`)).body as {
    attendees: string[];
    title: string;
    description: string;
  };

export async function placesOf(word: string): Promise<string[]> {
  const columns = await rows(
    "select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2",
  );
  const hasWord = columns.map(
    ({ table_name: table, column_name: column }) =>
      `select '${table}.${column}' as place where exists (
        select from "${table}" where "${column}"::text ilike '%' || $1 || '%')`,
  );
  return (await rows(hasWord.join(' union all '), word)).map(({ place }) => String(place));
}

export async function adaAtHome() {
  const [platform, other] = [await freshPlatform({ plan: 'enterprise' }), await freshPlatform({ plan: 'enterprise' })];
  const { own, ...ada } = await personWithKey(platform, { name: 'ada', timezone: 'Europe/London' });
  await connectTo(other, ada);
  const { browser, page } = await world.signIn(ada.email);
  return { platform, other, ada, browser, page, own };
}

const OFFER = /href="\/me\/disconnect\?platform_id=([^"]*)"/g;

export const offered = ({ html }: Page) => [...html.matchAll(OFFER)].map(([, id]) => id);

export const asksToDisconnect = (browser: Browser, { id }: Pick<TestPlatform, 'id'>) =>
  browser.open(`${world.baseUrl}/me/disconnect?platform_id=${id}`);

export const confirmDisconnect = (browser: Browser, page: Page) => browser.submit(page, '/me/disconnect');

export const disconnect = async (browser: Browser, platform: Pick<TestPlatform, 'id'>) =>
  confirmDisconnect(browser, await asksToDisconnect(browser, platform));

export const leave = async (email: string, platform: Pick<TestPlatform, 'id'>) =>
  disconnect((await world.signIn(email)).browser, platform);

export async function deleteOnPage(browser: Browser): Promise<Page> {
  return browser.submit(await browser.open(`${world.baseUrl}/me/delete`), '/me/delete');
}

export const daysAgo = (days: number) => new Date(world.clock.now() - days * DAY).toISOString();
export const count = async (table: string, where: string, ...values: string[]) =>
  Number((await rows(`select count(*)::int as n from ${table} where ${where}`, ...values))[0]?.n);

export async function bookedPair() {
  const { start: _, ...scene } = await bookable({ plan: 'pro' });
  const { meeting_id: meetingId } = (await scene.platform.api.schedule(scene.body)).body as { meeting_id: string };
  return { ...scene, meetingId };
}

export type Booked = Awaited<ReturnType<typeof bookedPair>>;

export const insertJobs = (platform: Pick<TestPlatform, 'id'>, status: string, endedAt: string, many = 1) =>
  rows(
    `insert into jobs (id, platform_id, status, request, result, created_at, completed_at, next_run_at)
     select 'sched_' || gen_random_uuid(), $1, $2::text, '{}', case when $2::text = 'processing' then null else '{}'::jsonb end, $3::timestamptz,
       case when $2::text = 'processing' then null else $3::timestamptz + n * interval '1 ms' end, null
     from generate_series(1, ${many}) n returning id`,
    platform.id,
    status,
    endedAt,
  );

export async function insertFailed({ meetingId }: Booked, at: string): Promise<string> {
  const [failed] = await rows(
    `insert into meetings (id, platform_id, organizer_id, status, title, location, starts_at, ends_at, provider_event_id, exclusive, created_at, updated_at, failed_at)
     select 'meet_' || gen_random_uuid(), platform_id, organizer_id, 'failed', title, location, starts_at, ends_at, 'none' || gen_random_uuid(), false, $2::timestamptz, $2::timestamptz, $2::timestamptz
     from meetings where id = $1 returning id`,
    meetingId,
    at,
  );
  const id = String(failed?.id);
  await rows(
    'insert into meeting_people (meeting_id, platform_id, starts_at, user_id, email, position) select $2, platform_id, starts_at, user_id, email, position from meeting_people where meeting_id = $1',
    meetingId,
    id,
  );
  return id;
}

export const userIdOf = async (email: string) =>
  String((await rows('select id from users where email = $1', email))[0]?.id);

export async function keepHolidays(...people: { email: string }[]): Promise<void> {
  for (const { email } of people)
    await world.neon.query("update users set preferences = preferences - 'holidays' where email = $1", [email]);
}

/** Makes a person keep the holidays of a place, as if they had set it. */
export const keepHolidaysOf = (place: string, { email }: { email: string }) =>
  world.neon.query('update users set preferences = preferences || $1::jsonb where email = $2', [
    JSON.stringify({ holidays: place }),
    email,
  ]);

/** Places enough that one of them has a holiday soon, whatever the day. */
const PLACES = ['US', 'GB-ENG', 'DE', 'JP', 'FR', 'BR', 'IN', 'KR', 'CO', 'PL', 'MX', 'SE'];

/**
 * Returns the first public holiday of any of these places that is at least three days ahead, on a Tuesday to Thursday,
 * and alone in the days around it. `said` and `written` are its date and its name as sentences have them.
 */
export function nextHoliday() {
  const today = Math.floor(world.clock.now() / DAY);
  const all = PLACES.flatMap((place) => {
    const holidays = holidaysIn(place);
    const isAlone = (day: number) => ![-2, -1, 1, 2].some((offset) => holidays.has(day + offset));
    return [...holidays]
      .filter(([, name]) => !name.includes('may move'))
      .filter(([day]) => day >= today + 3 && weekdayIndex(day) > 0 && weekdayIndex(day) < 4 && isAlone(day))
      .map(([day, name]) => ({
        place,
        day,
        name,
        written: holidayName(name),
        date: formatDate(day),
        said: sayDate(formatDate(day)),
      }));
  });
  const [first] = all.sort((a, b) => a.day - b.day);
  if (first === undefined) throw new Error('The table has no such holiday after the world’s clock.');
  return first;
}

export const placeWithout = (day: number) => PLACES.find((place) => !holidaysIn(place).has(day)) ?? '';
