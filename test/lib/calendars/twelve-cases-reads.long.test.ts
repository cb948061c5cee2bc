import { afterAll, describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../lib/engine/time/dates.ts';
import { openCases, type Person } from '../../support/checks/calendar-cases.ts';

// Cases that other products' copies of calendars got wrong. The expected result is the calendar's own free/busy at
// rest.
const cases = await openCases();
afterAll(() => cases.lab.close());

describe('a snapshot is right or not served, whatever becomes of its reads and pushes', () => {
  test('8: sync tokens that run out; what it means for meetings, test/functions/followed-changes asks', async () => {
    const { lab, person, day, agree, hear } = cases;
    const ada = await person('Europe/Berlin');
    await cases.rest();
    lab.google.addEvent({ email: ada.email, ...day(9, '09:00', '10:00') });
    lab.google.expireSyncTokens(ada.email);
    await hear();
    await agree(ada);
  });

  test('9: a Worker that dies before, between and after the calls of a read', async () => {
    const { lab, person, day, agree, honest, change, die } = cases;
    const ada = await person('Europe/Berlin');
    await cases.rest();
    for (let call = 0, isOver = false; !isOver; call++)
      for (const phase of ['before', 'after'] as const) {
        const times = day(9 + call, phase === 'before' ? '09:00' : '12:00', '13:00');
        change(ada, () => lab.google.addEvent({ email: ada.email, ...times }));
        lab.advance(11_000);
        let deaths = 0;
        for (const push of lab.google.takePushes())
          await lab.deliver(
            push,
            die(call, phase, () => deaths++),
          );
        await honest(ada);
        await cases.rest();
        await agree(ada);
        isOver = deaths === 0;
      }
  });

  test('10: pushes twice, late, out of order, during a read, from a stopped channel, with a foreign secret; two readers', async () => {
    const { lab, person, day, agree, during, honest, change } = cases;
    const [ada, bob] = [await person('Europe/Berlin'), await person('Europe/Berlin')];
    await cases.rest();
    const pushOf = (person: Person, at: number) => {
      change(person, () => lab.google.addEvent({ email: person.email, ...day(at, '09:00', '10:00') }));
      lab.advance(11_000);
      const [push] = lab.google.takePushes();
      if (push === undefined) throw new Error('no push');
      return push;
    };
    const [first, second] = [pushOf(ada, 9), pushOf(ada, 10)];
    await lab.deliver(second);
    expect(await lab.served(ada.email)).toBeUndefined();
    const generation = (await lab.rowOf(ada.userId))?.dirty_gen;
    for (const push of [second, first, second]) await lab.deliver(push);
    const foreign = pushOf(bob, 9).headers['X-Goog-Channel-Token'] ?? '';
    const forged = { ...second, headers: { ...second.headers, 'X-Goog-Message-Number': '999' } };
    await lab.deliver({ ...forged, headers: { ...forged.headers, 'X-Goog-Channel-Token': foreign } });
    expect((await lab.rowOf(ada.userId))?.dirty_gen).toBe(generation);

    const third = pushOf(ada, 11);
    await lab.deliver(third);
    await cases.askForAll();
    // The read in which the fourth push comes is Ada's.
    await lab.neon.query(`update busy_snapshots set due_at = due_at + interval '1 day' where user_id = $1`, [
      bob.userId,
    ]);
    await lab.tick(
      during('/freeBusy', 'after', async () => {
        const fourth = pushOf(ada, 12);
        await lab.deliver(fourth);
        await honest(ada);
      }),
    );
    expect(await lab.served(ada.email)).toBeUndefined();
    await cases.rest();
    await agree(ada);

    const [channel] = await lab.neon.query('select id from watch_channels where user_id = $1', [ada.userId]);
    lab.advance(6.8 * DAY);
    await cases.rest();
    const stopped = { ...third, headers: { ...third.headers, 'X-Goog-Message-Number': '9999' } };
    const before = (await lab.rowOf(ada.userId))?.dirty_gen;
    await lab.deliver(stopped);
    expect((await lab.rowOf(ada.userId))?.dirty_gen).toBe(before);
    expect(await lab.neon.query('select id from watch_channels where user_id = $1', [ada.userId])).not.toContainEqual(
      channel,
    );
  });

  test('11: pushes never come, the channel ends, its renewal fails for two days, the grant is revoked', async () => {
    const { lab, person, day, agree, honest, change, failing } = cases;
    const ada = await person('Europe/Berlin');
    await cases.rest();
    change(ada, () => lab.google.addEvent({ email: ada.email, ...day(9, '09:00', '10:00') }));
    lab.google.takePushes();
    for (let minute = 0; minute < 20; minute++) {
      await honest(ada, 15 * 60_000);
      lab.advance(60_000);
      await lab.tick();
    }
    await cases.rest();
    await agree(ada);
    lab.advance(7 * DAY);
    for (let hours = 0; hours < 48; hours++) {
      await lab.tick(failing('/calendar/v3/calendars/primary/events/watch'));
      await honest(ada, 60_000);
      lab.advance(HOUR);
      expect(await lab.served(ada.email)).toBeUndefined();
    }
    await lab.ask(ada.email);
    await cases.rest();
    await agree(ada);
    lab.google.revoke(ada.email);
    lab.advance(16 * 60_000);
    await lab.tick();
    expect(await lab.served(ada.email)).toBeUndefined();
  });
});
