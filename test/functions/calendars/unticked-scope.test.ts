import { expect, test } from 'vitest';
import { freshPerson } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;

test.each([
  ['calendar.freebusy', ['calendar.events'], 'it cannot find your free times'],
  ['calendar.events', ['calendar.freebusy'], 'it cannot put a meeting on your calendar, move it or cancel it'],
])('a person who unticks %s reads what cannot be done without it', async (_unticked, ticked, why) => {
  const { email } = freshPerson();
  world.google.settings.grantedScopes.set(email, ticked.map(scope));
  const { page } = await world.signIn(email);
  expect(page.status).toBe(400);
  expect(page.html).toContain(why);
  expect(page.html).toContain('Sign in again and tick every box on Google’s page.');
  expect(page.html.match(/You did not allow/g)).toHaveLength(1);
});
