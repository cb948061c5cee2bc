import { describe, expect, test } from 'vitest';
import { COPY_SCRIPT } from '../../functions/pages/dashboard/parts.tsx';
import { linkFor } from '../support/people/dashboard.ts';
import { connectedPerson, freshPlatform, type TestPlatform } from '../support/people/factories.ts';
import { beforeClockChange, nextWeek, personWith, whyPath } from '../support/people/why.ts';
import { inspect, openTab, pagesSuite, settled, strangeParts, type Tab, tabTo } from '../support/worlds/tabs.ts';
import { world } from '../support/worlds/world.ts';

pagesSuite();

/** Start of the script that copies ids, as `strangeParts` cuts it. */
const OWN_SCRIPT = `<script>${COPY_SCRIPT}`.slice(0, 200);

const at = (time: string, date: string) => `${date}T${time}:00Z`;

async function inside(platform: TestPlatform, path: string): Promise<Tab> {
  const tab = await openTab(await linkFor(platform));
  await settled(tab, () => tab.page.getByRole('button', { name: 'Open the dashboard' }).click());
  await tab.page.goto(world.baseUrl + path);
  return tab;
}

async function ordinaryPair() {
  const platform = await freshPlatform({ plan: 'enterprise' });
  const [monday = '', tuesday = '', wednesday = '', thursday = '', friday = ''] = [0, 1, 2, 3, 4].map(nextWeek);
  const ada = await personWith(platform, {
    name: 'ada',
    timezone: 'America/New_York',
    busy: [
      // Nothing is free this week, so the picks lie in the week that is shown, whatever day it is.
      [at('00:00', nextWeek(-7)), at('00:00', monday)],
      [at('18:00', tuesday), at('19:30', tuesday)],
      [at('15:00', wednesday), at('16:00', wednesday)],
      [at('14:00', friday), at('15:00', friday)],
    ],
    preferences: {
      buffer_minutes: 15,
      focus_blocks: [
        { day: 'tuesday', start: '09:00', end: '11:00', reason: 'writing' },
        { day: 'thursday', start: '13:00', end: '16:00', reason: 'writing' },
      ],
    },
  });
  const bob = await connectedPerson(platform, {
    name: 'bob',
    timezone: 'Europe/Berlin',
    busy: [
      [at('14:00', tuesday), at('15:00', tuesday)],
      [at('13:00', thursday), at('15:20', thursday)],
      [at('15:40', thursday), at('16:00', thursday)],
    ],
  });
  await platform.api.schedule({
    attendees: [ada.email, bob.email],
    start_time: at('14:30', monday),
    duration_minutes: 30,
    title: 'Coffee',
  });
  return { platform, first: ada.email, second: bob.email, wednesday };
}

describe('why not this time', () => {
  test('is for everybody: empty, wrong, and answered', async () => {
    const { platform, first, second, wednesday } = await ordinaryPair();
    const tab = await inside(platform, '/dashboard/why');
    await inspect(tab, 'why-empty');
    await tab.page.goto(world.baseUrl + whyPath({ first, second: 'bob', date: '', time: '', minutes: '5' }));
    await inspect(tab, 'why-wrong');
    await tab.page.goto(world.baseUrl + whyPath({ first, second, date: wednesday, time: '10:30', minutes: 30 }));
    expect((await strangeParts(tab)).filter((part) => part !== OWN_SCRIPT)).toEqual([]);
    await inspect(tab, 'why-ordinary');
    expect(await tab.roundTrips()).toMatchObject({ neon: 2 });
    await tab.page.locator('summary', { hasText: 'The same in words' }).click();
    await inspect(tab, 'why-words');
    await tab.page.goto(world.baseUrl + whyPath({ first, second }));
    await inspect(tab, 'why-week');
  });

  test('is asked and read by keyboard alone', async () => {
    const { platform, first, second, wednesday } = await ordinaryPair();
    const tab = await inside(platform, '/dashboard/why');
    const { keyboard } = tab.page;
    await tabTo(tab, 'First person');
    await keyboard.type(first);
    await tabTo(tab, 'Second person');
    await keyboard.type(second);
    await tab.page.locator('#date').fill(wednesday);
    await tab.page.locator('#time').fill('10:30');
    await tab.page.locator('#time').focus();
    await tabTo(tab, 'Show the week');
    await settled(tab, () => keyboard.press('Enter'));
    expect(await tab.page.locator('#answer .notice').textContent()).toContain('Not free');
    await tabTo(tab, 'Next week');
    await settled(tab, () => keyboard.press('Enter'));
    expect(await tab.page.locator('#date').inputValue()).toBe(wednesday);
    expect(await tab.page.locator('.span.asked').count()).toBe(0);
    await tabTo(tab, 'The same in words');
    await keyboard.press('Enter');
    expect(await tab.page.locator('figure tbody tr').count()).toBe(7);
    expect(await tab.page.locator('figure table').isVisible()).toBe(true);
  });

  test('is drawn to scale: an hour is as wide wherever it is, and the picks lie on free bands', async () => {
    const { platform, first, second, wednesday } = await ordinaryPair();
    const tab = await inside(platform, whyPath({ first, second, date: wednesday, time: '10:30', minutes: 30 }));
    const boxes = await tab.page.evaluate<{ free: Box[]; picks: Box[] }>(`(() => {
      const boxesOf = (selector) => [...document.querySelectorAll('.days ' + selector)].map((shape) => {
        const { left, right, top } = shape.getBoundingClientRect();
        return { left, right, top };
      });
      return { free: boxesOf('.band.free'), picks: boxesOf('.span.pick') };
    })()`);
    expect(boxes.picks.length).toBeGreaterThan(0);
    for (const pick of boxes.picks)
      expect(
        boxes.free.some(
          ({ left, right, top }) => top === pick.top && left <= pick.left + 0.1 && pick.right <= right + 0.1,
        ),
      ).toBe(true);
  });

  test('far apart', async () => {
    const platform = await freshPlatform({ plan: 'enterprise' });
    const wednesday = nextWeek(2);
    const yuki = await connectedPerson(platform, {
      name: 'yuki',
      timezone: 'Asia/Tokyo',
      busy: [[at('00:00', wednesday), at('01:00', wednesday)]],
    });
    const lou = await connectedPerson(platform, { name: 'lou', timezone: 'America/Los_Angeles' });
    const asked = { first: yuki.email, second: lou.email, date: wednesday, time: '15:00', minutes: 60 };
    await inspect(await inside(platform, whyPath(asked)), 'why-far');
  });

  test('with nothing free, and a week full of everything', async () => {
    const platform = await freshPlatform({ plan: 'enterprise' });
    const days = [0, 1, 2, 3, 4].map(nextWeek);
    const max = await personWith(platform, {
      name: 'max',
      timezone: 'America/New_York',
      busy: days.flatMap((day): [string, string][] =>
        [13, 14, 15, 16, 17, 18, 19, 20, 21].map((hour) => [at(`${hour}:00`, day), at(`${hour}:40`, day)]),
      ),
      preferences: {
        buffer_minutes: 15,
        max_meetings_per_day: 1,
        focus_blocks: [{ day: 'wednesday', start: '08:00', end: '12:00', reason: 'x' }],
      },
    });
    const eva = await connectedPerson(platform, {
      name: 'eva',
      timezone: 'Europe/Berlin',
      busy: [[at('00:00', nextWeek(-7)), at('00:00', nextWeek(21))]],
    });
    await platform.api.schedule({
      attendees: [max.email, eva.email],
      start_time: at('22:00', nextWeek(2)),
      duration_minutes: 30,
      title: 'x',
    });
    const asked = { first: max.email, second: eva.email, date: nextWeek(2), time: '08:50', minutes: 45 };
    const tab = await inside(platform, whyPath({ ...asked, to: nextWeek(3) }));
    expect(await tab.page.locator('.against-list li').count()).toBeGreaterThan(4);
    await inspect(tab, 'why-nothing');
  });

  test('in the weeks when the clocks go forward and back', async () => {
    for (const way of ['forward', 'back'] as const) {
      const sunday = await beforeClockChange(way);
      const platform = await freshPlatform({ plan: 'enterprise' });
      const hours = { enabled: true, start: '00:30', end: '18:00' };
      const nora = await personWith(platform, {
        name: 'nora',
        timezone: 'America/New_York',
        preferences: {
          work_hours: { sunday: hours },
          focus_blocks: [{ day: 'sunday', start: '01:00', end: '03:30', reason: 'x' }],
        },
      });
      const ben = await connectedPerson(platform, { name: 'ben', timezone: 'Europe/London' });
      const time = way === 'forward' ? '02:30' : '01:30';
      const asked = { first: nora.email, second: ben.email, date: sunday, time, minutes: 30 };
      await inspect(await inside(platform, whyPath(asked)), `why-${way}`);
    }
  });
});

interface Box {
  left: number;
  right: number;
  top: number;
}
