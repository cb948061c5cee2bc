import type { Calendar } from './calendar.ts';
import { CLOCK_READERS } from './clocks.ts';
import { COMPLAINT_READERS, CUES, type Cue } from './cues.ts';
import { againAfter, DAY_READERS } from './days.ts';
import type { Bound, Mention } from './mentions.ts';
import { PAUSE_READERS } from './pauses.ts';
import { WEEK_READERS } from './weeks.ts';

export interface Marked {
  mention: Mention;
  bound?: Bound | undefined;
  text: string;
}

/** A mention with the edge it makes, a cue, or a word of no known part. */
export type Item = Marked | { cue: Cue; text: string } | { word: string; text: string };

const READERS = [...PAUSE_READERS, ...COMPLAINT_READERS, ...DAY_READERS, ...WEEK_READERS, ...CLOCK_READERS];
const FIRST_CUES = CUES.filter(([cue]) => cue === 'aside');
const OTHER_CUES = CUES.filter(([cue]) => cue !== 'aside');
const MARK_CUES = CUES.filter(([cue]) => cue === 'break' || cue === 'join' || cue === 'to');
const MARK = /[^\p{L}\d]/u;
const EDGES = new Set(['after', 'before', 'from', 'until', 'through', 'by', 'between', 'around']);

/** The parts of a plain text in order, split where a thought ends. */
export function segmentsOf(text: string, calendar: Calendar): Item[][] {
  const segments: Item[][] = [[]];
  for (const item of joined(withEdges(itemsOf(text, calendar), calendar))) {
    if ('cue' in item && (item.cue === 'break' || item.cue === 'join' || item.cue === 'aside')) segments.push([]);
    else segments.at(-1)?.push(item);
  }
  return segments.filter((segment) => segment.length > 0);
}

function itemsOf(text: string, calendar: Calendar): Item[] {
  const items: Item[] = [];
  let at = 0;
  while (at < text.length) {
    const isMark = MARK.test(text.charAt(at));
    const cues = isMark ? MARK_CUES : OTHER_CUES;
    const mention = isMark ? undefined : (cueAt(FIRST_CUES, text, at) ?? mentionAt(text, at, calendar));
    const item = mention ?? cueAt(cues, text, at) ?? wordAt(text, at);
    items.push(item);
    at += item.text.length + 1;
  }
  return items;
}

function mentionAt(text: string, at: number, calendar: Calendar): Item | undefined {
  for (const { pattern, read } of READERS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const found = match && read(match, calendar);
    if (match && found) return { ...found, text: match[0] };
  }
  return undefined;
}

function cueAt(cues: typeof CUES, text: string, at: number): Item | undefined {
  for (const [cue, pattern] of cues) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return { cue, text: match[0] };
  }
  return undefined;
}

function wordAt(text: string, at: number): Item {
  const end = text.indexOf(' ', at);
  const word = text.slice(at, end < 0 ? text.length : end);
  return { word, text: word };
}

/** Mentions with the word before or after them that makes them an edge: "after the 10th", "3pm or later". */
function withEdges(items: Item[], calendar: Calendar): Item[] {
  const out: Item[] = [];
  for (const item of items) {
    const last = out.at(-1);
    const edge = last && 'cue' in last && last.cue === 'light' && last.text === 'the' ? out.at(-2) : last;
    if ('mention' in item && isTimely(item.mention) && edge && 'cue' in edge && EDGES.has(edge.cue)) {
      out.splice(out.indexOf(edge));
      out.push(bounded(item, edge.cue as Bound, calendar));
    } else if (last && 'mention' in last && 'cue' in item && (item.cue === 'or_later' || item.cue === 'or_earlier')) {
      out[out.length - 1] = item.cue === 'or_later' ? { ...last, bound: 'from' } : endingBy(last, calendar);
    } else if (last && 'mention' in last && last.bound === 'from' && item.text === 'on') {
      // "from Wednesday on" says no more than "from Wednesday".
    } else out.push(item);
  }
  return out;
}

/** "at 9 or earlier" tells the latest start, "by 4 at the latest" the latest end. */
function endingBy(item: Marked, { durationMinutes }: Calendar): Item {
  const { mention, bound } = item;
  if (mention.kind !== 'clock' || bound === 'by') return { ...item, bound: 'by' };
  const latest = mention.from + durationMinutes;
  return { ...item, mention: { ...mention, from: latest, to: latest }, bound: 'by' };
}

const isTimely = (mention: Mention) =>
  mention.kind === 'days' || mention.kind === 'clock' || mention.kind === 'weekdays';

function bounded(item: Marked, bound: Bound, { oldDay }: Calendar): Item {
  const { mention } = item;
  if (bound !== 'after' || mention.kind !== 'days' || mention.date === undefined || mention.last >= oldDay)
    return { ...item, bound };
  const day = againAfter(oldDay, mention.date);
  return { ...item, mention: { kind: 'days', first: day, last: day }, bound };
}

/** Days that are named together become neighbours, and two ends of a span become one mention. */
function joined(items: Item[]): Item[] {
  const out: Item[] = [];
  let i = 0;
  while (i < items.length) {
    const item = items[i] as Item;
    const spanned = spanAt(items, i);
    if (spanned) {
      out.push(spanned.item);
      i = spanned.next;
      continue;
    }
    if (isJoinOfMentions(items, i)) {
      i++;
      continue;
    }
    out.push(item);
    i++;
  }
  return out;
}

function spanAt(items: Item[], i: number): { item: Item; next: number } | undefined {
  const [a, to, b] = [items[i], items[i + 1], items[i + 2]];
  if (
    !a ||
    !to ||
    !b ||
    !('mention' in a) ||
    !('mention' in b) ||
    a.mention.kind !== 'days' ||
    b.mention.kind !== 'days'
  )
    return undefined;
  const isMove = items
    .slice(Math.max(0, i - 4), i)
    .some(
      (item) => 'cue' in item && ['ask', 'push'].includes(item.cue) && /move|switch|change|shift|push/.test(item.text),
    );
  const joins =
    'cue' in to &&
    (to.cue === 'to' ? /^(?:to|-)$/.test(to.text) : to.cue === 'until' || (to.cue === 'join' && a.bound === 'between'));
  const through = b.bound === 'until' || b.bound === 'through';
  if (isMove || !(joins || through)) return undefined;
  const first = a.mention.first;
  let last = b.mention.last;
  if (last < first) last += 7 * Math.ceil((first - last) / 7);
  const from = last - first > 6 && a.mention.weekday !== undefined ? first + 7 * Math.floor((last - first) / 7) : first;
  const text = `${a.text} ${to.text} ${b.text}`;
  return { item: { mention: { kind: 'days', first: from, last }, text }, next: i + 3 };
}

/** "Wed, Thu or Fri": a comma joins days only on the way to a joining word. */
function isJoinOfMentions(items: Item[], i: number): boolean {
  const isDay = (item: Item | undefined) =>
    item !== undefined && 'mention' in item && (item.mention.kind === 'days' || item.mention.kind === 'weekdays');
  if (!isDay(items[i - 1])) return false;
  let k = i;
  while (k < items.length) {
    const item = items[k];
    if (item && 'cue' in item && item.cue === 'join')
      return isAhead(items, k + 1, isDay) || isAhead(items, k + 1, isClock);
    if (item && 'cue' in item && item.text === ',' && isDay(items[k + 1])) k += 2;
    else return false;
  }
  return false;
}

const isClock = (item: Item | undefined) => item !== undefined && 'mention' in item && item.mention.kind === 'clock';

function isAhead(items: Item[], from: number, is: (item: Item | undefined) => boolean): boolean {
  const next = items[from];
  return is(next) || (next !== undefined && 'cue' in next && next.cue === 'light' && is(items[from + 1]));
}
