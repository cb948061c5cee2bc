/** A character that nobody sees, that only changes how its neighbors are shown, or that has no meaning of its own. */
const HIDDEN = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Noncharacter_Code_Point}\u2800]`;
/** Scripts in which a joiner between two letters changes their form. */
const JOINING = ['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda']
  .concat('Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt')
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('');
/** The places in which real text needs a hidden character. Each takes one, so nobody can spell a word there. */
const NEEDED = [
  // Flags of England, Scotland and Wales
  String.raw`(?<=\u{1f3f4})\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
  // Emoji of several parts, and an emoji's selector
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{RI}])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<!${HIDDEN})(?<=[${JOINING}])[\u200c\u200d]`,
  String.raw`(?<!${HIDDEN})(?<=\p{scx=Mong})[\u180b-\u180f]`,
  // Breaks between words that are written without blanks, and within long words
  String.raw`(?<!${HIDDEN})(?<=[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])\u200b`,
  String.raw`(?<=\p{L})\u00ad(?=\p{L})`,
  // Signs before numbers and names, which are seen
  String.raw`(?<!${HIDDEN})[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}](?=[\p{L}\p{Nd}])`,
].join('|');
const PLACES = new RegExp(`(?=${HIDDEN})(?:(${NEEDED})|[^])`, 'gu');

/** Characters that no real text has elsewhere: tags, overrides of direction, and runs of variation selectors. */
const NEVER = /[\u{e0000}-\u{e007f}\u202d\u202e]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}/u;
/** Most hidden characters of a short text, such as direction marks around names, and of each further 100 characters. */
const [MOST, EACH] = [8, 100];

const ANY_HIDDEN = new RegExp(HIDDEN, 'u');

export const hasHidden = (text: string): boolean => ANY_HIDDEN.test(text);

/** Replaces each hidden character of a text that real text does not need in its place, by default with nothing. */
export const withoutHidden = (text: string, written: (hidden: string) => string = () => ''): string =>
  text.replaceAll(PLACES, (hidden: string, needed: string | undefined) =>
    needed === undefined ? written(hidden) : hidden,
  );

/** Returns a text with each hidden character as its escape sequence in JSON, so that whoever reads it sees it. */
export const withHiddenShown = (text: string): string =>
  withoutHidden(text, (hidden) =>
    hidden
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** True if a text has so many hidden characters that a language model could read words in them. */
export function hidesText(text: string): boolean {
  const found: string[] = [];
  // A mark in place of what is needed keeps its neighbors apart.
  const rest = text.replaceAll(PLACES, (hidden: string, needed: string | undefined) => {
    if (needed !== undefined) return '-';
    found.push(hidden);
    return hidden;
  });
  return found.length > MOST + text.length / EACH || NEVER.test(rest);
}

export const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{C}\u2800]/u;
