import { DateTime } from 'luxon';
import type { PlatformKeys } from './platforms.ts';
import { patiently } from './sleepers.ts';
import type { World } from './world.ts';

/** Person whose calendar does something on purpose, so that an integrator can try each case by address. */
export interface Case {
  email: string;
  /** What their calendar does, as a sentence. */
  what: string;
  timezone: string | ((now: number) => string);
  isGuest?: boolean;
  /** Seconds for which Google's access tokens are valid; an hour if absent. */
  tokenSeconds?: number;
  arrange?: (world: World, platform: PlatformKeys, email: string) => void | Promise<void>;
}

const MADRID = 'Europe/Madrid';
/** Zones whose clocks change on different days of the year. Some of them may stop doing so. */
const CHANGING = [
  'Africa/Casablanca',
  'America/New_York',
  'America/Santiago',
  'Asia/Jerusalem',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Europe/Berlin',
  'Africa/Cairo',
];

export const CASES: Case[] = [
  {
    email: 'busy.all.week@demo.test',
    timezone: MADRID,
    what: 'Is always busy.',
    arrange({ google, clock }, _platform, email) {
      const day = DateTime.fromMillis(clock.now(), { zone: MADRID }).minus({ days: 1 });
      const [start, end] = [day.toISODate() ?? '', day.plus({ days: 1 }).toISODate() ?? ''];
      google.addEvent({ email, summary: 'Busy', start, end, recurrence: ['RRULE:FREQ=DAILY'], transparency: 'opaque' });
    },
  },
  { email: 'free@demo.test', timezone: MADRID, what: 'Has an empty calendar.' },
  {
    email: 'revoked@demo.test',
    timezone: MADRID,
    what: 'Ended the consent at Google.',
    // With a token that is still valid, Tandem would learn of the end at once and disconnect the person.
    tokenSeconds: 1,
    arrange: ({ google }, _platform, email) => google.revoke(email),
  },
  {
    email: 'declines@demo.test',
    timezone: MADRID,
    what: 'Declines every invitation after a minute. Name them second.',
    arrange: ({ google }, _platform, email) => void google.settings.habits.set(email, 'declines'),
  },
  {
    email: 'moves@demo.test',
    timezone: MADRID,
    what: 'Moves the event an hour later, after a minute. Name them first.',
    arrange: ({ google }, _platform, email) => void google.settings.habits.set(email, 'moves'),
  },
  {
    email: 'slow@demo.test',
    timezone: MADRID,
    what: 'Has a calendar that answers after two seconds.',
    arrange: ({ google }, _platform, email) => void google.settings.habits.set(email, 'slow'),
  },
  {
    email: 'down@demo.test',
    timezone: MADRID,
    what: 'Has a calendar that answers 503.',
    arrange: ({ google }, _platform, email) => void google.settings.habits.set(email, 'down'),
  },
  {
    email: 'dst@demo.test',
    timezone: (now) => nextChange(now).zone,
    what: 'Lives where the clocks change next. `npm start` prints the zone and the day.',
  },
  {
    email: 'part.time@demo.test',
    timezone: MADRID,
    what: 'Works from Tuesday to Thursday.',
    async arrange(world, platform, email) {
      const { api_key } = await world.connect(platform, email);
      const off = Object.fromEntries(
        ['monday', 'friday', 'saturday', 'sunday'].map((day) => [day, { enabled: false }]),
      );
      const response = await fetch(`${world.baseUrl}/v1/user/preferences`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ work_hours: off }),
      });
      if (!response.ok) throw new Error(`the preferences of ${email} were refused: ${await response.text()}`);
    },
  },
  { email: 'guest@demo.test', timezone: MADRID, what: 'Never connected a calendar.', isGuest: true },
];

export function nextChange(now: number): { zone: string; day: string } {
  for (let days = 1; days <= 366; days++) {
    for (const zone of CHANGING) {
      const day = DateTime.fromMillis(now, { zone }).startOf('day').plus({ days });
      if (day.offset !== day.plus({ days: 1 }).offset) return { zone, day: day.toISODate() ?? '' };
    }
  }
  throw new Error('No zone is known whose clocks change within a year.');
}

/** Adds the people with a case of their own, connects those who connect, and arranges their calendars. */
export async function addCases(world: World, platform: PlatformKeys) {
  const now = world.clock.now();
  const added: { email: string; timezone: string; what: string }[] = [];
  // One after the other, because a dozen consents at once are too much for a slow machine.
  for (const { email, timezone: given, what, isGuest = false, tokenSeconds, arrange } of CASES) {
    const timezone = typeof given === 'string' ? given : given(now);
    world.google.addUser({ email, timezone });
    if (tokenSeconds !== undefined) world.google.settings.tokenSeconds.set(email, tokenSeconds);
    if (!isGuest) await patiently(() => world.connectCalendar(platform, email));
    await patiently(async () => arrange?.(world, platform, email));
    const isChange = typeof given !== 'string';
    added.push({ email, timezone, what: isChange ? `Lives where the clocks change on ${nextChange(now).day}.` : what });
  }
  return added;
}
