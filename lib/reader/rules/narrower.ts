import type { Rule } from '../../engine/wish/reading.ts';
import { isTown } from '../text/zones.ts';
import type { Clause } from './clauses.ts';
import { isHoursOfOthers } from './commitments.ts';
import { boxesOf, isPlace } from './group.ts';
import { type Part, partsIn } from './parts.ts';
import { type Progress, quoteOf } from './progress.ts';
import { rulesAgainst, rulesFor } from './standing.ts';

/** Class letters of a clause with "only" beside its one time, which `M` marks: "Only contactable 10-12". */
const ONLY = /^(?:[xdajgnz]*k[xamgj]*M|[xdajgn]*Mk[xj]*)a?$/;
/** Class letters of a clause with a negation that leads to its one time: "never with clients on Fridays". */
const NEVER = /^[xaj]*n[xamj]*M$/;

/**
 * Reads a clause of a scheduling context that no other rule understood, but that limits one time by "only" or "never".
 * Such a clause is understood in its narrowest meaning, because a rule that is too narrow can be removed, and a meeting
 * at a time that was ruled out cannot be unsaid. Returns undefined for any other clause.
 */
export function narrowestRules(clause: Clause, { purpose, calendar, text, isSoleTime }: Progress): Rule[] | undefined {
  if (purpose !== 'context' || partsIn(clause).some(isHoursOfOthers)) return undefined;
  if (isHabit(clause)) {
    const boxes = partsIn(clause).flatMap(({ items }) => boxesOf(items, calendar).map(({ box }) => box));
    return boxes.length > 0 ? rulesAgainst(boxes, clause, quoteOf(clause.items, text), true) : undefined;
  }
  if (isTurnedDown(clause)) {
    const boxes = partsIn(clause).flatMap(({ items }) => boxesOf(items, calendar).map(({ box }) => box));
    return boxes.length > 0 ? rulesAgainst(boxes, clause, quoteOf(clause.items, text), false) : undefined;
  }
  if (!isSoleTime) return undefined;
  const places = partsIn(clause).filter(({ items }) => isPlace(items[0]));
  const [part] = places;
  if (part === undefined || places.length > 1 || isDoubted(part)) return undefined;
  const shape = shapeOf(clause, part);
  const quote = quoteOf(clause.items, text);
  const boxes = boxesOf(part.items, calendar).map(({ box }) => box);
  if (boxes.length === 0) return undefined;
  if (ONLY.test(shape) && !limitsThing(clause)) return rulesFor(boxes, true, quote);
  return NEVER.test(shape) ? rulesAgainst(boxes, clause, quote, true) : undefined;
}

/** Words for where somebody works, which keep nobody from meeting, and words of others. */
const SETTING =
  /^(?:home|wfh|remote|remotely|based|office|hq|desk|london|contract|contracted|since|if|unless|who|they|he|she|you|works?|working|hours|hrs|time|eastern|pacific|central|est|pst|cet|ist|gmt|utc|weeks?|months?|years?)$/;

/**
 * Returns true for a statement with a word that the rules do not know: "I nap from 2 to 3", "Monday is admin day". In a
 * scheduling context it names something that the person does then.
 */
const isHabit = ({ items, isAsked }: Clause): boolean =>
  !isAsked &&
  items.some(isPlace) &&
  // "I'm fried by 3" says how the person is after it.
  items.every(({ bound }) => bound !== 'by') &&
  items.some(({ tag, text }) => tag === 'x' && !/\d/.test(text)) &&
  items.every(
    ({ tag, text, mention }) =>
      (mention ? isPlaceKind(mention.kind) : /[xdfvjhu,&-]/.test(tag)) &&
      !SETTING.test(text) &&
      !isTown(text) &&
      !/^\d+$/.test(text),
  );

/**
 * Returns true for a statement that turns times down or names what fills them, beside words that the rules do not know:
 * "out fishing with the lads Fridays". To refuse too much is the smaller mistake.
 */
const isTurnedDown = ({ items, isAsked }: Clause): boolean =>
  !isAsked &&
  items.some(isPlace) &&
  items.some(({ tag }) => /[nbudhc]/.test(tag)) &&
  // "I keep Fridays for client calls".
  !(items.some(({ tag }) => tag === 'c') && items.some(({ text }) => MET.test(text))) &&
  items.every(
    ({ tag, text, mention, bound }) =>
      (mention ? isPlaceKind(mention.kind) && bound !== 'by' : !/[agkpqmetlr]/.test(tag)) && !SETTING.test(text),
  );

const MET = /\b(?:calls?|meetings?|clients?|customers?|people|you|visitors?|chats?)\b/;

const isPlaceKind = (kind: string) => kind === 'days' || kind === 'weekdays' || kind === 'clock';

/** Returns true if another word than "only" judges the time: "only bad on Fridays". */
const isDoubted = ({ before, after }: Part): boolean => /[buhlrecwpq#]/.test(`${before}${after}`);

/** Words for being within reach, which "only" may limit to some hours. */
const WITHIN_REACH = /(?:able|ible)$|^(?:online|present|onsite|awake|there|in)$/;

/** Returns true for "only urgent things before 10" and "I only teach on Mondays", where "only" limits something else. */
function limitsThing({ items }: Clause): boolean {
  const only = items.findIndex(({ tag }) => tag === 'k');
  const time = items.findIndex(isPlace);
  return items.slice(only, Math.max(only, time)).some(({ tag, text }) => tag === 'x' && !WITHIN_REACH.test(text));
}

const shapeOf = ({ items }: Clause, part: Part): string => {
  const [first, last] = [items.indexOf(part.items[0] as Clause['items'][number]), part.items.length];
  const tags = items.map(({ tag }, i) => (i === first ? 'M' : i > first && i < first + last ? '' : tag)).join('');
  return tags.replace(/[fv~,&o-]/g, '');
};
