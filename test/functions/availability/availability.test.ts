import { formatInTimeZone } from 'date-fns-tz';
import { describe, expect, test } from 'vitest';
import { DAY } from '../../../lib/engine/time/dates.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { wednesdayAhead } from '../../support/people/searching.ts';
import { world } from '../../support/worlds/world.ts';

const platform = await freshPlatform({ plan: 'enterprise' });

const wednesday = wednesdayAhead();
const daysLater = (days: number) => new Date(Date.parse(wednesday) + days * DAY).toISOString().slice(0, 10);
const at = (time: string) => `${wednesday}T${time}:00Z`;
const onWednesday = { date_range: { start_date: wednesday, end_date: wednesday } };

const bob = await connectedPerson(platform, { name: 'bob' });
const dan = await connectedPerson(platform, { name: 'dan' });
const search = (email: string, more: object = {}) =>
  platform.api.availability({ attendees: [email, bob.email], ...onWednesday, ...more });

interface Found {
  slots: { start_time: string; score: number; product: number; merit: number; factors: { multiplier: number }[] }[];
  message?: string;
  relaxations?: object[];
}

describe('POST /v1/availability', () => {
  test('slots come best first by their score and merit, each with what it is made of', async () => {
    const ada = await connectedPerson(platform, { name: 'ada' });
    const { body } = await search(ada.email);
    const { slots, ...rest } = body as Found;
    expect(slots).toHaveLength(5);
    expect(rest).not.toHaveProperty('message');
    expect(rest).not.toHaveProperty('relaxations');
    expect(slots[0]).toEqual({
      start_time: `${wednesday}T10:00:00+00:00`,
      end_time: `${wednesday}T10:30:00+00:00`,
      score: 1,
      product: expect.any(Number),
      comfort: expect.any(Number),
      merit: expect.any(Number),
      timezone: 'UTC',
      reason: expect.stringMatching(/^[A-Z]\w+day.* \d+:\d\d.*[a-z]\.$/),
      factors: expect.arrayContaining([{ name: 'mid_morning', multiplier: 1.2 }]),
      attendees: [ada.email, bob.email].map((email) => ({
        email,
        start_time: `${wednesday}T10:00:00+00:00`,
        timezone: 'UTC',
      })),
    });
    expect(slots).toEqual(slots.toSorted((a, b) => b.score - a.score || b.merit - a.merit));
    for (const { product, score, factors } of slots) {
      expect(product).toBeCloseTo(
        factors.reduce((all, { multiplier }) => all * multiplier, 1),
        4,
      );
      expect(score).toBe(Math.min(1, product));
    }
  });

  test('either end of the dates is enough, and past days are cut off', async () => {
    const windowOf = async (date_range: object) =>
      ((await search(dan.email, { date_range })).body as { search_window: object }).search_window;
    const today = new Date(world.clock.now()).toISOString().slice(0, 10);
    const dayIn = (days: number) => new Date(world.clock.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect(await windowOf({ start_date: dayIn(30) })).toEqual({ start: dayIn(30), end: dayIn(43), days: 14 });
    expect(await windowOf({ end_date: wednesday })).toMatchObject({ start: today, end: wednesday });
    expect(await windowOf({ start_date: '2020-01-01', end_date: wednesday })).toMatchObject({ start: today });
  });

  test('the one half hour that both have free is found, on no quarter hour as it is', async () => {
    const busy: [string, string][] = [
      [at('00:00'), at('10:20')],
      [at('10:50'), at('23:59')],
    ];
    const eve = await connectedPerson(platform, { name: 'eve', busy });
    const { body } = await search(eve.email);
    expect((body as Found).slots.map(({ start_time }) => start_time)).toEqual([`${wednesday}T10:20:00+00:00`]);
  });

  test('an empty answer says why, and which single changes would open times', async () => {
    const cleo = await connectedPerson(platform, { name: 'cleo', busy: [[at('00:00'), at('23:59')]] });
    const { status, body } = await search(cleo.email);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      slots: [],
      total_found: 0,
      message: expect.stringMatching(
        `'s busy times leave no half hour free for both on ${formatInTimeZone(wednesday, 'UTC', 'EEEE, d MMMM')}\\.$`,
      ),
      relaxations: [{ change: 'more_days', email: null, opens: expect.any(Number), end_date: daysLater(7) }],
    });
    const wider = await search(cleo.email, { date_range: { start_date: wednesday, end_date: daysLater(7) } });
    expect((wider.body as Found).slots).toHaveLength(5);
  });
});
