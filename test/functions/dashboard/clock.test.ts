import { describe, expect, test } from 'vitest';
import { atOf, spanOf } from '../../../functions/pages/clock.tsx';
import { scene, visit, withoutScript } from '../../support/people/dashboard.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const clock = { zone: 'UTC', now: Date.parse('2026-11-27T10:00Z') };
const lisbon = { ...clock, zone: 'Europe/Lisbon' };
const auckland = { ...clock, zone: 'Pacific/Auckland' };

describe('an instant', () => {
  test.each([
    ['2026-12-02T15:00Z', clock, false, 'Wed 2 Dec, 15:00'],
    ['2026-12-02T15:00:07Z', clock, true, 'Wed 2 Dec, 15:00:07'],
    ['2025-12-02T15:00Z', clock, false, 'Tue 2 Dec 2025, 15:00'],
    ['2027-01-01T00:00Z', clock, false, 'Fri 1 Jan 2027, 00:00'],
    ['2026-07-01T15:00Z', lisbon, false, 'Wed 1 Jul, 16:00'],
    ['2026-12-31T12:00Z', auckland, false, 'Fri 1 Jan 2027, 01:00'],
  ])('%s is shown as people say it', (iso, on, isExact, said) => {
    expect(atOf(Date.parse(iso), on, { isExact })).toBe(said);
  });
});

describe('a span', () => {
  test.each([
    ['2026-12-02T15:00Z', '2026-12-02T15:30Z', undefined, 'Wed 2 Dec, 15:00 to 15:30'],
    ['2026-12-02T23:45Z', '2026-12-03T00:15Z', undefined, 'Wed 2 Dec, 23:45 to Thu 3 Dec, 00:15'],
    ['2026-12-02T15:00Z', '2026-12-02T15:30Z', 'America/New_York', 'Wed 2 Dec, 10:00 to 10:30 (America/New_York)'],
    ['2026-12-02T15:00Z', '2026-12-02T15:30Z', 'UTC', 'Wed 2 Dec, 15:00 to 15:30'],
  ])('from %s to %s in %s is shown as people say it', (start, end, zone, said) => {
    expect(spanOf(Date.parse(start), Date.parse(end), clock, { zone })).toBe(said);
  });
});

test('a page says the zone once, and gives the exact instant of each time', async () => {
  const { browser, id, start } = await scene();
  const page = await visit(browser, `/dashboard/meetings/${id}`);
  expect(withoutScript(page).match(/\bUTC\b/g)).toEqual(['UTC']);
  const iso = new Date(start).toISOString();
  expect(page.html).toContain(
    `<time datetime="${iso}" title="${iso}">${atOf(start, { ...clock, now: world.clock.now() })} to `,
  );
});
