/** Free text in one spelling: lower case, plain apostrophes, dashes and spaces, contractions that lost their apostrophe. */
export function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[‘’ʼ`´′]/g, "'")
    .replace(/ ?[–—―] ?| -+ /g, ' ; ')
    .replace(/[‐‑‒−]/g, '-')
    .replace(/\b(ca|do|does|is|are|wo|did|would|could|was)nt\b/g, "$1n't")
    .replace(/\b(can|do|does|is|are|will|did|would|could) not\b/g, "$1n't")
    .replace(/\bcannot\b/g, "can't")
    .replace(/ {2,}/g, ' ')
    .replace(/\b([ap])\.m\.?/g, '$1m')
    .trim();
}

const BREAK =
  /[.;!?\n,()]|(?<!\b(?:anything|everything|nothing|any ?time|any ?day|every ?day|all days|all)) but\b|\bbecause\b|\bsince\b|\bthough\b/g;

/** The segments of a normalised text: what stands between its full stops, commas and turning words. */
export const segmentsOf = (text: string): string[] =>
  text
    .split(BREAK)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '');

/** A place in a text, and the words of its segment before and after it, as far as they can speak of it. */
export interface Mention {
  text: string;
  before: string[];
  after: string[];
}

/** Words further away say nothing of a mention, and each mention is read by itself. */
const REACH = 200;

/** The places a global pattern finds in a normalised text, in their segments; a break within a place is none. */
export function mentionsOf(text: string, pattern: RegExp): Mention[] {
  const breaks = [...text.matchAll(BREAK)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));
  let next = 0;
  let from = 0;
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
    const end = index + found.length;
    for (; (breaks[next]?.end ?? Infinity) <= index; next++) from = breaks[next]?.end ?? from;
    let last = next;
    while ((breaks[last]?.start ?? Infinity) < end) last++;
    const to = breaks[last]?.start ?? text.length;
    return { text: found, before: wordsBefore(text.slice(from, index)), after: wordsAfter(text.slice(end, to)) };
  });
}

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '');

// The word at which the reach ends may be cut, so it is left out.
const wordsBefore = (text: string) => (text.length > REACH ? wordsOf(text.slice(-REACH)).slice(1) : wordsOf(text));

const wordsAfter = (text: string) => {
  const words = wordsOf(text.slice(0, REACH).replace(/'(?:s|re)\b/g, ' is'));
  return text.length > REACH ? words.slice(0, -1) : words;
};

/** Whether a text has these expressions one behind the other, with anything between. */
export function inOrder(...sources: string[]): (text: string) => boolean {
  const patterns = sources.map((source) => new RegExp(source, 'g'));
  return (text) => {
    let from = 0;
    return patterns.every((pattern) => {
      pattern.lastIndex = from;
      const isThere = pattern.test(text);
      from = pattern.lastIndex;
      return isThere;
    });
  };
}
