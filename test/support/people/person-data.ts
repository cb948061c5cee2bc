import { expect } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { world } from '../worlds/world.ts';
import { connectedPerson, type TestPlatform } from './factories.ts';
import { adaAtHome } from './me.ts';

export const FORMER = /^former-user-[a-z0-9]{12}@former\.invalid$/;

/** Signs Ada in to her own page. She has learned weights, and meetings with Bob on both platforms. */
export async function adaWithAHistory() {
  const at = await adaAtHome();
  const bob = await connectedPerson(at.platform, { name: 'bob' });
  await world.connectCalendar(at.other, bob.email);
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
/** Reads a meeting as its platform does. */
export const readMeeting = async (platform: TestPlatform, id: string) =>
  (await platform.api.send('GET', `/v1/meetings/${id}`)).body as {
    attendees: string[];
    title: string;
    description: string;
  };

/** Searches every column of every table, as text, and lists the columns that contain a word. */
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
