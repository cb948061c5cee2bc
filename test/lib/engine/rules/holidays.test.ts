import { describe, expect, test } from 'vitest';
import { bestStart } from '../../../../lib/engine/rank/find-slots.ts';
import {
  HOLIDAYS_KNOWN_UNTIL,
  holidayPlaceOf,
  holidayPlaces,
  holidaysIn,
  spellHolidayPlace,
} from '../../../../lib/engine/rules/holiday-table.ts';
import { holidaysDuring } from '../../../../lib/engine/rules/holidays.ts';
import { noTimesIn } from '../../../../lib/engine/rules/no-times.ts';
import { formatDate, parseDate } from '../../../../lib/engine/time/dates.ts';
import { sayNoTimes, saySuggestions } from '../../../../lib/words/no-times.ts';
import { keptTable } from '../../../holidays/table.ts';
import { at, dates, search, span } from '../people.ts';

const ben = { email: 'ben@example.com', timeZone: 'America/New_York', holidays: holidaysIn('US') };
const ana = { email: 'ana@example.com', timeZone: 'Europe/Lisbon', holidays: holidaysIn('PT') };

describe('a holiday of one of the two', () => {
  test('is named as what leaves no time, and not once more as advice', () => {
    const window = dates('2026-11-26', '2026-11-26');
    const none = noTimesIn(search(ana, ben, { window, now: at('2026-11-23T09:00Z'), daysKnownAfter: 7 }), bestStart);
    expect(sayNoTimes(none)).toBe(
      'Thursday, 26 November is Thanksgiving Day, a day off for Ben, so no time suits both.',
    );
    expect(saySuggestions(none).join()).not.toContain('Thanksgiving');
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
});

test('a meeting over midnight touches the holiday of the next day, on the person’s own clock', () => {
  const yui = { timeZone: 'Asia/Tokyo', holidays: holidaysIn('JP') };
  expect(holidaysDuring(yui, span('2026-11-02T23:30+09:00', '2026-11-03T00:30+09:00'))).toEqual([
    { date: '2026-11-03', name: 'Culture Day' },
  ]);
  expect(holidaysDuring(yui, span('2026-11-02T23:30+09:00', '2026-11-03T00:00+09:00'))).toEqual([]);
  expect(holidaysDuring({ ...yui, holidays: undefined }, span('2026-11-02T00:00Z', '2026-11-04T00:00Z'))).toEqual([]);
});

const nameOn = (place: string, date: string) => holidaysIn(place).get(parseDate(date) ?? 0);

/** Dates as the sources print them. The table is checked against them, not against the package that it is made from. */
const PUBLISHED: Record<string, [place: string, date: string, name: string][]> = {
  // opm.gov/policy-data-oversight/pay-leave/federal-holidays
  'US Office of Personnel Management': [
    ['US', '2026-02-16', "Washington's Birthday"],
    ['US', '2026-07-03', 'Independence Day (observed)'],
    ['US', '2026-11-26', 'Thanksgiving Day'],
  ],
  // gov.uk/bank-holidays
  'UK government': [
    ['GB-ENG', '2026-08-31', 'Summer bank holiday'],
    ['GB-ENG', '2026-12-28', 'Boxing Day (observed)'],
    ['GB-SCT', '2026-01-02', 'January 2nd'],
    ['GB-SCT', '2026-11-30', 'St Andrew’s Day'],
    ['GB-NIR', '2026-07-13', 'Battle of the Boyne (Orangemen’s Day) (observed)'],
  ],
  // citizensinformation.ie, public holidays in Ireland
  'Irish citizens information': [['IE', '2026-10-26', 'October Bank Holiday']],
  // bmi.bund.de, nationale Feiertage; Feiertagsgesetz of Bavaria
  'German interior ministry': [
    ['DE', '2026-05-14', 'Ascension Day'],
    ['DE-BY', '2026-01-06', 'Epiphany'],
    ['DE-BY', '2026-11-01', "All Saints' Day"],
  ],
  // www8.cao.go.jp/chosei/shukujitsu/gaiyou.html
  'Japanese Cabinet Office': [
    ['JP', '2026-05-06', 'Constitution Day (observed)'],
    ['JP', '2026-09-22', "Citizens' Holiday"],
    ['JP', '2026-09-23', 'Autumnal Equinox Day'],
  ],
  // dopt.gov.in, holidays in central government offices, 2026
  'Indian ministry of personnel': [
    ['IN', '2026-03-21', 'Eid al-Fitr (the date may move by a day)'],
    ['IN', '2026-11-08', 'Diwali'],
  ],
  // gov.cn, arrangement of the holidays of 2026
  'Chinese State Council': [
    ['CN', '2026-02-16', 'Spring Festival'],
    ['CN', '2026-02-23', 'Spring Festival (observed)'],
  ],
  // mom.gov.sg, public holidays 2026
  "Singapore's Ministry of Manpower": [['SG', '2026-06-01', 'Vesak Day (observed)']],
  // gov.br, calendário de feriados nacionais
  'Brazilian government': [['BR', '2026-11-20', 'Black Awareness Day']],
  // Israel rests on Friday and Saturday: these fall on a Sunday and a Monday, which are work days. gov.il, holidays 5787
  'Israeli government': [
    ['IL', '2026-09-13', 'Rosh Hashanah (Day 2)'],
    ['IL', '2026-09-21', 'Day of Atonement (Yom Kippur)'],
  ],
  // ontario.ca, public holidays; gov.bc.ca, statutory holidays
  'Canadian provinces': [
    ['CA-ON', '2026-10-12', 'Thanksgiving'],
    ['CA-BC', '2026-02-16', 'Family Day'],
  ],
};

describe('the holidays that governments publish', () => {
  test.each(Object.entries(PUBLISHED))('%s', (_source, days) => {
    expect(days.map(([place, date]) => [place, date, nameOn(place, date)])).toEqual(days);
  });

  test.each([
    ['GB-ENG', '2026-11-30', "St Andrew's Day is Scotland's"],
    ['DE', '2026-01-06', 'Epiphany is a holiday in three states'],
    ['DE', '2026-12-24', 'Christmas Eve is a holiday from the afternoon on'],
    ['IE', '2027-03-26', 'only banks are closed on Good Friday'],
    ['US', '2026-11-27', 'the day after Thanksgiving is a work day'],
    ['US', '2026-12-24', 'Christmas Eve is a work day'],
    ['AU-NSW', '2029-08-06', 'only banks are closed on the Bank Holiday'],
    ['US', '2026-10-12', 'four of five employers stay open on Columbus Day'],
    ['US', '2026-11-11', 'four of five employers stay open on Veterans Day'],
    ['IN', '2026-11-09', 'Diwali is the day before, and each state decides on the next'],
    ['CN', '2026-06-01', "Children's Day is one for children"],
  ])('%s on %s: %s', (place, date) => {
    expect(nameOn(place, date)).toBeUndefined();
  });
});

describe('a place', () => {
  test.each([
    ['America/New_York', 'US'],
    ['US/Pacific', 'US'],
    ['Europe/London', 'GB-ENG'],
    ['Europe/Belfast', 'GB-NIR'],
    ['Europe/Berlin', 'DE'],
    ['Asia/Kolkata', 'IN'],
    ['Australia/Brisbane', 'AU-QLD'],
    ['Australia/Sydney', 'AU-NSW'],
    ['America/Toronto', 'CA-ON'],
    ['America/Montreal', 'CA-QC'],
    ['Atlantic/Canary', 'ES-CN'],
    ['UTC', 'off'],
    ...['EST', 'EST5EDT', 'MST', 'HST', 'CET', 'MET', 'EET', 'WET', 'GMT'].map((zone) => [zone, 'off']),
    ['Asia/Qatar', 'off'],
    ['Mars/Base', 'off'],
  ])('follows from the zone: %s is %s', (zone, place) => {
    expect(holidayPlaceOf(zone)).toBe(place);
  });

  test.each([
    ['DE', 'DE'],
    ['de-by', 'DE-BY'],
    ['us-ca', 'US-CA'],
    ['OFF', 'off'],
    ['DE-XX', undefined],
    ['Germany', undefined],
    ['', undefined],
    ['__proto__', undefined],
  ])('is spelled in any case: %j is %j', (given, place) => {
    expect(spellHolidayPlace(given)).toBe(place);
  });

  test('that is unknown or off has no holidays', () => {
    for (const place of ['off', 'XX', 'DE-XX', '']) expect(holidaysIn(place).size).toBe(0);
  });
});

describe('the whole table', () => {
  const { first, last } = keptTable();
  const lines = keptTable().places.split('|');
  const places = lines.map((line) => line.split(' ')[0] ?? '');

  test('covers whole years, and each holiday lies within them and has a name', () => {
    expect([first.slice(4), last.slice(4), HOLIDAYS_KNOWN_UNTIL]).toEqual(['-01-01', '-12-31', last]);
    for (const place of places) {
      const holidays = holidaysIn(place);
      for (const [day, name] of holidays) {
        const date = formatDate(day);
        expect(date >= first && date <= last && name.trim() !== '', `${place} ${date} ${name}`).toBe(true);
      }
    }
  });

  test('has four days off or more for every country in every year', () => {
    const poor = holidayPlaces()
      .filter((place) => !place.includes('-'))
      .flatMap((country) => {
        const years = Map.groupBy(holidaysIn(country).keys(), (day) => formatDate(day).slice(0, 4));
        return [...years].filter(([, days]) => days.length < 4).map(([year]) => `${country} ${year}`);
      });
    expect(poor).toEqual([]);
  });

  test('names each place once, a country before its regions', () => {
    expect(new Set(places).size).toBe(places.length);
    for (const [i, place] of places.entries()) {
      const country = place.split('-')[0] ?? '';
      expect(places.indexOf(country)).toBeLessThanOrEqual(i);
    }
  });

  test('gives every zone of this runtime a place that it has, or none because the package knows no such country', () => {
    const unknown = Intl.supportedValuesOf('timeZone').filter((zone) => {
      const place = holidayPlaceOf(zone);
      return place === 'off' || !places.includes(place);
    });
    expect(unknown.filter((zone) => /^(?:America|Europe|Africa|Australia)\//.test(zone))).toEqual([]);
    expect(unknown.length).toBeLessThan(70);
  });
});
