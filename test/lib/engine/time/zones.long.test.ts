import moment from 'moment-timezone';
import { describe, expect, test } from 'vitest';
import { DAY } from '../../../../lib/engine/time/dates.ts';
import type { Search } from '../../../../lib/engine/types.ts';
import { takeShare } from '../../../support/fuzz/seeded.ts';
import { changesOf } from '../../../zones/table.ts';
import { expectSearchToAgree } from '../agreement.ts';
import { forgetZone } from '../oracle/clock.ts';
import { AROUND_THE_CLOCK, dates, everyDay, person } from '../people.ts';

const PARTNERS = ['UTC', 'Asia/Kathmandu', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const everyZone = [...everyTransition()];
const all = everyZone.flatMap(([, list]) => list);
const { TEST_SHARE = '1/1' } = process.env;
const [zones, transitions] = [takeShare(everyZone, TEST_SHARE), takeShare(all, TEST_SHARE)];

function searchesAround(zone: string, partner: string, date: string): Search[] {
  const next = new Date(Date.parse(date) + DAY).toISOString().slice(0, 10);
  const base = { durationMinutes: 30, window: dates(date, next), now: Date.parse(date) - 2 * DAY };
  const requester = person({ timeZone: zone, workHours: AROUND_THE_CLOCK });
  const other = person({ email: 'bob@example.com', timeZone: partner, workHours: AROUND_THE_CLOCK });
  const night = person({
    timeZone: zone,
    workHours: everyDay('00:30', '04:10'),
    focusBlocks: [{ day: 'sunday', start: '02:05', end: '02:35' }],
    maxMeetingsPerDay: 1,
    meetings: [{ start: Date.parse(next) + DAY / 2, end: Date.parse(next) + DAY / 2 + 1 }],
  });
  return [
    { ...base, requester, other },
    { ...base, requester: night, other, durationMinutes: 45 },
    { ...base, requester: other, other: night },
  ];
}

describe('right in every zone', () => {
  test('there are zones and transitions to try', () => {
    expect(everyZone.length).toBeGreaterThan(400);
    expect(all.length).toBeGreaterThan(450);
  });

  test(`an ordinary Friday is searched right in ${zones.length} zones`, () => {
    zones.forEach(([zone], i) => {
      const [search] = searchesAround(zone, PARTNERS[i % PARTNERS.length] ?? 'UTC', '2026-07-03');
      if (search) expectSearchToAgree(search);
      if (!PARTNERS.includes(zone)) forgetZone(zone);
    });
  });

  test(`${transitions.length} offset transitions of 2026 and 2027 are searched right`, { timeout: 1_800_000 }, () => {
    transitions.forEach(({ zone, date }, i) => {
      for (const search of searchesAround(zone, PARTNERS[i % PARTNERS.length] ?? 'UTC', date))
        expectSearchToAgree(search);
      if (!PARTNERS.includes(zone)) forgetZone(zone);
    });
  });
});

interface Transition {
  zone: string;
  at: number;
  /** Local date of the last instant with the old offset. */
  date: string;
}

/** Returns every zone of the tz database, with every change of its offset in 2026 and 2027, as the package has them. */
function everyTransition(): Map<string, Transition[]> {
  return new Map(moment.tz.names().map((zone) => [zone, transitionsOf(zone)]));
}

function transitionsOf(zone: string): Transition[] {
  const rules = moment.tz.zone(zone) ?? { untils: [], offsets: [] };
  return changesOf(rules, Date.UTC(2026, 0), Date.UTC(2028, 0)).map(({ at }) => ({
    zone,
    at,
    date: moment.tz(at - 1, zone).format('YYYY-MM-DD'),
  }));
}
