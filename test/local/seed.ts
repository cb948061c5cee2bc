import { DateTime } from 'luxon';
import { HOSTS } from './hosts.ts';
import type { PlatformKeys } from './platforms.ts';
import type { World } from './world.ts';

/** What `.local/stack.json` holds. */
export interface Stack {
  base_url: string;
  world_url: string;
  platform: PlatformKeys;
  users: { email: string; timezone: string; api_key: string }[];
}

// Each person's busy hours on their own wall clock, Monday to Friday, taken in turn.
const PEOPLE: { email: string; timezone: string; busy: [start: string, end: string][][] }[] = [
  {
    email: 'ana.silva@demo.test',
    timezone: 'Europe/Lisbon',
    busy: [
      [
        ['09:00', '10:30'],
        ['15:00', '15:30'],
      ],
      [['11:00', '12:00']],
      [['14:00', '16:00']],
    ],
  },
  {
    email: 'ben.carter@demo.test',
    timezone: 'America/New_York',
    busy: [
      [['08:30', '09:15']],
      [
        ['10:00', '11:00'],
        ['13:00', '14:30'],
      ],
    ],
  },
  {
    email: 'chiara.rossi@demo.test',
    timezone: 'Europe/Rome',
    busy: [
      [
        ['10:00', '11:30'],
        ['16:00', '17:00'],
      ],
      [['09:00', '09:45']],
      [],
      [['14:00', '17:30']],
    ],
  },
  {
    email: 'dev.patel@demo.test',
    timezone: 'Asia/Kolkata',
    busy: [
      [['11:00', '12:30']],
      [
        ['09:30', '10:00'],
        ['15:30', '17:00'],
      ],
    ],
  },
];
const BUSY_DAYS = 14;

/** Gives the world platform `Demo` and its people, connected through OAuth; what `kept` still opens stays as it was. */
export async function seed(world: World, kept: Stack | undefined, { isGoogleForeign = false } = {}): Promise<Stack> {
  const platform = await demoPlatform(world, kept);
  for (const { email, timezone, busy } of PEOPLE) {
    world.google.addUser({ email, timezone });
    world.google.addBusy(busyTimes(email, timezone, busy, world.clock.now()));
  }
  const users = await Promise.all(
    PEOPLE.map(async ({ email, timezone }) => {
      const known = kept?.users.find((user) => user.email === email)?.api_key;
      try {
        return [{ email, timezone, api_key: await connected(world, platform, email, known) }];
      } catch (error) {
        if (!isGoogleForeign) throw error;
        console.error(`${email} is not known there and stays away: ${error instanceof Error ? error.message : error}`);
        return [];
      }
    }),
  );
  return { base_url: world.baseUrl, world_url: world.worldUrl, platform, users: users.flat() };
}

async function demoPlatform(world: World, kept: Stack | undefined): Promise<PlatformKeys> {
  if (
    kept !== undefined &&
    (await opens(world, '/v1/platform/oauth-url?user_email=a@b.co', kept.platform.secret_key))
  ) {
    return world.platforms.remember(kept.platform);
  }
  return world.platforms.create({ name: 'Demo', plan: 'pro', webhook_url: `https://${HOSTS.inbox}/demo` });
}

async function connected(world: World, platform: PlatformKeys, email: string, known: string | undefined) {
  if (known !== undefined && (await opens(world, '/v1/user/info', known))) {
    await world.connectCalendar(platform, email);
    return known;
  }
  return (await world.connect(platform, email)).api_key;
}

async function opens(world: World, path: string, key: string): Promise<boolean> {
  const response = await fetch(`${world.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
  await response.body?.cancel();
  return response.status !== 401;
}

function busyTimes(email: string, zone: string, patterns: [string, string][][], now: number) {
  const today = DateTime.fromMillis(now, { zone }).startOf('day');
  const days = Array.from({ length: BUSY_DAYS }, (_, after) => today.plus({ days: after }));
  return days
    .filter(({ weekday }) => weekday <= 5)
    .flatMap((day, index) =>
      (patterns[index % patterns.length] ?? []).map(([start, end]) => ({
        email,
        start: at(day, start),
        end: at(day, end),
      })),
    );
}

function at(day: DateTime, wall: string): string {
  const [hour = 0, minute = 0] = wall.split(':').map(Number);
  return day.set({ hour, minute }).toUTC().toISO() ?? '';
}
