import { DateTime } from 'luxon';
import { addCases } from './cases.ts';
import type { Stack } from './kept.ts';
import { patiently } from './sleepers.ts';
import { HOSTS } from './targets.ts';
import type { World } from './world.ts';

// Each person's busy hours on their own wall clock, Monday to Friday, taken in turn.
export const PEOPLE: { email: string; timezone: string; busy: string[] }[] = [
  {
    email: 'ana.silva@demo.test',
    timezone: 'Europe/Lisbon',
    busy: ['09:00-10:30 15:00-15:30', '11:00-12:00', '14:00-16:00'],
  },
  { email: 'ben.carter@demo.test', timezone: 'America/New_York', busy: ['08:30-09:15', '10:00-11:00 13:00-14:30'] },
  {
    email: 'chiara.rossi@demo.test',
    timezone: 'Europe/Rome',
    busy: ['10:00-11:30 16:00-17:00', '09:00-09:45', '', '14:00-17:30'],
  },
  { email: 'dev.patel@demo.test', timezone: 'Asia/Kolkata', busy: ['11:00-12:30', '09:30-10:00 15:30-17:00'] },
];
const BUSY_DAYS = 14;

/** Gives a new world platform `Demo` and its people with their busy hours, connected through OAuth. */
export async function seed(world: World): Promise<Stack> {
  const platform = await world.platforms.create({
    name: 'Demo',
    plan: 'pro',
    webhook_url: `https://${HOSTS.inbox}/demo`,
  });
  for (const { email, timezone, busy } of PEOPLE) {
    world.google.addUser({ email, timezone });
    world.google.addBusy(busyTimes(email, timezone, busy, world.clock.now()));
  }
  const users: { email: string; timezone: string; api_key: string }[] = [];
  // One after the other, because several consents at once are too much for a slow machine.
  for (const { email, timezone } of PEOPLE) {
    const { api_key } = await patiently(() => world.connect(platform, email));
    users.push({ email, timezone, api_key });
  }
  const cases = await addCases(world, platform);
  return { base_url: world.baseUrl, world_url: world.worldUrl, platform, users, cases };
}

export function busyTimes(email: string, zone: string, patterns: string[], now: number) {
  const today = DateTime.fromMillis(now, { zone }).startOf('day');
  const days = Array.from({ length: BUSY_DAYS }, (_, after) => today.plus({ days: after }));
  return days
    .filter(({ weekday }) => weekday <= 5)
    .flatMap((day, index) => {
      const spans = (patterns[index % patterns.length] ?? '').matchAll(/(\S+)-(\S+)/g);
      return [...spans].map(([, start = '', end = '']) => ({ email, start: at(day, start), end: at(day, end) }));
    });
}

function at(day: DateTime, wall: string): string {
  const [hour = 0, minute = 0] = wall.split(':').map(Number);
  return day.set({ hour, minute }).toUTC().toISO() ?? '';
}
