import { CASES } from '../../local/cases.ts';
import { busyTimes, PEOPLE } from '../../local/seed.ts';
import { connectedPerson, freshPerson, type TestPlatform } from '../people/factories.ts';
import { strangersAddress } from '../people/guests.ts';
import { world } from './world.ts';

/** Person who is not connected when a page of the documentation begins. */
const NEW = 'you@demo.test';

/**
 * Gives a platform people of its own in the place of those of the local world, with the same time zones and busy times,
 * and of the further ones whom a page names. Returns their addresses by those of the local world.
 */
export async function peopleOf(page: string, platform: TestPlatform): Promise<Record<string, string>> {
  const names: Record<string, string> = {};
  const named = [...page.matchAll(/[\w.]+@demo\.test/g)].map(([email]) => email);
  for (const email of [...PEOPLE.map((person) => person.email), ...named])
    names[email] ??= await personFor(email, platform);
  return names;
}

async function personFor(email: string, platform: TestPlatform): Promise<string> {
  const [name = ''] = email.split('@');
  const found = CASES.find((one) => one.email === email);
  if (found?.isGuest === true) return strangersAddress();
  if (email === NEW) return freshPerson({ name }).email;
  const seeded = PEOPLE.find((one) => one.email === email);
  const timezone = seeded?.timezone ?? (typeof found?.timezone === 'string' ? found.timezone : 'UTC');
  const person = await connectedPerson(platform, { name, timezone });
  if (seeded !== undefined) world.google.addBusy(busyTimes(person.email, timezone, seeded.busy, world.clock.now()));
  await found?.arrange?.(world, platform, person.email);
  return person.email;
}
