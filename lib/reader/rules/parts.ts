import { arranged } from './arranged.ts';
import { type Group, isDoubtful, isOnlyTold } from './asides.ts';
import { isHalfSaid, isItsDay, isTrailing, split } from './between.ts';
import type { Clause } from './clauses.ts';
import { isPlace } from './group.ts';
import { type Item, isMarked } from './scan.ts';
import { tagsAfter, tagsBefore } from './side-tags.ts';
import { type Side, sideAfter, sideBefore, type Verdict, verdictOf } from './verdicts.ts';

/**
 * A time or other mention in a clause, such as "Thursday after 2" or "later", with what the words around it say of it.
 */
export interface Part {
  items: Item[];
  verdict: Verdict;
  /** The class letters of the words before this time, such as `n` for a negation, without fillers. */
  before: string;
  /** The class letters of the words after this time, such as `g` for approval, without fillers. */
  after: string;
  /** Judgment on this time, such as refused, that the words before it give. */
  side: Side;
  /** The words before this time in the clause. */
  words: string;
  /** The first two words after this time in the clause, such as "as well". */
  next: string;
  /** True if the words around this time say neither that it is wanted nor that it is refused. */
  isBare: boolean;
  /** The class letters of all words before this time, such as `n` for a negation, fillers included. */
  led: string;
  /**
   * True if the clause has an "if", as in "if not Friday, then Monday". A time that the clause refuses is then taken as
   * wanted.
   */
  isConditional: boolean;
  /** The length in minutes of the event at this time, if the clause names it: "a two hour workshop at 2". */
  length?: number | undefined;
  /** True if the clause began with its day: "on Thursdays I'm only free after 2". */
  isDayLed: boolean;
}

const SMALL = /[fo&,]/;

/** Returns the times and other mentions of a clause in order, each with what the words around it say of it. */
export function partsIn(clause: Clause): Part[] {
  const { items, length, isDayLed } = arranged(clause.items);
  return sidesOf(items, groupsOf(items)).map((part) => ({ ...part, length, isDayLed }));
}

function sidesOf(items: Item[], groups: Group[]): Omit<Part, 'isDayLed'>[] {
  const isConditional = items.some(({ tag }) => tag === 'w');
  const sides: { before: Item[]; after: Item[] }[] = groups.map(() => ({ before: [], after: [] }));
  for (let i = 0; i <= groups.length; i++) {
    const [from, to] = [groups[i - 1]?.last ?? -1, groups[i]?.first ?? items.length];
    const between = items.slice(from + 1, to);
    const [last, next] = [sides[i - 1], sides[i]];
    // "Apart from Monday I am free next week" calls next week free, not Monday.
    const isExcept =
      last?.before.at(-1)?.tag === 'e' && i < groups.length && !between.some(({ tag }) => /[,&o|j]/.test(tag));
    const [left, right] = i === 0 || isExcept ? [[], between] : i === groups.length ? [between, []] : split(between);
    if (last) last.after = left;
    if (next) next.before = right;
  }
  for (const [i, { before, after }] of sides.entries()) {
    const [group, next] = [groups[i] as Group, groups[i + 1]];
    // "Wednesday, Thursday is bad" says nothing of Wednesday.
    const comma = items.findLastIndex(({ tag }, k) => tag === ',' && k > group.first && k < group.last);
    const isList = items.slice(comma, group.last).some(({ tag }) => /[&o]/.test(tag));
    // "No afternoons this week, any morning is fine" refuses no morning.
    const isTurn =
      /^(?:refused|busy|obstacle)$/.test(sideBefore(tagsBefore(before))) && sideAfter(tagsAfter(after)) === 'wanted';
    if (comma >= 0 && (isTurn || (!isList && !/none|only|wanted/.test(sideAfter(tagsAfter(after))))))
      return sidesOf(
        items,
        groups.toSpliced(i, 1, { first: group.first, last: comma - 1 }, { first: comma + 1, last: group.last }),
      );
    // "Mornings are hard this week" speaks of the mornings of this week.
    const [own, theirs] = [sides[i], sides[i + 1]];
    if (
      next &&
      own &&
      theirs &&
      before &&
      tagsBefore(theirs.before) === '' &&
      (isTrailing(items, group, next, own.after, theirs.after) || isItsDay(items, group, next, own, theirs))
    ) {
      const merged = [
        ...items.slice(0, group.last + 1),
        ...items.slice(next.first, next.last + 1),
        ...own.after,
        ...items.slice(next.last + 1),
      ];
      const last = group.last + 1 + next.last - next.first;
      return sidesOf(merged, groups.toSpliced(i, 2, { first: group.first, last }));
    }
  }
  return groups.map(({ first, last }, i) => {
    const { before = [], after: rest = [] } = sides[i] ?? {};
    const side = asksForThing(before) ? 'unknown' : ofCommitment(sideBefore(tagsBefore(before)), before);
    const after = side === 'refused' || side === 'busy' ? untilSubject(rest) : rest;
    const place = { items, groups, i, before, after: rest, side };
    return {
      items: items.slice(first, last + 1),
      before: tagsBefore(before),
      after: tagsAfter(after),
      words: before.map(({ text }) => text).join(' '),
      next: [items[last + 1]?.text, items[last + 2]?.text].join(' '),
      isBare: tagsBefore(before) === '' && tagsAfter(after) === '',
      led: before.map(({ tag }) => tag).join(''),
      side,
      verdict: isOnlyTold(place)
        ? 'told'
        : isDoubtful(place)
          ? 'unknown'
          : isHalfSaid(items, groups, i, sides)
            ? 'unknown'
            : boundedVerdict(verdictOf(side, sideAfter(tagsAfter(after))), tagsBefore(before), items[first]),
      isConditional,
    };
  });
}

/**
 * Corrects the judgment on a time that ends or begins a commitment. Once a commitment ends, the person is free, whereas
 * once their own day ends they are not. A commitment that begins makes them busy.
 */
function ofCommitment(side: Side, before: Item[]): Side {
  // "I should be home by the weekend" tells of the person, and asks for nothing.
  if (side === 'wanted' && before.some(({ tag, text }) => tag === 'r' && RETURNS.test(text))) return 'unknown';
  const thing = before.find(({ tag }) => tag === 'd');
  if (thing === undefined && side === 'leaves' && before.some(({ tag }) => tag === 'x')) {
    const end = before.find(({ tag }) => tag === 'l')?.text ?? '';
    // "The course ends at 4" leaves the time after it. "Bob finishes at 4" does not.
    return /^ends?\b/.test(end) ? 'starts' : /^(?:finish|done|over|wrap|is)/.test(end) ? 'unknown' : side;
  }
  if (thing === undefined || CARE.test(thing.text)) return side;
  // "The appointment starts at 1" may well speak of the meeting itself.
  const isTold = side === 'obstacle' || side === 'starts' || side === 'leaves';
  if (isTold && !before.some(({ tag }) => tag === 'h') && before.some(({ text }) => OWN.test(text))) return 'unknown';
  // "The trains are off from 2" names no end.
  const isOver = before.some(
    ({ tag, text }) => tag === 'l' && !/\b(?:off|out|gone|offline|cancelled|down|closes?|shuts?)\b/.test(text),
  );
  if (side === 'leaves') return isOver ? 'starts' : side;
  return side === 'starts' && before.some(({ tag, text }) => tag === 'r' && BEGINS.test(text)) ? 'obstacle' : side;
}

const RETURNS = /\b(?:back|home|return\w*|land\w*|arriv\w*)\b/;
const OWN = /^(?:the|this|our) (?:appointment|meeting|call|session)$|^(?:put|set|book|schedule)\b/;
const CARE =
  /\b(?:school(?! (?:play|concert|assembly|fair|trip|show|production|do|disco|open|sports|carols?)\b)|nursery|childcare|babysitting|baby sitter)\b/;
const BEGINS = /\b(?:start|begin|kick|open|resume)/;

/** Returns true if something else than a time is wanted: "I like my coffee on Thursdays". */
const asksForThing = (before: Item[]): boolean =>
  before.some(({ tag, text }) => tag === 'x' && !/^(?:done|sorted|finished|over|wrapped)$/.test(text)) &&
  before.some(({ tag, text }) => tag === 'a' && LIKES.test(text));

const LIKES = /\b(?:like|love|want|need|enjoy|prefer)s?\b/;

/**
 * Returns the verdict on a time. An unclear verdict becomes a refusal if the time is a limit that follows a negation:
 * "I will not have the report before Thursday" refuses what comes before. `before` has the tags of the words that lead
 * to the limit.
 */
function boundedVerdict(verdict: Verdict, before: string, item: Item | undefined): Verdict {
  const isLimit = item?.bound === 'until' || item?.bound === 'before';
  // "Marcy does not start before 9" tells of somebody else's hours.
  const isTheirDay = item?.mention?.kind === 'clock' && /^x+n[rl]/.test(before);
  return verdict === 'unknown' && isLimit && !isTheirDay && /^[xd]{0,3}n[xghrdu]{1,3}$/.test(before)
    ? 'refused'
    : verdict;
}

/**
 * Returns the words after a refused time up to the next sentence, which may begin without a full stop. For "not
 * Thursday I am in court", leaves out "I am in court".
 */
function untilSubject(items: Item[]): Item[] {
  const end = items.findIndex(({ text }) => /^(?:i|we|my|he|she|they)\b/.test(text));
  return end < 0 ? items : items.slice(0, end);
}

/** Returns the first and last index of each run of neighboring days and clock times, and of each other mention. */
function groupsOf(items: readonly Item[]): Group[] {
  const groups: Group[] = [];
  for (const [i, item] of items.entries()) {
    if (!isMarked(item)) continue;
    const open = groups.at(-1);
    const isNear = open !== undefined && items.slice(open.last + 1, i).every(({ tag }) => SMALL.test(tag));
    if (open && isNear && isPlace(item) && isPlace(items[open.last]) && !isApart(items, open, i)) open.last = i;
    else groups.push({ first: i, last: i });
  }
  return groups;
}

/** Returns true for two clock times side by side that belong to two statements: "except 10-11 any morning is good". */
function isApart(items: readonly Item[], open: { first: number; last: number }, i: number): boolean {
  const [last, next] = [items[open.last], items[i]];
  const isJoined = items.slice(open.last + 1, i).some(({ tag }) => /[o&,]/.test(tag));
  const isClock = last?.mention?.kind === 'clock' && next?.mention?.kind === 'clock';
  return (
    isClock && !isJoined && !last.bound && !next.bound && items.slice(0, open.first).some(({ tag }) => /[ne]/.test(tag))
  );
}
