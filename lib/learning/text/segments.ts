/** Stands for what a segment mentions: `sentimentOf` is asked about the segment with the mention replaced by this. */
export const MENTION = '§';

/** Free text in one spelling: lower case, plain apostrophes, dashes and spaces, contractions that lost their apostrophe. */
export function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(MENTION, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‘’ʼ`´′]/g, "'")
    .replace(/\s*[–—―]\s*| -+ /g, ' ; ')
    .replace(/[‐‑‒−]/g, '-')
    .replace(/\b(ca|do|does|is|are|wo|did|would|could|was)nt\b/g, "$1n't")
    .replace(/\b(can|do|does|is|are|will|did|would|could) not\b/g, "$1n't")
    .replace(/\bcannot\b/g, "can't")
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

const BREAK =
  /[.;!?\n,()]|(?<!\b(?:anything|everything|nothing|any ?time|any ?day|every ?day|all days|all))\s+but\b|\bbecause\b|\bsince\b|\bthough\b/;

/** The segments of a normalised text. */
export const segmentsOf = (text: string): string[] =>
  text
    // A full stop inside a time or an abbreviation ends nothing.
    .replace(/\b([ap])\.m\.?/g, '$1m')
    .split(BREAK)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '');
