import { say } from './patterns.ts';

/** Names that many countries give to a holiday, and that say nothing of its occasion: "National Holiday". */
export const GENERIC = /^(?:national|public|bank|state|civic) holiday\b/i;
/** Names that begin with a title, such as "King's Birthday", or with a common noun, such as "Day of Reconciliation". */
const WITH_ARTICLE = [
  /^(?:National )?Day (?:of|after|before|following) /,
  /^(?!Our Lady|Saint |.* Day(?: \(observed\))?$)[\p{L}\d'’-]+(?: [\p{L}\d'’-]+)? (?:of|after|before|following) /u,
  /^(?:King|Queen|Emperor|Sultan|Sovereign|Prophet)['’]s .*\bBirthday/,
  /^[^,]*\b(?:holidays?|festivals?|conception|revolution|armistice)(?: \(observed\))?$/i,
];

/** What the table of holidays adds to a name if the date depends on the sight of the moon. */
const BY_THE_MOON = / \(the date may move by a day\)$/;

/** Says that words about a holiday hold only probably, if the holiday's date depends on the sight of the moon. */
export const probably = (name: string, what: string): string =>
  BY_THE_MOON.test(name) ? say('holiday.probably', { what }) : what;

/** As it stands after "is": "Thanksgiving Day", "the King's Birthday", "a national holiday". */
export function holidayName(named: string): string {
  const name = named.replace(BY_THE_MOON, '');
  const [generic] = GENERIC.exec(name) ?? [];
  if (generic !== undefined) return `a ${generic.toLowerCase()}${name.slice(generic.length)}`;
  if (/^the /i.test(name)) return `the ${name.slice(4)}`;
  return WITH_ARTICLE.some((pattern) => pattern.test(name)) ? `the ${name}` : name;
}

/** Says what a date is that has a holiday: "Thanksgiving Day", "probably Eid al-Fitr". */
export const holidayOn = (name: string): string => probably(name, holidayName(name));
