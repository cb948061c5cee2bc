import { BOUND_REWRITES } from './bound-rewrites.ts';
import { EVERYDAY_REWRITES } from './everyday-rewrites.ts';
import { REWRITES } from './rewrites.ts';
import { SALUTATIONS } from './salutations.ts';
import { slipsBetween } from './slips-between.ts';
import { TIME_REWRITES } from './time-rewrites.ts';
import { WEEK_REWRITES } from './week-rewrites.ts';

/** The number of characters of a text that are read. No rescheduling reason is longer. */
const LONGEST = 1_000;

/** The full spellings of abbreviations and contractions, keyed by the short form. Every short form is one word. */
const WRITTEN_OUT = new Map(
  Object.entries({
    u: 'you',
    ur: 'your',
    ye: 'you',
    twould: 'it would',
    n: 'and',
    cn: 'can',
    cud: 'could',
    wud: 'would',
    shud: 'should',
    thx: 'thanks',
    ta: 'thanks',
    poss: 'possible',
    aft: 'afternoon',
    arvo: 'afternoon',
    forenoon: 'morning',
    forenoons: 'mornings',
    gonna: 'going to',
    wanna: 'want to',
    gotta: 'have to',
    cos: 'because',
    coz: 'because',
    cuz: 'because',
    bc: 'because',
    tomoz: 'tomorrow',
    tmw: 'tomorrow',
    tmro: 'tomorrow',
    thur: 'thursday',
    midday: 'noon',
    w: 'with',
    appt: 'appointment',
    appts: 'appointments',
    mtg: 'meeting',
    mtgs: 'meetings',
    dont: 'do not',
    isnt: 'is not',
    ive: 'i have',
    id: 'i would',
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
    "shan't": 'will not',
    shant: 'will not',
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

const TOKEN = /\d{4}-\d{2}-\d{2}|\d{1,2}[:.]\d{2}(?!\d)|\d+|\p{L}+(?:'\p{L}+)?|[^\s]/gu;

/** A word of a normalized text, with the span of the original text that it stands for. */
export interface Word {
  word: string;
  start: number;
  end: number;
}

/**
 * Normalizes free text to words. It writes lower case, spells out contractions, and corrects typing errors in the words
 * that matter. Every punctuation mark becomes a word, and a line break becomes a semicolon.
 */
export function wordsOf(text: string): Word[] {
  let level: Mapped = { text: '', at: [] };
  let index = 0;
  for (const letter of text.slice(0, LONGEST)) {
    const plain = letter.normalize('NFKC').toLowerCase();
    // One letter may become many, such as a sign for a unit.
    if (level.text.length + plain.length > LONGEST) break;
    level.text += plain;
    for (let i = 0; i < plain.length; i++) level.at.push(index);
    index += letter.length;
  }
  for (const [pattern, to] of [
    ...SALUTATIONS,
    ...REWRITES,
    ...TIME_REWRITES,
    ...WEEK_REWRITES,
    ...EVERYDAY_REWRITES,
    ...BOUND_REWRITES,
  ])
    level = rewritten(level, pattern, to);
  const words: Word[] = [];
  for (const match of level.text.matchAll(TOKEN)) {
    const start = level.at[match.index] ?? 0;
    const end = (level.at[match.index + match[0].length - 1] ?? start) + 1;
    for (const word of writtenOut(match[0]).split(' '))
      words.push({ word: inItsPlace(spelled(word), words.at(-1)?.word), start, end });
  }
  return words;
}

/** Normalizes free text to words with one space between them. */
export const plainWords = (text: string): string =>
  wordsOf(text)
    .map(({ word }) => word)
    .join(' ');

/** A rewritten text, with the place of each of its characters in the original text in `at`. */
interface Mapped {
  text: string;
  at: number[];
}

function rewritten({ text, at }: Mapped, pattern: RegExp, to: string | ((match: string[]) => string)): Mapped {
  let done = '';
  const places: number[] = [];
  let last = 0;
  const keep = (until: number) => {
    done += text.slice(last, until);
    for (let i = last; i < until; i++) places.push(at[i] ?? 0);
  };
  for (const match of text.matchAll(pattern)) {
    keep(match.index);
    const put = typeof to === 'string' ? to : to(match);
    done += put;
    const span = match[0].length;
    for (let i = 0; i < put.length; i++)
      places.push(at[match.index + (i === put.length - 1 ? span - 1 : Math.floor((i * span) / put.length))] ?? 0);
    last = match.index + span;
  }
  if (last === 0) return { text, at };
  keep(text.length);
  return { text: done, at: places };
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

/** The words in which typing errors are corrected, because they say when to meet. */
const RIGHT = `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
  saturdays sundays january february august september october november december today tomorrow morning mornings afternoon
  afternoons evening evenings earlier later before after instead prepare between around until weekend earliest latest
  sooner early move`.split(/\s+/);
/** Real words that look like a misspelling of a word about time, and must not be corrected. */
const OTHERS = new Set(
  `water alter altar cater hater mourning unlit untie letter letters latte earnest prepone preponed preponing postpone morrow surely nearly yearly pearly early
   dearly clearly sunny sundry evenly waiter laser layer lately either under often offer order actor afterwards weekday
   weekdays weekends easiest largest soonest lager latent lattes meaning moaning mooring evading prepaid weakened frida another rather whether lather gather movie movies moves moved mover moving`.split(
    /\s+/,
  ),
);
const KNOWN = new Set([...RIGHT, ...OTHERS]);

/**
 * Corrects a typing error in a word about time, such as a weekday, if exactly one such word is close enough. A word of
 * five or six letters may have one wrong letter, a longer one two. Any other word is returned unchanged.
 */
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
