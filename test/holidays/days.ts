import Holidays from 'date-holidays';
import { DAY, HOUR } from '../../lib/engine/time/dates.ts';

/**
 * The days off of countries whose own the package lacks in part, by name: India's festivals, the whole weeks of China's,
 * Thailand's Buddhist days. They take the place of the package's. From the Python package holidays 0.102
 * (https://github.com/vacanza/holidays, MIT), as published until July 2026, and reckoned ahead from then on.
 */
const DAYS: Record<string, Record<string, string>> = {
  AE: {
    "New Year's Day": 'yearly 01-01',
    'Eid al-Fitr': '2026: 03-20 03-21 03-22, 2027: 03-09 03-10 03-11, 2028: 02-26 02-27 02-28, 2029: 02-14 02-15 02-16',
    'Arafat Day': '2026: 05-26, 2027: 05-15, 2028: 05-04, 2029: 04-23',
    'Eid al-Adha': '2026: 05-27 05-28 05-29, 2027: 05-16 05-17 05-18, 2028: 05-05 05-06 05-07, 2029: 04-24 04-25 04-26',
    'Islamic New Year': '2026: 06-16, 2027: 06-06, 2028: 05-25, 2029: 05-14',
    "Prophet's Birthday": '2026: 08-25, 2027: 08-14, 2028: 08-03, 2029: 07-24',
    'National Day': 'yearly 12-02 12-03',
  },
  BD: {
    "Mid-Sha'ban": '2026: 02-04, 2027: 01-24, 2028: 01-13, 2029: 01-01 12-22',
    "Language Martyrs' Day": 'yearly 02-21',
    'Laylat al-Qadr': '2026: 03-17, 2027: 03-07, 2028: 02-24, 2029: 02-12',
    'Jumatul Bidah': '2026: 03-20, 2027: 03-05, 2028: 02-25, 2029: 02-09',
    'Eid al-Fitr': '2026: 03-21 03-22 03-23, 2027: 03-10 03-11 03-12, 2028: 02-27 02-28 02-29, 2029: 02-15 02-16 02-17',
    'Independence Day': 'yearly 03-26',
    "Bengali New Year's Day": 'yearly 04-14',
    'May Day': 'yearly 05-01',
    'Eid al-Adha': '2026: 05-28 05-29 05-30, 2027: 05-17 05-18 05-19, 2028: 05-06 05-07 05-08, 2029: 04-25 04-26 04-27',
    Ashura: '2026: 06-26, 2027: 06-16, 2028: 06-04, 2029: 05-24',
    'July Mass Uprising Day': 'yearly 08-05',
    "Prophet's Birthday": '2026: 08-26, 2027: 08-15, 2028: 08-04, 2029: 07-25',
    'Victory Day': 'yearly 12-16',
    'Christmas Day': 'yearly 12-25',
  },
  CN: {
    "New Year's Day": 'yearly 01-01',
    "New Year's Day (observed)": '2026: 01-02, 2028: 01-03',
    'Spring Festival':
      '2026: 02-16 02-17 02-18 02-19, 2027: 02-05 02-06 02-07 02-08, 2028: 01-25 01-26 01-27 01-28, 2029: 02-12 02-13 02-14 02-15',
    'Spring Festival (observed)': '2026: 02-20 02-23, 2027: 02-09 02-10',
    'Qingming Festival': '2026: 04-05, 2027: 04-05, 2028: 04-04, 2029: 04-04',
    'Qingming Festival (observed)': '2026: 04-06',
    'Labor Day': 'yearly 05-01 05-02',
    'Labor Day (observed)': '2026: 05-04 05-05, 2027: 05-03 05-04',
    'Dragon Boat Festival (observed)': '2028: 05-29, 2029: 06-18',
    'Dragon Boat Festival': '2026: 06-19, 2027: 06-09, 2028: 05-28, 2029: 06-16',
    'Mid-Autumn Festival (observed)': '2029: 09-24',
    'Mid-Autumn Festival': '2026: 09-25, 2027: 09-15, 2028: 10-03, 2029: 09-22',
    'National Day': '2026: 10-01 10-02 10-03, 2027: 10-01 10-02 10-03, 2028: 10-01 10-02, 2029: 10-01 10-02 10-03',
    'National Day (observed)': '2026: 10-05 10-06 10-07, 2027: 10-04 10-05, 2028: 10-04',
  },
  EG: {
    'Coptic Christmas': 'yearly 01-07',
    'January 25 Revolution Day': '2029: 01-25',
    'January 25 Revolution Day (observed)': '2026: 01-29, 2027: 01-28, 2028: 01-27',
    'Eid al-Fitr': '2026: 03-20 03-21, 2027: 03-09 03-10, 2028: 02-26 02-27, 2029: 02-14 02-15',
    'Sham El Nessim': '2026: 04-13, 2027: 05-03, 2028: 04-17, 2029: 04-09',
    'Sinai Liberation Day': '2026: 04-25',
    'Sinai Liberation Day (observed)': '2027: 04-29, 2028: 04-27',
    'Labor Day': '2026: 05-01, 2027: 05-01',
    'Labor Day (observed)': '2029: 05-03',
    'Islamic New Year': '2028: 05-25',
    'Arafat Day': '2026: 05-26, 2027: 05-15, 2028: 05-04, 2029: 04-23',
    'Eid al-Adha': '2026: 05-27 05-28 05-29, 2027: 05-16 05-17 05-18, 2028: 05-05 05-06 05-07, 2029: 04-24 04-25 04-26',
    'Islamic New Year (observed)': '2026: 06-18, 2027: 06-10, 2029: 05-17',
    'June 30 Revolution Day': '2028: 06-30, 2029: 06-30',
    'June 30 Revolution Day (observed)': '2026: 07-02, 2027: 07-01',
    'July 23 Revolution Day': '2026: 07-23, 2027: 07-23',
    'July 23 Revolution Day (observed)': '2028: 07-27, 2029: 07-26',
    "Prophet's Birthday": '2026: 08-25, 2027: 08-14, 2028: 08-03, 2029: 07-24',
    'Armed Forces Day': '2028: 10-06, 2029: 10-06',
    'Armed Forces Day (observed)': '2026: 10-08, 2027: 10-07',
  },
  IN: {
    'Republic Day': 'yearly 01-26',
    Holi: '2026: 03-04, 2027: 03-22, 2028: 03-11, 2029: 03-01',
    'Maha Shivaratri': '2027: 03-06, 2028: 02-23, 2029: 02-11',
    'Eid al-Fitr': '2026: 03-21, 2027: 03-10, 2028: 02-27, 2029: 02-15',
    'Ram Navami': '2026: 03-26, 2027: 04-15, 2028: 04-03',
    'Mahavir Jayanti': '2026: 03-31, 2027: 04-18, 2028: 04-07, 2029: 04-26',
    'Good Friday': '2026: 04-03, 2027: 03-26, 2029: 03-30',
    'Ambedkar Jayanti': 'yearly 04-14',
    'Buddha Purnima': '2026: 05-01, 2027: 05-20, 2028: 05-08, 2029: 05-27',
    'Eid al-Adha': '2026: 05-27, 2027: 05-17, 2028: 05-06, 2029: 04-25',
    Ashura: '2026: 06-26, 2027: 06-16, 2028: 06-04, 2029: 05-24',
    'Independence Day': 'yearly 08-15',
    "Prophet's Birthday": '2026: 08-26, 2028: 08-04, 2029: 07-25',
    Janmashtami: '2026: 09-04, 2027: 08-25, 2028: 08-13, 2029: 09-01',
    'Gandhi Jayanti': 'yearly 10-02',
    Dussehra: '2026: 10-20, 2027: 10-09, 2028: 09-27, 2029: 10-16',
    Diwali: '2026: 11-08, 2027: 10-29, 2028: 10-17, 2029: 11-05',
    'Guru Nanak Jayanti': '2026: 11-24, 2027: 11-14, 2028: 11-02, 2029: 11-21',
    'Christmas Day': 'yearly 12-25',
  },
  KR: {
    "New Year's Day": 'yearly 01-01',
    'Korean New Year (observed)': '2027: 02-09',
    'Korean New Year':
      '2026: 02-16 02-17 02-18, 2027: 02-06 02-07 02-08, 2028: 01-26 01-27 01-28, 2029: 02-12 02-13 02-14',
    'Independence Movement Day': 'yearly 03-01',
    'Independence Movement Day (observed)': '2026: 03-02',
    'National Assembly Election Day': '2028: 04-12',
    "Children's Day": 'yearly 05-05',
    "Children's Day (observed)": '2029: 05-07',
    "Buddha's Birthday": '2026: 05-24, 2027: 05-13, 2028: 05-02, 2029: 05-20',
    "Buddha's Birthday (observed)": '2026: 05-25, 2029: 05-21',
    'Local Election Day': '2026: 06-03',
    'Memorial Day': 'yearly 06-06',
    'Constitution Day': 'yearly 07-17',
    'Liberation Day': 'yearly 08-15',
    'Liberation Day (observed)': '2026: 08-17, 2027: 08-16',
    Chuseok: '2026: 09-24 09-25 09-26, 2027: 09-14 09-15 09-16, 2028: 10-02 10-03 10-04, 2029: 09-21 09-22 09-23',
    'National Foundation Day': '2026: 10-03, 2027: 10-03, 2029: 10-03',
    'National Foundation Day (observed)': '2026: 10-05, 2027: 10-04',
    'Chuseok (observed)': '2028: 10-05, 2029: 09-24',
    'Hangul Day': 'yearly 10-09',
    'Hangul Day (observed)': '2027: 10-11',
    'Christmas Day': 'yearly 12-25',
    'Christmas Day (observed)': '2027: 12-27',
  },
  MY: {
    "New Year's Day": 'yearly 01-01',
    'Chinese New Year (observed)': '2027: 02-08',
    'Chinese New Year': '2026: 02-17 02-18, 2027: 02-06 02-07, 2028: 01-26 01-27, 2029: 02-13 02-14',
    'Eid al-Fitr': '2026: 03-21 03-22, 2027: 03-09 03-10, 2028: 02-26 02-27, 2029: 02-15',
    'Eid al-Fitr (observed)': '2026: 03-23, 2028: 02-28',
    'Labor Day': 'yearly 05-01',
    'Eid al-Adha (observed)': '2027: 05-17',
    'Eid al-Adha': '2026: 05-27, 2027: 05-16, 2028: 05-05, 2029: 04-24',
    'Vesak Day': '2026: 05-31, 2027: 05-20, 2028: 05-09, 2029: 05-27',
    "Yang di-Pertuan Agong's Birthday": '2026: 06-01, 2027: 06-07, 2028: 06-05, 2029: 06-04',
    'Vesak Day (observed)': '2026: 06-02, 2029: 05-28',
    'Islamic New Year': '2026: 06-17, 2027: 06-06, 2028: 05-25, 2029: 05-14',
    "Prophet's Birthday": '2026: 08-25, 2027: 08-14, 2028: 08-03, 2029: 07-24',
    'National Day': 'yearly 08-31',
    'Malaysia Day': 'yearly 09-16',
    'Malaysia Day (observed)': '2029: 09-17',
    Deepavali: '2026: 11-08 11-09, 2027: 10-28, 2028: 11-15, 2029: 11-05',
    'Christmas Day': 'yearly 12-25',
  },
  PH: {
    "New Year's Day": 'yearly 01-01',
    'Chinese New Year': '2026: 02-17, 2027: 02-06, 2028: 01-26, 2029: 02-13',
    'Eid al-Fitr': '2026: 03-20, 2027: 03-09, 2028: 02-26, 2029: 02-14',
    'Maundy Thursday': '2026: 04-02, 2027: 03-25, 2028: 04-13, 2029: 03-29',
    'Good Friday': '2026: 04-03, 2027: 03-26, 2028: 04-14, 2029: 03-30',
    'Black Saturday': '2026: 04-04, 2027: 03-27, 2028: 04-15, 2029: 03-31',
    'Day of Valor': 'yearly 04-09',
    'Labor Day': 'yearly 05-01',
    'Eid al-Adha': '2026: 05-27, 2027: 05-16, 2028: 05-05, 2029: 04-24',
    'Independence Day': 'yearly 06-12',
    'Ninoy Aquino Day': 'yearly 08-21',
    'National Heroes Day': '2026: 08-31, 2027: 08-30, 2028: 08-28, 2029: 08-27',
    "All Saints' Day": 'yearly 11-01',
    "All Souls' Day": '2026: 11-02',
    'Bonifacio Day': 'yearly 11-30',
    'Immaculate Conception': 'yearly 12-08',
    'Christmas Eve': '2026: 12-24',
    'Christmas Day': 'yearly 12-25',
    'Rizal Day': 'yearly 12-30',
    "New Year's Eve": 'yearly 12-31',
  },
  SA: {
    'Founding Day': 'yearly 02-22',
    'Eid al-Fitr':
      '2026: 03-19 03-20 03-21 03-22, 2027: 03-09 03-10 03-11 03-12, 2028: 02-26 02-27 02-28 02-29, 2029: 02-14 02-15 02-16 02-17',
    'Eid al-Fitr (observed)': '2026: 03-23 03-24, 2027: 03-14, 2028: 03-01, 2029: 02-18 02-19',
    'Arafat Day': '2026: 05-26, 2027: 05-15, 2028: 05-04, 2029: 04-23',
    'Eid al-Adha': '2026: 05-27 05-28 05-29, 2027: 05-16 05-17 05-18, 2028: 05-05 05-06 05-07, 2029: 04-24 04-25 04-26',
    'Eid al-Adha (observed)': '2026: 05-31, 2027: 05-19, 2028: 05-08 05-09',
    'National Day': 'yearly 09-23',
    'National Day (observed)': '2028: 09-24',
  },
  SG: {
    "New Year's Day": 'yearly 01-01',
    'Chinese New Year (observed)': '2027: 02-08',
    'Chinese New Year': '2026: 02-17 02-18, 2027: 02-06 02-07, 2028: 01-26 01-27, 2029: 02-13 02-14',
    'Eid al-Fitr': '2026: 03-21, 2027: 03-10, 2028: 02-26',
    'Good Friday': '2026: 04-03, 2027: 03-26, 2028: 04-14, 2029: 03-30',
    'Labor Day': 'yearly 05-01',
    'Eid al-Adha': '2026: 05-27, 2027: 05-17, 2028: 05-05, 2029: 04-24',
    'Vesak Day': '2026: 05-31, 2027: 05-20, 2028: 05-09, 2029: 05-27',
    'Vesak Day (observed)': '2026: 06-01, 2029: 05-28',
    'National Day': 'yearly 08-09',
    'National Day (observed)': '2026: 08-10',
    Deepavali: '2026: 11-08, 2027: 10-28, 2028: 11-15, 2029: 11-05',
    'Deepavali (observed)': '2026: 11-09',
    'Christmas Day': 'yearly 12-25',
  },
  TH: {
    "New Year's Day": 'yearly 01-01',
    "New Year's Day (observed)": '2026: 01-02, 2028: 01-03',
    "New Year's Eve (observed)": '2029: 01-02',
    'Makha Bucha (observed)': '2027: 02-22',
    'Makha Bucha': '2026: 03-03, 2027: 02-21, 2028: 02-10, 2029: 02-27',
    'Chakri Memorial Day': 'yearly 04-06',
    'Songkran Festival': 'yearly 04-13 04-14 04-15',
    'Songkran Festival (observed)': '2028: 04-17, 2029: 04-16',
    'Labor Day': 'yearly 05-01',
    'Labor Day (observed)': '2027: 05-03',
    'Coronation Day': 'yearly 05-04',
    'Visakha Bucha': '2026: 05-31, 2027: 05-20, 2028: 05-08, 2029: 05-27',
    'Visakha Bucha (observed)': '2026: 06-01, 2029: 05-28',
    "Queen Suthida's Birthday": 'yearly 06-03',
    "Queen Suthida's Birthday (observed)": '2028: 06-05, 2029: 06-04',
    'Asanha Bucha (observed)': '2027: 07-20',
    "King's Birthday": 'yearly 07-28',
    'Asanha Bucha': '2026: 07-29, 2027: 07-18, 2028: 07-06, 2029: 07-25',
    'Buddhist Lent Day': '2026: 07-30, 2027: 07-19, 2028: 07-07, 2029: 07-26',
    "King's Birthday (observed)": '2029: 07-30',
    "Queen Mother's Birthday": 'yearly 08-12',
    "Queen Mother's Birthday (observed)": '2028: 08-14, 2029: 08-13',
    'King Bhumibol Memorial Day': 'yearly 10-13',
    'King Bhumibol Memorial Day (observed)': '2029: 10-15',
    'King Chulalongkorn Day': 'yearly 10-23',
    'King Chulalongkorn Day (observed)': '2027: 10-25',
    "King Bhumibol's Birthday": 'yearly 12-05',
    "King Bhumibol's Birthday (observed)": '2026: 12-07, 2027: 12-06',
    'Constitution Day': 'yearly 12-10',
    'Constitution Day (observed)': '2028: 12-11',
    "New Year's Eve": 'yearly 12-31',
  },
  TW: {
    "New Year's Day": 'yearly 01-01',
    'Chinese New Year':
      '2026: 02-15 02-16 02-17 02-18 02-19, 2027: 02-04 02-05 02-06 02-07 02-08, 2028: 01-24 01-25 01-26 01-27 01-28, 2029: 02-11 02-12 02-13 02-14 02-15',
    'Chinese New Year (observed)': '2026: 02-20, 2027: 02-09 02-10, 2029: 02-16',
    'Peace Memorial Day (observed)': '2026: 02-27, 2027: 03-01',
    'Peace Memorial Day': 'yearly 02-28',
    "Children's Day (observed)": '2026: 04-03, 2027: 04-06, 2028: 04-03, 2029: 04-03',
    "Children's Day": 'yearly 04-04',
    'Qingming Festival': '2026: 04-05, 2027: 04-05',
    'Qingming Festival (observed)': '2026: 04-06',
    'Labor Day (observed)': '2027: 04-30',
    'Labor Day': 'yearly 05-01',
    'Dragon Boat Festival (observed)': '2028: 05-29, 2029: 06-15',
    'Dragon Boat Festival': '2026: 06-19, 2027: 06-09, 2028: 05-28, 2029: 06-16',
    'Mid-Autumn Festival (observed)': '2029: 09-21',
    'Mid-Autumn Festival': '2026: 09-25, 2027: 09-15, 2028: 10-03, 2029: 09-22',
    "Confucius' Birthday": 'yearly 09-28',
    'National Day (observed)': '2026: 10-09, 2027: 10-11',
    'National Day': 'yearly 10-10',
    'Taiwan Restoration Day': 'yearly 10-25',
    'Taiwan Restoration Day (observed)': '2026: 10-26',
    'Constitution Day (observed)': '2027: 12-24',
    'Constitution Day': 'yearly 12-25',
    "New Year's Day (observed)": '2027: 12-31',
  },
  VN: {
    "New Year's Day": 'yearly 01-01',
    "New Year's Day (observed)": '2028: 01-03',
    'Lunar New Year':
      '2026: 02-16 02-17 02-18 02-19 02-20, 2027: 02-04 02-05 02-06 02-07 02-08 02-09 02-10, 2028: 01-24 01-25 01-26 01-27 01-28 01-29, 2029: 02-12 02-13 02-14 02-15 02-16',
    "Hung Kings' Festival": '2026: 04-26, 2027: 04-16, 2028: 04-04, 2029: 04-23',
    "Hung Kings' Festival (observed)": '2026: 04-27',
    'Reunification Day': 'yearly 04-30',
    'Labor Day': 'yearly 05-01',
    'Reunification Day (observed)': '2028: 05-02',
    'Labor Day (observed)': '2027: 05-03',
    'National Day': '2026: 09-01 09-02, 2027: 09-02 09-03, 2028: 09-01 09-02, 2029: 09-02 09-03',
    'National Day (observed)': '2028: 09-04, 2029: 09-04',
  },
};

/** The last year that the days above reach. */
const LAST_YEAR = 2029;

/** Holidays that begin when a new moon is seen, so that their dates are only expected until then. */
const BY_THE_MOON =
  /\b(?:Eid|Arafat|Ashura|Islamic New Year|Prophet['’]s Birthday|Laylat|Ramadan|Sha'ban|Jumatul|Hari Raya)\b/;

/** Returns a country's days off in the given years, as names by date, or undefined where the package's are good. */
function ownDaysOff(country: string, years: readonly number[]): Map<string, string> | undefined {
  const named = DAYS[country];
  if (named === undefined) return undefined;
  const days = new Map<string, string>();
  for (const [name, dates] of Object.entries(named))
    for (const date of datesOf(dates, years)) if (!days.has(date)) days.set(date, name);
  for (const year of years) if (year > LAST_YEAR) throw new Error(`Add the days of ${year} to days.ts.`);
  return days;
}

const withMoon = (name: string): string => (BY_THE_MOON.test(name) ? `${name} (the date may move by a day)` : name);

/** Reads "yearly 05-01 05-02" or "2026: 03-04, 2027: 03-22". */
function datesOf(text: string, years: readonly number[]): string[] {
  const [, yearly] = /^yearly (.*)$/.exec(text) ?? [];
  if (yearly !== undefined) return years.flatMap((year) => yearly.split(' ').map((day) => `${year}-${day}`));
  return text.split(', ').flatMap((part) => {
    const [year = '', days = ''] = part.split(': ');
    return years.includes(Number(year)) ? days.split(' ').map((day) => `${year}-${day}`) : [];
  });
}

/** The hour at which a holiday must be under way to make its date a day off. */
const MORNING = 9 * HOUR;

/**
 * Holidays on which banks and offices of the state are closed and most people work: in the United States, 16 % and 20 % of
 * employers close on the two (SHRM's survey of holiday schedules for 2015).
 */
const WORKED: Record<string, string[]> = {
  AU: ['Bank Holiday'],
  IE: ['Good Friday'],
  US: ['Columbus Day', 'Veterans Day'],
};

/** Holidays for which a country takes the Monday off if they are a Sunday, and the package does not (Holidays Act, s. 2). */
const MOVED: Record<string, string> = { CA: 'Canada Day' };

/** Countries that write it so in English. */
const LABOUR = ['AU', 'CA', 'GB', 'IE', 'IN', 'NZ', 'ZA'];

const all = new Holidays();

export const listCountries = (): string[] => Object.keys(all.getCountries()).sort();

export const listRegions = (country: string): string[] =>
  Object.keys(all.getStates(country) ?? {})
    .map((region) => `${country}-${region}`)
    .sort();

/**
 * Returns a country's or region's days off in the given years, as names by date YYYY-MM-DD. These are the public
 * holidays, and the bank holidays, on which banks and offices are closed. A holiday that begins at midday or later, such
 * as Christmas Eve in Germany, is no day off. One that begins at sunset counts on the date after. Names are
 * English, and a day off in place of a holiday is called observed.
 */
export function daysOff(place: string, years: readonly number[]): Map<string, string> {
  const [country = '', ...region] = place.split('-');
  const packaged = daysOfPackage(country, region.join('-'), years);
  const own = ownDaysOff(country, years);
  if (own === undefined) return inOrder(packaged);
  const national = region.length === 0 ? packaged : daysOfPackage(country, '', years);
  return inOrder([...own, ...[...packaged].filter(([date]) => !national.has(date) && !own.has(date))]);
}

const inOrder = (days: Iterable<[string, string]>): Map<string, string> =>
  new Map(
    [...days].map(([date, name]): [string, string] => [date, withMoon(name)]).sort(([a], [b]) => (a < b ? -1 : 1)),
  );

function daysOfPackage(country: string, region: string, years: readonly number[]): Map<string, string> {
  const holidays = new Holidays(country, region);
  const found = new Map<string, string>();
  const [first = 0] = years;
  // The year before can have a holiday that lasts into the first year.
  for (const year of [first - 1, ...years])
    for (const { date, start, end, name, type, rule } of holidays.getHolidays(year, 'en')) {
      if (!/^(?:public|bank)$/.test(type) || WORKED[country]?.some((worked) => name.startsWith(worked))) continue;
      const given = englishName(name, rule, holidays);
      const spelled = LABOUR.includes(country) ? given.replace('Labor Day', 'Labour Day') : given;
      const english = WITHOUT_BOXING_DAY.has(country) ? spelled.replace('Boxing Day', 'Second Christmas Day') : spelled;
      const begins = wallTime(date);
      const ends = begins + (end.getTime() - start.getTime());
      for (let day = Math.floor(begins / DAY) * DAY; day < ends; day += DAY) {
        const text = new Date(day).toISOString().slice(0, 10);
        const isDayOff = begins <= day + MORNING && day + MORNING < ends && years.includes(Number(text.slice(0, 4)));
        if (isDayOff && !found.has(text)) found.set(text, english);
        const isMoved = MOVED[country] === english && new Date(day).getUTCDay() === 0;
        if (isDayOff && isMoved) found.set(new Date(day + DAY).toISOString().slice(0, 10), `${english} (observed)`);
      }
    }
  return found;
}

/** The package's rules with their names by language. Its types leave them out. */
interface Named {
  holidays: Record<string, { name?: string | Record<string, string> }>;
}

/** Returns the name in English, with "(observed)" for a day off in place of a holiday. Throws if no English name is known. */
function englishName(name: string, rule: string, holidays: Holidays): string {
  const [, base = name, substitute = ''] = /^(.*?)( \(substitute(?: day|s)\))?$/.exec(name) ?? [];
  const names = (holidays as unknown as Named).holidays[rule]?.name;
  const isLocal = typeof names === 'object' && names.en === undefined;
  const english = ENGLISH_NAMES[base] ?? (isLocal ? undefined : base);
  if (english === undefined) throw new Error(`${base} needs an English name in ENGLISH_NAMES.`);
  return substitute === '' ? english : `${english} (observed)`;
}

/**
 * Reads the package's date, whose time is the place's own, as if it were UTC. "2026-03-20 00:00:00 -0600" begins six
 * hours before that date.
 */
function wallTime(date: string): number {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?: ([+-]\d\d)00)?$/.exec(date);
  if (!match) throw new Error(`The package writes a date in another way than expected: ${date}`);
  return Date.parse(`${match[1]}T${match[2]}Z`) + Number(match[3] ?? 0) * HOUR;
}

/**
 * English names of the holidays that the package names in a local language, also where it calls that name English, and
 * of those that English speakers know by another name.
 */
const ENGLISH_NAMES: Record<string, string> = {
  'End of Ramadan (Eid al-Fitr)': 'Eid al-Fitr',
  'Feast of the Sacrifice (Eid al-Adha)': 'Eid al-Adha',
  'Birthday of Muhammad (Mawlid)': "Prophet's Birthday",
  'Labour Day': 'Labor Day',
  'First Monday in May': 'May Bank Holiday',
  'First Monday in June': 'June Bank Holiday',
  'First Monday in August': 'August Bank Holiday',
  'Last Monday in October': 'October Bank Holiday',
  '2 Janvier': 'Second of January',
  'Adesão do Grão-Pará à independência do Brasil': 'Accession of Grão-Pará to Independence',
  'Adesão do Maranhão à independência do Brasil': 'Accession of Maranhão to Independence',
  'Alusivo ao Dia Internacional da Mulher': "International Women's Day",
  'Aniversário do estado': 'State Anniversary',
  'Autonomia do Estado': 'State Autonomy Day',
  Berchtoldstag: "Saint Berchtold's Day",
  Bundesfeiertag: 'Swiss National Day',
  Carnaval: 'Carnival',
  'Celebración del Divino Salvador del Mundo': 'Feast of the Divine Savior of the World',
  'Cerimonia di investitura dei Capitani Reggenti': 'Investiture of the Captains Regent',
  'Criação do Território Federal': 'Creation of the Federal Territory',
  'Criação do estado': 'Creation of the State',
  'Data magna do estado': 'State Day',
  'Dia da Amazônia': 'Amazon Day',
  'Dia de Cataluña': 'National Day of Catalonia',
  'Dia de Nossa Senhora da Penha': 'Feast of Our Lady of Penha',
  'Dia de Santa Catarina': 'Santa Catarina Day',
  'Dia de Santa Catarina de Alexandria': 'Feast of Saint Catherine of Alexandria',
  'Dia de São Jorge': "Saint George's Day",
  'Dia de São José': "Saint Joseph's Day",
  'Dia do Evangélico': 'Evangelical Day',
  'Dia do Piauí': 'Piauí Day',
  'Dia do evangélico': 'Evangelical Day',
  'Día de Andalucía': 'Andalusia Day',
  'Día de Aragón': 'Aragon Day',
  'Día de La Divina Pastora': 'Feast of the Divine Shepherdess',
  'Día de La Rioja': 'La Rioja Day',
  'Día de Maturin': 'Maturín Day',
  'Día de la Comunidad de Madrid': 'Madrid Day',
  'Día de la Constitución Española': 'Spanish Constitution Day',
  'Día de la Virgen de la Chinita': 'Feast of the Virgin of Chiquinquirá',
  'Día de la Virgen del Socorro': 'Feast of the Virgin of Succor',
  'Día de las Américas': 'Pan American Day',
  'Día de les Illes Balears': 'Balearic Islands Day',
  'Elevação do Amazonas à categoria de província': 'Elevation of Amazonas to a Province',
  'Emancipação política': 'Political Emancipation Day',
  'Emancipação política de Sergipe': 'Political Emancipation of Sergipe',
  'Emancipação política do estado do Paraná': 'Political Emancipation of Paraná',
  Feiertagsbrücke: 'Bridge Day',
  'Fiesta Nacional de España': 'National Day of Spain',
  'Fiestas Agostinas': 'August Festivals',
  'Fundação da Cidade de Goiás': 'Foundation of the City of Goiás',
  'Fundação de Brasília': 'Foundation of Brasília',
  'Fête de la commémoration de la conférence nationale souveraine': 'Sovereign National Conference Day',
  'Fête du Vodoun': 'Vodoun Festival',
  'Fête nationale': 'National Day',
  'Gesta Heroica de Juan Santamaría': 'Juan Santamaría Day',
  'Giorno festivo federale': 'Swiss National Day',
  'Homenagem à memória do ex-presidente João Pessoa': 'João Pessoa Memorial Day',
  'Implantação da República': 'Republic Day',
  'Independência da Bahia': 'Bahia Independence Day',
  'Instauration de la République': 'Restoration of the Republic',
  "Jour de l'an": "New Year's Day",
  'Journée nationale de la République': 'Republic Day',
  'Jeûne Genevois': 'Geneva Fast Day',
  'La Bajada de la Virgen del Socorro': 'Descent of the Virgin of Succor',
  'Lançamento da pedra fundamental de Goiânia': 'Foundation of Goiânia',
  'Mariä Geburt': 'Nativity of Mary',
  Mauritiustag: "Saint Maurice's Day",
  'Morte de Zumbi dos Palmares': 'Zumbi dos Palmares Day',
  'Mártires de Cunhaú e Uruaçu': 'Martyrs of Cunhaú and Uruaçu',
  'Natalicio de Jacinto Lara': 'Birthday of Jacinto Lara',
  'Natalicio de José Antonio Anzoátegui': 'Birthday of José Antonio Anzoátegui',
  'Natalicio de Rafael Urdaneta': 'Birthday of Rafael Urdaneta',
  'Nossa Senhora da Natividade': 'Nativity of Our Lady',
  'Nossa Senhora das Neves': 'Our Lady of the Snows',
  'Nuestra Señora de Guadalupe': 'Our Lady of Guadalupe',
  'Nuestra Señora de la Peña': 'Our Lady of the Rock',
  'Nuestra Señora de las Nieves': 'Our Lady of the Snows',
  'Nuestra Señora de los Dolores': 'Our Lady of Sorrows',
  'Nuestra Señora de los Reyes': 'Our Lady of the Kings',
  'Nuestra Señora del Pino': 'Our Lady of the Pine',
  'Näfelser Fahrt': 'Näfels Procession',
  'Pidjiguiti Day': 'Pidjiguiti Day',
  'Primer Grito de Independencia': 'First Cry of Independence',
  'Proclamação da República Rio-Grandense': 'Proclamation of the Riograndense Republic',
  'Restauração da Independência': 'Restoration of Independence',
  'Revolução Constitucionalista': 'Constitutionalist Revolution',
  'Revolução Pernambucana de 1817': 'Pernambuco Revolution of 1817',
  'Saint-Berthold': "Saint Berchtold's Day",
  'San Esteban': "Saint Stephen's Day",
  'San Juan': "Saint John's Day",
  Staatsfeiertag: 'National Day',
  'São João': "Saint John's Day",
  'São Pedro': "Saint Peter's Day",
  'عيد الإستقلال': 'Independence Day',
  'عيد الثورة و الشباب': 'Revolution and Youth Day',
  'عيد الجلاء': 'Evacuation Day',
  'عيد الجمهورية': 'Republic Day',
  'عيد الشهداء': "Martyrs' Day",
  'عيد المرأة': "Women's Day",
  'Día de Asturias': 'Asturias Day',
  'Día de las Instituciones de Cantabria': 'Cantabria Institutions Day',
  'Nuestra Señora de África': 'Our Lady of Africa',
  'Día de Ceuta': 'Ceuta Day',
  'Fiesta de Castilla y León': 'Castile and León Day',
  'Día de Castilla-La Mancha': 'Castile-La Mancha Day',
  'Día de Extremadura': 'Extremadura Day',
  'Día de las Letras Gallegas': 'Galician Literature Day',
  'Día Nacional de Galicia': 'Galicia Day',
  "Jour de l'Afrique": 'Africa Day',
  "Mémoire du père de l'indépendance Rév. Dr. W.H. Lini": 'Father Walter Lini Day',
  'Fête des chefs coutumiers': "Custom Chiefs' Day",
  'Journée Mondiale des Enfants': "Children's Day",
  "Jour de l'Unité": 'Unity Day',
  'Fête de Famille': 'Family Day',
  'Santiago Apóstol': "Saint James's Day",
  'La Bien Aparecida': 'Our Lady of Bien Aparecida',
};

/** The countries in which the package calls 26 December Boxing Day, although nobody there does. */
const WITHOUT_BOXING_DAY: ReadonlySet<string> = new Set(
  'AD AT AW AX BA BQ CH CW CZ DE DK EE FI FO GL GR HR HU IS IT LI LT LU LV ME NL NO PL RO SE SJ SK SM SR SX VA'.split(
    ' ',
  ),
);
