/** Longest text that is read, in letters after compatibility letters such as ㎨ were written out. */
const LONGEST = 1_000;

/** A word, number or sign of a text. `word` is its plain form, and `start` and `end` are its place in the text. */
export interface Token {
  word: string;
  start: number;
  end: number;
}

export const readable = (text: string): string => text.normalize('NFKC').slice(0, LONGEST);

const TOKEN =
  /\b[A-Za-z]{3,30}\.(?:com|org|net|io|app|co)\b|(?<=\n[ \t]{0,4})\d{1,2}[.)](?=\s+\p{L})|<3|[:;]-?[DPpO](?![\p{L}\d])|2(?:moro|morrow|day|nite)\b|\d{4}-\d\d-\d\d|\d+(?:-\d+){2,}|[£$€]\s?\d[\d.,]*|(?:0?[1-9]|[12]\d|3[01])\.(?:[1-9]\.|(?:0[1-9]|1[0-2])\.(?=\d|\s?[-–,;(\d?!\p{Ll}]))(?:20\d\d|\d\d)?(?!\d)|\d{1,2}\.\d(?![\d.])|\d{1,2}\/\d{1,2}(?:\/\d{2,4})?(?!\d)|\d{1,2}[:.]\d\d(?!\d)|\d{1,2}h\d\d(?!\d)|\d+|[ap]\.\s?m\b\.?|\p{L}\d\p{L}(?!\p{L})|[\p{L}\p{M}]+(?:['’‘`´][\p{L}\p{M}]+)*|[.!?;,:()&+/@%~£$€=\n-]|[–—]|\p{Extended_Pictographic}/gu;

const SPELLINGS = `
  monday: mon; tuesday: tue tues; wednesday: wed weds wednes wensday wendesday; thursday: thu thur thurs thrs thursd thrusday; friday: fri; saturday: sat; sunday: sun; tomorrow: tmrw tmr tmrrw 2moro 2morrow tomoz tommorow tommorrow tomorow tmw; tonight: tonite 2nite; today: 2day; morning: morn mornin forenoon; afternoon: arvo aft; evening: eve; minute: min mins minutes; hour: hr hrs hours; half: hlf; week: wk wks weeks; month: months mth; noon: midday; january: jan;
  is: =; can: cn; please: pls plz pleas plese; you: u; and: n; are: r; before: b4; around: abt; instead: insted; because: cos cus coz bc cause; cant: cannot carnt; possible: poss; though: tho; thanks: thx ty thnx; sorry: soz srry; through: thru; reschedule: resched; could: cld cud; would: wld; appointment: appt apt appts; meeting: mtg mtgs meetings; ok: okay okey okie; dentist: dentists; doctor: doctors dr gp`;
const ALIASES = new Map(
  SPELLINGS.split(';').flatMap((entry) => {
    const [word = '', others = ''] = entry.split(':').map((part) => part.trim());
    return others.split(' ').map((other) => [other, word] as const);
  }),
);

function plainOf(slice: string): string {
  const word = slice.toLowerCase().replace(/['’‘`´]/g, '');
  if (/^[ap]\./.test(word)) return `${word[0]}m`;
  if (/^\p{Extended_Pictographic}$/u.test(word) && !/\d/.test(word)) return '.';
  if (/^(?:[–—]|\d+[.)])$/.test(word)) return '-';
  // "17.3" can be nothing but a date, and "3.5" may count hours.
  if (/^(?:1[3-9]|2\d|3[01])\.[1-9]$/.test(word)) return `${word}.`;
  return ALIASES.get(word) ?? word;
}

const IS = /^(?:it|that|there|he|she|what|where|who|here|this)$/i;
const ENDINGS: Record<string, string> = { m: 'am', re: 'are', ll: 'will', ve: 'have', d: 'would', s: "'s" };

const RANGE_END =
  /^(?:\d.*|am|pm|h|noon|st|nd|rd|th|.*day|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|lunch)$/;

/** A contraction makes two. A hyphen within a word counts as a blank, and one between two times is a token. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { index: start, 0: slice } of text.replace(/1\/2(?= ?h(?:ou)?rs?\b)/g, 'hlf').matchAll(TOKEN)) {
    const [, base, ending = ''] = /^(.+)['’‘`´](m|re|ll|ve|d|s)$/i.exec(slice) ?? [];
    const end = start + slice.length;
    tokens.push({ word: plainOf(base ?? slice), start, end });
    if (base === undefined) continue;
    const isVerb = ending.toLowerCase() === 's' && IS.test(base);
    tokens.push({ word: isVerb ? 'is' : (ENDINGS[ending.toLowerCase()] ?? ''), start, end });
  }
  return tokens.filter(({ word, start, end }, i) => {
    if (word !== '-') return true;
    const isTight = tokens[i - 1]?.end === start && tokens[i + 1]?.start === end;
    const [before, after] = [tokens[i - 1]?.word ?? '', tokens[i + 1]?.word ?? ''];
    return !isTight || (RANGE_END.test(before) && RANGE_END.test(after));
  });
}
