import { describe, expect, test } from 'vitest';
import type { StoredWeights } from '../../../schema/tables/users.ts';
import { productOf, someone, weights } from '../../support/people/learning.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();

describe('at the same time', () => {
  test('twenty reasons lose nothing', async () => {
    const ada = await someone();
    const reasons = ['too early', 'never on Mondays', 'too late', 'back to back'];
    await Promise.all(Array.from({ length: 20 }, (_, i) => ada.learn(reasons[i % 4] ?? '')));
    expect(await ada.weights()).toEqual(
      weights({
        time_of_day_preference: { morning: 0.32768, evening: 0.32768 },
        day_of_week_preference: { monday: 0.32768 },
        buffer_importance: 2,
      }),
    );
    expect(await ada.live()).toHaveLength(20);
  });

  test('twenty retries of one meeting teach once', async () => {
    const ada = await someone();
    await Promise.all(Array.from({ length: 20 }, () => ada.learn('too early', 'meet_twenty')));
    expect(await ada.live()).toHaveLength(1);
    expect((await ada.weights()).time_of_day_preference.morning).toBe(0.8);
  });

  test('learning and undoing leave the weights that the standing changes make', async () => {
    const ada = await someone();
    for (let i = 0; i < 3; i++) await ada.learn('too early');
    const ids = (await ada.live()).map(({ id }) => id);
    await Promise.all([
      ...ids.flatMap((id) => [ada.undo(id), ada.undo(id)]),
      ...Array.from({ length: 4 }, () => ada.learn('too early, and never on Mondays')),
      ada.say('mornings please'),
    ]);
    const live = await ada.live();
    expect(live).toHaveLength(9);
    const { time_of_day_preference: times, day_of_week_preference: days } = await ada.weights();
    expect(times.morning).toBeCloseTo(productOf(live, 'time_of_day_preference.morning'), 5);
    expect(times.morning).toBeCloseTo(1.5 * 0.8 ** 4, 5);
    expect(days.monday).toBe(0.4096);
  });

  test('one text twenty times teaches once', async () => {
    const ada = await someone();
    await Promise.all(Array.from({ length: 20 }, () => ada.say('no Fridays')));
    expect((await ada.read()).entries).toHaveLength(1);
    expect(await ada.weights()).toEqual(weights({ day_of_week_preference: { friday: 0.4 } }));
    expect((await ada.send('GET', '/v1/user/preferences')).body).toMatchObject({ rules: [{ quote: 'no Fridays' }] });
  });

  test('of twenty texts the one that stays is the one that taught', async () => {
    const ada = await someone();
    const taught: Record<string, StoredWeights> = {
      'no Fridays': { day_of_week_preference: { friday: 0.4 } },
      'no Mondays': { day_of_week_preference: { monday: 0.4 } },
      'a buffer': { buffer_importance: 1.5 },
      '': {},
    };
    const texts = Object.keys(taught);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => ada.say(texts[i % 4] ?? '')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await ada.send('GET', '/v1/user/preferences');
    const { preferences } = body as { preferences: { scheduling_context: string } };
    const expected = taught[preferences.scheduling_context] ?? {};
    expect(await ada.weights()).toEqual(weights(expected));
    expect(await ada.live()).toHaveLength(Object.keys(expected).length);
    const { rules } = body as { rules: { quote: string }[] };
    expect(rules.map(({ quote }) => quote)).toEqual(Object.keys(expected).map(() => preferences.scheduling_context));
  });
});
