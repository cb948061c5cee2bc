import Holidays from 'date-holidays';
import { DAY, HOUR } from '../../lib/engine/time/dates.ts';
import { ownDaysOff, withMoon } from './own-days.ts';

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
