import { expect, test } from 'vitest';
import { statisticsViolations } from '../support/checks/statistics.ts';
import { seeded } from '../support/fuzz/seeded.ts';
import type { TestPerson } from '../support/people/factories.ts';
import { booking, cancellation, madeMeeting, newKey, reschedule, scene, update } from '../support/people/operations.ts';
import { readByTick } from '../support/people/snapshots.ts';
import { quiet } from '../support/worlds/quiet.ts';
import { together } from '../support/worlds/race.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

const ANSWERS = ['accepted', 'declined', 'tentative', 'accepted'];

test.each([1, 2, 3])(
  'seed %i: answers and changes that race leave every counter at what its meetings come to',
  async (seed) => {
    const random = seeded(seed);
    const at = await scene({ people: 4 });
    const ids = await Promise.all(Array.from({ length: 16 }, () => madeMeeting(at, { people: pair() })));
    await readByTick(...at.people.map(({ email }) => email));
    const invited = await world.neon.query(
      `select m.id, m.provider_event_id as event, p.email from meetings m join meeting_people p on p.meeting_id = m.id
    where p.position = 1 and m.id = any($1)`,
      [ids],
    );

    const change = (id: string) => [
      () => update(at, id, { key: newKey() }),
      () => cancellation(at, id, { key: newKey() }),
      () => reschedule(at, id, { key: newKey() }),
      () => booking(at, { key: newKey(), people: pair() }),
    ];
    const changes = ids.map((id) => random.pick(change(id))());
    const answer = async () => {
      const { email, event } = random.pick(invited);
      const answers = world.google
        .events(String(email))
        .some(({ id, status }) => id === event && status !== 'cancelled');
      if (answers)
        world.google.patchEvent({ email: String(email), eventId: String(event), responseStatus: random.pick(ANSWERS) });
      await world.qstash.deliverDue();
    };
    await Promise.all([
      together(changes),
      ...Array.from({ length: 24 }, answer),
      world.worker.runScheduled(world.clock.now()),
    ]);

    await quiet([at.platform]);
    await readByTick(...at.people.map(({ email }) => email));
    await quiet([at.platform]);
    expect(await statisticsViolations([at.platform])).toEqual([]);
    const [counted] = await world.neon.query(
      'select sum(accepted)::int as accepted, sum(made)::int as made from meeting_months where party = $1',
      [at.platform.id],
    );
    expect(counted?.made).toBeGreaterThan(15);
    expect(counted?.accepted).toBeGreaterThan(0);

    function pair() {
      return random.shuffle(at.people).slice(0, 2) as [TestPerson, TestPerson];
    }
  },
);
