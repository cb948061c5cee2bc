import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainTime } from '../../../../lib/engine/explain/explain-time.ts';
import { localWeek, personBands } from '../../../../lib/engine/explain/week-bands.ts';
import { bestStart, findSlots } from '../../../../lib/engine/rank/find-slots.ts';
import { candidateStarts } from '../../../../lib/engine/rules/candidates.ts';
import { freeIntervals } from '../../../../lib/engine/rules/free-time.ts';
import { holidaysIn } from '../../../../lib/engine/rules/holiday-table.ts';
import { holidaysDuring } from '../../../../lib/engine/rules/holidays.ts';
import { noTimesIn } from '../../../../lib/engine/rules/no-times.ts';
import { relaxationsOf } from '../../../../lib/engine/rules/relaxations.ts';
import { causesOf } from '../../../../lib/engine/rules/why-empty.ts';
import { parseDate } from '../../../../lib/engine/time/dates.ts';
import { explanationWithWords } from '../../../../lib/words/explanation.ts';
import { sayNoTimes, saySuggestions } from '../../../../lib/words/no-times.ts';
import { wallAt } from '../oracle/clock.ts';
import { at, dates, person, search, span } from '../people.ts';
import { randomSearch } from '../random-search.ts';

const day = (date: string) => parseDate(date) ?? 0;
const THANKSGIVING = { date: '2026-11-26', name: 'Thanksgiving Day' };
const ben = { email: 'ben@example.com', timeZone: 'America/New_York', holidays: holidaysIn('US') };
const ana = { email: 'ana@example.com', timeZone: 'Europe/Lisbon', holidays: holidaysIn('PT') };
const thanksgiving = search(ana, ben, {
  window: dates('2026-11-26', '2026-11-26'),
  now: at('2026-11-23T09:00Z'),
  daysKnownAfter: 7,
});

describe('a holiday of one of the two', () => {
  test('is a day off, whoever asks', () => {
    const days = { ...thanksgiving, window: dates('2026-11-25', '2026-11-27') };
    for (const asked of [days, { ...days, requester: days.other, other: days.requester }])
      expect([...new Set(candidateStarts(asked).map((start) => wallAt(ben.timeZone, start).date))]).toEqual([
        '2026-11-25',
        '2026-11-27',
      ]);
  });

  test('is named as what leaves no time, and as a day to work on', () => {
    expect(causesOf(thanksgiving)).toEqual([{ email: ben.email, rule: 'holiday' }]);
    const none = noTimesIn(thanksgiving, bestStart);
    expect(sayNoTimes(none)).toBe(
      'Thursday, 26 November is Thanksgiving Day, a day off for Ben, so no time suits both.',
    );
    const relaxations = relaxationsOf(thanksgiving, bestStart);
    const withoutThanksgiving = { ...thanksgiving, other: { ...thanksgiving.other, holidays: undefined } };
    const starts = candidateStarts(withoutThanksgiving);
    expect(relaxations).toContainEqual({
      change: 'work_on_holiday',
      email: ben.email,
      holiday: THANKSGIVING,
      opens: starts.length,
      first: starts[0],
      best: bestStart(withoutThanksgiving, starts),
    });
    expect(saySuggestions(none)).toContainEqual(
      expect.stringMatching(
        /^If Ben worked on Thanksgiving Day \(Thursday, 26 November\), the best time would be Thursday, 26 November at /,
      ),
    );
  });

  test('has no name in a sentence if its two countries name it differently', () => {
    const berlin = { ...ana, timeZone: 'Europe/Berlin', holidays: holidaysIn('DE') };
    const london = { ...ben, timeZone: 'Europe/London', holidays: holidaysIn('GB-ENG') };
    const window = dates('2029-12-26', '2029-12-26');
    const none = noTimesIn(
      search(berlin, london, { window, now: at('2029-12-20T09:00Z'), daysKnownAfter: 7 }),
      bestStart,
    );
    expect(sayNoTimes(none)).toBe('Wednesday, 26 December is a public holiday, a day off for both.');
  });

  test('is what stands against a time, by name and date', () => {
    const explained = explainTime({ ...thanksgiving, start: at('2026-11-26T15:00Z') });
    expect(explanationWithWords(explained).against).toEqual([
      {
        email: ben.email,
        rule: 'holiday',
        detail: 'Thursday, 26 November is Thanksgiving Day.',
        holiday: THANKSGIVING,
      },
    ]);
  });

  test('is no working day to anybody who asks for their free times', () => {
    const free = freeIntervals(person(ben), dates('2026-11-25', '2026-11-27'), 30);
    expect(free).toEqual([
      span('2026-11-25T13:00Z', '2026-11-25T23:00Z'),
      span('2026-11-27T13:00Z', '2026-11-27T23:00Z'),
    ]);
  });

  test('covers the work hours in the drawing of the week, with its name', () => {
    const bands = personBands(person(ben), localWeek(ben.timeZone, day('2026-11-23')));
    expect(bands.map((own) => own.filter(({ kind }) => kind === 'holiday'))).toEqual([
      [],
      [],
      [],
      [{ kind: 'holiday', from: 480, to: 1080, name: 'Thanksgiving Day' }],
      [],
      [],
      [],
    ]);
  });

  test('on a day on which they do not work is no suggestion', () => {
    const boxing = search({ holidays: holidaysIn('GB') }, {}, { window: dates('2026-12-26', '2026-12-26') });
    expect(relaxationsOf(boxing, bestStart).map(({ change }) => change)).not.toContain('work_on_holiday');
  });
});

describe('the date of a holiday is that of the person’s own clock', () => {
  // 3 November is a holiday in Japan (Culture Day). In New York it begins 14 hours later.
  const yui = { email: 'yui@example.com', timeZone: 'Asia/Tokyo', holidays: holidaysIn('JP') };
  const allDay = { enabled: true, start: '00:00', end: '24:00' };
  const always = Object.fromEntries(Object.keys(person().workHours).map((name) => [name, allDay]));
  const workHours = always as typeof thanksgiving.requester.workHours;

  test('it begins and ends at that person’s midnight', () => {
    const asked = search(
      { timeZone: 'America/New_York', workHours },
      { ...yui, workHours },
      { window: dates('2026-11-01', '2026-11-04'), now: at('2026-10-30T00:00Z'), durationMinutes: 15 },
    );
    const starts = candidateStarts(asked);
    const [begin, end] = [at('2026-11-03T00:00+09:00'), at('2026-11-04T00:00+09:00')];
    expect(starts.filter((start) => start > begin - 15 * 60_000 && start < end)).toEqual([]);
    expect(starts).toContain(begin - 15 * 60_000);
    expect(starts).toContain(end);
  });

  test('a meeting over midnight touches the holiday of the next day', () => {
    expect(holidaysDuring(yui, span('2026-11-02T23:30+09:00', '2026-11-03T00:30+09:00'))).toEqual([
      { date: '2026-11-03', name: 'Culture Day' },
    ]);
    expect(holidaysDuring(yui, span('2026-11-02T23:30+09:00', '2026-11-03T00:00+09:00'))).toEqual([]);
    expect(holidaysDuring({ ...yui, holidays: undefined }, span('2026-11-02T00:00Z', '2026-11-04T00:00Z'))).toEqual([]);
  });
});

test('nothing is offered on a holiday of either, in whichever zone', () => {
  let offered = 0;
  let spared = 0;
  fc.assert(
    fc.property(randomSearch, (random) => {
      const isHoliday = (instant: number) =>
        [random.requester, random.other].some(({ timeZone, holidays }) =>
          holidays?.has(day(wallAt(timeZone, instant).date)),
        );
      const { slots } = findSlots(random);
      for (const { start, end } of slots)
        for (let minute = start; minute < end; minute += 60_000) expect(isHoliday(minute)).toBe(false);
      offered += slots.length;
      const working = { requester: { ...random.requester, holidays: undefined } };
      const others = { other: { ...random.other, holidays: undefined } };
      spared += findSlots({ ...random, ...working, ...others }).slots.filter(({ start }) => isHoliday(start)).length;
    }),
    { numRuns: 200, seed: 20_261_123 },
  );
  expect(offered).toBeGreaterThan(50);
  expect(spared).toBeGreaterThan(20);
});
