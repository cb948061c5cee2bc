import { expect, test } from 'vitest';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import { connectedPerson, freshPerson, freshPlatform } from '../../support/people/factories.ts';
import { readByTick } from '../../support/people/snapshots.ts';
import { rowsRead, statementsOf } from '../../support/worlds/statements.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Connects Ada, whose calendar is full, and Bob, whose calendar is empty, with one platform, and Cara with another. */
async function strangers() {
  const [theirs, asking] = [await freshPlatform({ plan: 'enterprise' }), await freshPlatform({ plan: 'enterprise' })];
  const [ada, bob] = [await connectedPerson(theirs), await connectedPerson(theirs)];
  const guest = await connectedPerson(theirs);
  const cara = await connectedPerson(asking);
  for (let hours = 24; hours < 36; hours += 1) {
    const start_time = new Date(world.clock.now() + hours * HOUR).toISOString();
    const booked = await theirs.api.schedule({
      attendees: [ada.email, guest.email],
      start_time,
      duration_minutes: 30,
      title: 'Full',
    });
    expect(booked.status).toBe(200);
  }
  await readByTick(ada.email, bob.email, guest.email, cara.email);
  return { theirs, asking, ada, bob, cara, guest };
}

test('a search reads as much for a stranger with a full calendar as for an empty one and for nobody', async () => {
  const { theirs, asking, ada, bob, cara, guest } = await strangers();
  const requests = (other: string) => [
    () => asking.api.availability({ attendees: [cara.email, other] }),
    () => asking.api.availability({ attendees: [other, cara.email], duration_minutes: 60 }),
    () => asking.api.send('GET', `/v1/users/${other}/availability`),
  ];
  const work = async (email: string) => {
    const found: unknown[] = [];
    for (const request of requests(email)) {
      const { answer, statements } = await statementsOf(request);
      expect(answer.status).toBe(404);
      found.push([statements.length, await rowsRead(statements, ['holds', 'busy_snapshots', 'meetings'])]);
    }
    return found;
  };
  const ofNobody = await work(freshPerson().email);
  expect(await work(bob.email)).toEqual(ofNobody);
  expect(await work(ada.email)).toEqual(ofNobody);

  const own = await statementsOf(() => theirs.api.availability({ attendees: [ada.email, guest.email] }));
  expect(own.answer.status).toBe(200);
  expect(await rowsRead(own.statements, ['holds', 'busy_snapshots'])).toBeGreaterThanOrEqual(24);
});
