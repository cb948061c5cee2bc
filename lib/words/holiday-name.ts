/** Names that many countries give to a holiday, and that say nothing of its occasion: "National Holiday". */
export const GENERIC = /^(?:national|public|bank|state|civic) holiday\b/i;
/** Names that begin with a title, such as "King's Birthday", or with a common noun, such as "Day of Reconciliation". */
const WITH_ARTICLE = [
  /^(?:National )?Day (?:of|after|before|following) /,
  /^(?!Our Lady|Saint |.* Day(?: \(observed\))?$)[\p{L}\d'’-]+(?: [\p{L}\d'’-]+)? (?:of|after|before|following) /u,
  /^(?:King|Queen|Emperor|Sultan|Sovereign)['’]s .*\bBirthday/,
  /^[^,]*\b(?:holidays?|festivals?|conception|revolution|armistice)(?: \(observed\))?$/i,
];

/** Stands after "is" or "after": "Thanksgiving Day", "the King's Birthday", "a national holiday". */
export function holidayName(name: string): string {
  const [generic] = GENERIC.exec(name) ?? [];
  if (generic !== undefined) return `a ${generic.toLowerCase()}${name.slice(generic.length)}`;
  if (/^the /i.test(name)) return `the ${name.slice(4)}`;
  return WITH_ARTICLE.some((pattern) => pattern.test(name)) ? `the ${name}` : name;
}
