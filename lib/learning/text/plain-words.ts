/** No reason is longer. */
const LONGEST = 1_000;

/** How short forms are written out; every key is one word. */
const WRITTEN_OUT = new Map(
  Object.entries({
    u: 'you',
    r: 'are',
    nxt: 'next',
    wk: 'week',
    wks: 'weeks',
    hr: 'hour',
    hrs: 'hours',
    min: 'minutes',
    mins: 'minutes',
    minute: 'minutes',
    pls: 'please',
    plz: 'please',
    tmrw: 'tomorrow',
    tmr: 'tomorrow',
    tomo: 'tomorrow',
    tonight: 'today evening',
    till: 'until',
    til: 'until',
    "'til": 'until',
    ok: 'okay',
    traveling: 'travelling',
    "won't": 'will not',
    wont: 'will not',
    "can't": 'can not',
    cant: 'can not',
    cannot: 'can not',
    "let's": 'lets',
    "i'm": 'i am',
    im: 'i am',
    its: 'it is',
    thats: 'that is',
    "o'clock": 'oclock',
  }),
);
const LOST_APOSTROPHE = /^(do|does|is|are|did|would|could|was|were|should|have|has)nt$/;
const ENDINGS: [ending: string, word: string][] = [
  ["n't", 'not'],
  ["'re", 'are'],
  ["'ve", 'have'],
  ["'ll", 'will'],
  ["'d", 'would'],
  ["'s", 'is'],
  ["s'", ''],
];

const UNIT: Record<string, string> = { m: 'minutes', h: 'hours' };
const TOKEN = /\d{4}-\d{2}-\d{2}|\d{1,2}[:.]\d{2}(?!\d)|\d+|\p{L}+(?:'\p{L}+)?|[^\s]/gu;

/**
 * Free text as words with a space between any two: lower case, contractions written out, slips of the keys put right in
 * the words that matter, each mark of punctuation a word of its own, a line's end a semicolon.
 */
export function plainWords(text: string): string {
  const level = text
    .slice(0, LONGEST)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(/[‘’ʼ`´′]/g, "'")
    .replace(/(?<!\d)\s-+\s|\s-+\s(?!\d)|[–—―\n]/g, ' ; ')
    .replace(/[‐‑‒−]/g, '-')
    .replace(/\b([ap])\. ?m\b\.?/g, '$1m')
    .replace(/(?<!\S)\+ ?(\d{1,3}) ?(m|h)(?:in|ou)?[a-z]*/g, (_, amount, unit) => `${amount} ${UNIT[unit]} later`)
    .replace(/\b(at|around|from|until|after|before|by) ([01]\d|2[0-3])([0-5]\d)\b(?<!\b20[2-9]\d)/g, '$1 $2:$3')
    .replace(/\b(?:an hour and a half|(?:one|1) and a half hours?|1[.,]5 ?h(?:ou)?rs?)\b/g, '90 minutes')
    .replace(/\b(?:post|pre)[- ](?=lunch)/g, (word) => (word.startsWith('post') ? 'after ' : 'before '))
    .replace(/(\p{L})\1{2,}/gu, '$1$1');
  const words = (level.match(TOKEN) ?? []).flatMap((word) => writtenOut(word).split(' '));
  return words.map((word, i) => inItsPlace(spelled(word), words[i - 1])).join(' ');
}

function writtenOut(word: string): string {
  const known = WRITTEN_OUT.get(word);
  if (known !== undefined) return known;
  const verb = LOST_APOSTROPHE.exec(word)?.[1];
  if (verb !== undefined) return `${verb} not`;
  for (const [ending, full] of ENDINGS)
    if (word.endsWith(ending) && word.length > ending.length) return `${word.slice(0, -ending.length)} ${full}`.trim();
  return word;
}

function inItsPlace(word: string, before: string | undefined): string {
  return word === 'weak' && /^(?:next|this|a|one|another|following|the)$/.test(before ?? '') ? 'week' : word;
}

/** The words worth putting right. */
const RIGHT = `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
  saturdays sundays january february august september october november december today tomorrow morning mornings afternoon
  afternoons evening evenings earlier later before after instead prepare between around until weekend earliest latest
  sooner early move`.split(/\s+/);
/** Words of their own that look like one of them. */
const OTHERS = new Set(
  `water alter altar cater hater mourning unlit untie letter letters latte earnest surely nearly yearly pearly early
   dearly clearly sunny sundry evenly waiter laser layer lately either under often offer order actor afterwards weekday
   weekdays weekends frida another rather whether lather gather movie movies moves moved mover moving`.split(/\s+/),
);
const KNOWN = new Set([...RIGHT, ...OTHERS]);

/** The word that was meant, when exactly one of those that matter is a slip away: one to six letters, two from seven on. */
function spelled(word: string): string {
  if (word.length < 5 || KNOWN.has(word) || !/^[a-z]+$/.test(word)) return word;
  const slips = word.length < 7 ? 1 : 2;
  let best: string[] = [];
  let least = slips + 1;
  for (const right of RIGHT) {
    if (Math.abs(right.length - word.length) > slips || right[0] !== word[0]) continue;
    const distance = slipsBetween(word, right);
    if (distance < least) [best, least] = [[right], distance];
    else if (distance === least && least <= slips) best.push(right);
  }
  return best.length === 1 && best[0] !== undefined ? best[0] : word;
}

/** Letters added, lost, changed, or swapped with their neighbour. */
function slipsBetween(a: string, b: string): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const other = swapped ? (older[j - 2] ?? 0) + 1 : changed;
      row.push(Math.min(changed, other, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [older, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
