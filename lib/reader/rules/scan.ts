import { BARE_HOUR_READERS } from '../text/bare-hours.ts';
import type { Calendar } from '../text/calendar.ts';
import { CLOCK_READERS } from '../text/clocks.ts';
import { COMPLAINT_READERS } from '../text/complaints.ts';
import { DAY_AMOUNT_READERS } from '../text/day-amounts.ts';
import { DAY_PART_READERS } from '../text/day-parts.ts';
import { DAY_READERS } from '../text/days.ts';
import { LATER_READERS } from '../text/later.ts';
import type { Bound, Mention, Reader } from '../text/mentions.ts';
import { MONTH_READERS } from '../text/months.ts';
import { PAUSE_READERS } from '../text/pauses.ts';
import type { Word } from '../text/plain-words.ts';
import { WEEK_READERS } from '../text/weeks.ts';
import { againAfter } from '../text/which-date.ts';
import { homeIn, isZoned, zonedAt } from '../text/zones.ts';
import { LEXICON } from './lexicon.ts';
import type { Tag } from './tags.ts';

/**
 * A word or phrase of a text with its class, such as negation, or a mention of a time. The class `x` marks a word that
 * the rules do not know. `start` and `end` give the item's place in the original text.
 */
export interface Item {
  tag: Tag | 'M' | 'x';
  text: string;
  start: number;
  end: number;
  mention?: Mention;
  bound?: Bound | undefined;
}

/**
 * An item of a text that names a time, such as "Thursday". `bound` is the word, if any, that makes the time a limit:
 * "after the 10th".
 */
export interface Marked extends Item {
  mention: Mention;
}

export const isMarked = (item: Item | undefined): item is Marked => item?.mention !== undefined;

const READERS: readonly Reader[] = [
  ...PAUSE_READERS,
  ...COMPLAINT_READERS,
  ...DAY_READERS,
  ...MONTH_READERS,
  ...WEEK_READERS,
  ...DAY_AMOUNT_READERS,
  ...CLOCK_READERS,
  ...BARE_HOUR_READERS,
  ...DAY_PART_READERS,
  ...LATER_READERS,
];
const ASIDES = LEXICON.filter(([tag]) => tag === '~' || tag === 'w');
const OTHERS = LEXICON.filter(([tag]) => tag !== '~' && tag !== 'w');
const EARLY = OTHERS.filter(([tag]) => tag === 'p' || tag === 'q');
const LATE = OTHERS.filter((entry) => !EARLY.includes(entry));
const MARK = /[^\p{L}\d]/u;

/** The words before a day or clock time that make it a limit, such as "after" and "by", with the kind of limit. */
const BOUNDS: [bound: Bound, pattern: RegExp][] = (
  [
    [
      'from',
      '(?:no|not) (?:any )?(?:earlier|sooner) than|(?:at the )?earliest|starting(?: from)?|as of|at least|as from|from',
    ],
    ['by', '(?:no|not) (?:any )?later than|at the latest by|(?:at the )?latest|by|ahead of the end of'],
    [
      'after',
      '(?:any ?time |any day |some ?time |straight |right |just |shortly |not until )?(?:after|later than|past|following)',
    ],
    [
      'before',
      '(?:any ?time |any day |some ?time |straight |right |just |shortly )?(?:before|prior to|ahead of|earlier than|sooner than)',
    ],
    ['until', 'until|up until|up to|right until'],
    ['through', 'through|thru|up to and including'],
    ['between', 'between|in between'],
    ['around', 'around|about|roughly|circa|approximately|approx|nearer(?: to)?|closer to|towards?|close to|near'],
  ] satisfies [Bound, string][]
).map(([bound, source]) => [bound, new RegExp(`(?:${source})(?= )`, 'y')]);
const AFTERWARDS: [bound: 'from' | 'by', pattern: RegExp][] = [
  [
    'from',
    / (?:or (?:later|after|so onwards)(?: that)?(?! (?:on(?: in)?|in|\d|half|quarter|noon|lunch|the|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|mon|tue|wed|thu|fri|this|next|tomorrow))|(?:at )?(?:the )?(?:very )?(?:earliest|soonest)|(?:and )?onwards?|and (?:later|after|beyond|onwards?)|(?:plus|\+)(?! (?:on )?(?:the )?(?:mon|tue|wed|thu|fri|sat|sun|\d))|or any ?(?:time|day) after(?: that| then)?)(?= |$)/y,
  ],
  [
    'by',
    / (?:or (?:earlier|before|sooner)(?: that)?(?! (?:\d|half|quarter|noon|lunch|the|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|mon|tue|wed|thu|fri|this|next|tomorrow))|(?:at )?(?:the )?(?:very )?latest|and (?:earlier|before)|max|tops)(?= |$)/y,
  ],
];

/** Reads a text's words as items, from left to right. Each word belongs to exactly one item. */
export function itemsOf(words: readonly Word[], asked: Calendar): Item[] {
  const text = words.map(({ word }) => word).join(' ');
  const calendar = { ...asked, home: homeIn(text) };
  const items: Item[] = [];
  const places: number[] = [];
  for (const [i, { word }] of words.entries()) for (let k = 0; k <= word.length; k++) places.push(i);
  const isElsewhere = calendar.home !== undefined && isZoned(text);
  let at = 0;
  while (at < text.length) {
    const read = itemAt(text, at, calendar);
    const found: Found = isElsewhere && read.tag === 'u' && BEING_IN.test(read.text) ? { ...read, tag: 't' } : read;
    const [first, last] = [words[places[at] ?? 0], words[places[at + found.text.length - 1] ?? 0]];
    const isStory = isPause(found) && items.at(-1)?.tag === 'h';
    items.push({
      ...(isStory ? { tag: 'd', text: found.text } : found),
      start: first?.start ?? 0,
      end: last?.end ?? 0,
    });
    at += found.text.length + 1;
  }
  return items;
}

const BEING_IN = /\bin\b/;

/** Returns true for a mention of back-to-back meetings. After "I have" it is a commitment and no wish. */
const isPause = ({ mention }: Found) => mention?.kind === 'back_to_back';

type Found = Omit<Item, 'start' | 'end'>;

function itemAt(text: string, at: number, calendar: Calendar): Found {
  if (MARK.test(text.charAt(at))) return taggedAt(OTHERS, text, at) ?? wordAt(text, at);
  return (
    taggedAt(ASIDES, text, at) ??
    boundedAt(text, at, calendar) ??
    taggedAt(EARLY, text, at) ??
    markedAt(text, at, calendar) ??
    taggedAt(LATE, text, at) ??
    wordAt(text, at)
  );
}

function taggedAt(lexicon: typeof LEXICON, text: string, at: number): Found | undefined {
  for (const [tag, pattern] of lexicon) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match && match[0].length > 0) return { tag, text: match[0] };
  }
  return undefined;
}

function wordAt(text: string, at: number): Found {
  const end = text.indexOf(' ', at);
  return { tag: 'x', text: text.slice(at, end < 0 ? text.length : end) };
}

/** Reads a limit, "after the 10th", if a mention of a day or clock time follows the word that makes it one. */
function boundedAt(text: string, at: number, calendar: Calendar): Found | undefined {
  for (const [bound, pattern] of BOUNDS) {
    pattern.lastIndex = at;
    const word = pattern.exec(text)?.[0];
    if (word === undefined) continue;
    // A reader may know the whole phrase: "before lunch", "between 2 and 4", "end of the day".
    const whole = markedAt(text, at, calendar);
    let next: Found | undefined;
    let skipped = '';
    for (;;) {
      const from = at + word.length + 1 + skipped.length;
      next = readAt(text, from, calendar) ?? bareHourAt(text, from, calendar);
      const light = next || skipped.length > MOST_SKIPPED ? undefined : LIGHT.exec(text.slice(from, from + 8))?.[0];
      if (light === undefined) break;
      skipped += light;
    }
    // "Around until 4" names an end, and no hour.
    if (bound === 'around' && /^(?:until|after|before|from|by) /.test(next?.text ?? '')) return undefined;
    if (whole?.mention && whole.text.length >= word.length + 1 + skipped.length + (next?.text.length ?? 0))
      return whole;
    if (next?.mention === undefined || !isTime(next.mention)) return whole;
    const found = limited({ ...next, text: `${word} ${skipped}${next.text}`, bound }, calendar);
    return bound === 'between' ? found : endedAt(text, at, found, calendar);
  }
  return undefined;
}

/**
 * Largest number of characters that small words, such as "about", may take up between a limit and its time. It bounds
 * the work on a long text.
 */
const MOST_SKIPPED = 20;
/** Small words that may stand between a limit and its time, such as "about" in "after about 3". */
const LIGHT = /^(?:the|about|around|my|our|your|his|her|their|on|that(?! on| th| same| one| nex)|say|at|in) /;

const isTime = ({ kind }: Mention) => kind === 'days' || kind === 'weekdays' || kind === 'clock';

const BARE =
  /(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?= (?:[?.!,;:)—]|please|on|for|my|at|or|and|but|so|because|as|is|works?|would|instead|sharp|then|if|mon|tue|wed|thu|fri|sat|sun|tomorrow|today|any|each|every|that|kindly|thanks|same|this|unless|when)|$)/y;

/** Reads the bare hour of a limit: "from 11", "until ten". */
function bareHourAt(text: string, at: number, calendar: Calendar): Found | undefined {
  BARE.lastIndex = at;
  const match = BARE.exec(text);
  if (!match) return undefined;
  const found = markedAt(`at ${match[0]}`, 0, calendar);
  return found && { ...found, text: match[0] };
}

function markedAt(text: string, at: number, calendar: Calendar): Found | undefined {
  const found = readAt(text, at, calendar);
  return found && endedAt(text, at, found, calendar);
}

function readAt(text: string, at: number, calendar: Calendar): Found | undefined {
  for (const { pattern, read } of READERS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const found = match && read(match, calendar);
    if (match && found) return { tag: 'M', text: match[0], ...found };
  }
  return undefined;
}

/** Adds the words after a mention that make it a limit: "3pm or later", "at 9 at the latest". */
function endedAt(text: string, at: number, named: Found, calendar: Calendar): Found {
  const zoned = named.mention && zonedAt(text, at + named.text.length, named.mention, calendar);
  const end = at + named.text.length + (zoned?.length ?? 0);
  const found = zoned ? { ...named, text: text.slice(at, end), mention: zoned.mention } : named;
  const { durationMinutes } = calendar;
  const { mention, bound } = found;
  if (mention === undefined || !isTime(mention)) return found;
  for (const [after, pattern] of AFTERWARDS) {
    pattern.lastIndex = at + found.text.length;
    const match = pattern.exec(text);
    if (!match) continue;
    const whole = { ...found, text: `${found.text}${match[0]}` };
    const later = zoned ? undefined : zonedAt(text, at + whole.text.length, mention, calendar);
    if (later?.mention.kind === 'clock') {
      const next = { ...found, text: text.slice(at, at + whole.text.length + later.length), mention: later.mention };
      return { ...next, bound: after === 'from' && bound === 'after' ? 'after' : after };
    }
    // "Not until next week at the earliest" refuses this week.
    if (after === 'from') return { ...whole, bound: bound && /^(?:after|until|before)$/.test(bound) ? bound : 'from' };
    if (mention.kind !== 'clock' || bound === 'by' || bound === 'until') return { ...whole, bound: 'by' };
    // "At 9 or earlier" names the latest start.
    const latest = mention.from + (mention.isPoint ? durationMinutes : 0);
    return { ...whole, mention: { ...mention, from: latest, to: latest }, bound: 'by' };
  }
  return found;
}

function limited(item: Found, { oldDay }: Calendar): Found {
  const { mention, bound } = item;
  if (bound !== 'after' || mention?.kind !== 'days' || mention.date === undefined || mention.last >= oldDay)
    return item;
  const day = againAfter(oldDay, mention.date);
  return { ...item, mention: { kind: 'days', first: day, last: day } };
}
