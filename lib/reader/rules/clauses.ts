import { isPlace } from './group.ts';
import type { Item } from './scan.ts';

/**
 * A part of a text that says one thing, as a list of words and times. `joint` is the word before the clause, such as
 * "otherwise" or "but".
 */
export interface Clause {
  items: Item[];
  joint: string;
  /** True if the clause ends with a question mark. */
  isAsked?: boolean;
  /**
   * True if words about the past, such as "last Wednesday", directly follow the clause. A day in the clause is then no
   * wish.
   */
  isPast?: boolean;
}

const isTimely = (item: Item) => item.mention !== undefined;
/** Words about the past that end one clause and begin the next, such as "yesterday". */
export const PAST = /^(?:(?:at )?last (?!minute)|yesterday|(?:the )?day before yesterday)/;
const SUBJECTS = /^(?:i|we|he|she|they|it|you|that|this|there|my|our|the|everyone)$/;
const REASON = /^(?:because|since|seeing as|given that|given|due to|thanks to|now that|in case|so that|even though)$/;

/** Splits the items of a text into clauses. A word that introduces a reason, such as "because", begins a new clause. */
export function clausesOf(items: readonly Item[]): Clause[] {
  const clauses: Clause[] = [{ items: [], joint: '' }];
  const begin = (joint: string) => {
    const last = clauses.at(-1);
    // "Last Tuesday, morning and afternoon" goes on about last Tuesday.
    const isStillPast = joint === ',' && last?.items.length === 0 && PAST.test(last.joint);
    if (!isStillPast) clauses.push({ items: [], joint });
  };
  for (const [i, item] of items.entries()) {
    const last = clauses.at(-1) as Clause;
    const next = items[i + 1];
    if (item.text === '?') last.isAsked = true;
    if (isVerdictMark(item, items[i - 1], next)) continue;
    if (item.tag === '~') {
      last.isPast = PAST.test(item.text) && last.items.length > 0;
      begin(item.text);
    } else if (item.tag === '|' || (item.tag === '-' && !(isPlace(items[i - 1]) && isPlace(next)))) begin(item.text);
    else if (item.text === 'which' && next?.tag === 'v' && last.items.length > 0 && !last.items.some(isTimely))
      clauses.push({ items: [item], joint: ',' });
    else if (item.tag === 'j' && REASON.test(item.text)) begin('because');
    else if (item.tag === 'j' && item.text === 'as' && next && startsClause(next)) begin('because');
    else if (item.tag === ',' && !joinsPlaces(items, i)) begin(',');
    else if (item.text === 'then' && isCondition(last)) begin(',');
    else if (
      item.tag === 'o' &&
      /^(?:otherwise|else|or else|failing that|or failing that|if not|alternatively|then|(?:or )?if (?:that|it|this) .+)$/.test(
        item.text,
      )
    )
      begin('otherwise');
    else if (item.tag === '&' && !joinsPlaces(items, i) && !isPlace(next) && last.items.some(isTimely)) begin('and');
    else if (/^(?:just|only|but) not$/.test(item.text) && !isPlace(next) && last.items.some(({ tag }) => tag === 'g')) {
      begin(',');
      clauses.at(-1)?.items.push(item);
    } else if (item.tag === '&' && next?.tag === 'n' && last.items.some(({ tag }) => /[uhd]/.test(tag))) begin('and');
    else if ((last.joint === 'because' || isStory(last)) && last.items.length > 0 && isRequest(item, items[i - 1])) {
      const [subject] = SUBJECT.test(last.items.at(-1)?.text ?? '') ? last.items.splice(-1) : [];
      clauses.push({ items: [...(subject ? [subject] : []), item], joint: ',' });
    } else last.items.push(item);
  }
  return clauses.filter((clause) => clause.items.length > 0);
}

/** Returns true for the colon in "Friday: no" and the dash in "Monday - fine", which do not end a clause. */
const isVerdictMark = ({ tag, text }: Item, before: Item | undefined, next: Item | undefined): boolean =>
  (tag === '-' || text === ':') &&
  isPlace(before) &&
  /[ngbu]/.test(next?.tag ?? '') &&
  !/\bnot\b|^(?:scrap|drop|ditch)$/.test(next?.text ?? '');

const SUBJECT = /^(?:i|we)$/;

/** Returns true for words about the past without a time, which a request may follow: "something came up can we …". */
const isStory = ({ items }: Clause): boolean =>
  items.some(({ tag }) => tag === 't') && items.every((item) => /[tfxv]/.test(item.tag) && !isTimely(item));

/** Returns true for the request that follows a reason: "due to a family matter I would like Monday". */
const isRequest = ({ tag, text }: Item, before: Item | undefined) =>
  tag === 'a' && (/^(?:i|we|can|could|please|kindly|may|would you)\b/.test(text) || SUBJECT.test(before?.text ?? ''));

/**
 * Returns true if a clause with "if" states the wish itself, such as "if it has to be Friday", which asks for Friday.
 * Returns false for "if Friday is full", because the wish then follows in the next clause.
 */
const isCondition = ({ items }: Clause): boolean =>
  items.some(({ text }) => /^if\b/.test(text)) && items.some(isTimely) && !items.some(({ tag }) => /[nbud]/.test(tag));

const startsClause = (item: Item) => SUBJECTS.test(item.text) || /[huvtrl]/.test(item.tag);

/** Returns true if the comma or "and" at an index stands between two places of one list: "Wed, Thu or Fri". */
function joinsPlaces(items: readonly Item[], i: number): boolean {
  const skip = (at: number, step: 1 | -1) => {
    let k = at + step;
    while (
      Math.abs(k - at) < MOST_BETWEEN &&
      (LIGHT.test(items[k]?.text ?? '') || (step === 1 && /[&o]/.test(items[k]?.tag ?? '')))
    )
      k += step;
    return k;
  };
  const [one, other] = [items[skip(i, -1)], items[skip(i, 1)]];
  if (!isPlace(one) || !isPlace(other) || /^(?:the )?rest of\b/.test(other.text)) return false;
  return items[i]?.tag === '&' || kindOf(one) !== kindOf(other) || isListEnding(items, i + 1) || isRow(items, i);
}

/**
 * The largest number of words between two times of one list, such as "Wed, Thu or Fri". Without it, long texts would
 * take too much work.
 */
const MOST_BETWEEN = 8;
const LIGHT = /^(?:the|on|at|in|an?|any|all|both|either|of)$/;
const kindOf = ({ mention }: Item) => (mention?.kind === 'weekdays' ? 'days' : mention?.kind);

/** Returns true if a list of days and times has an "and" or "or" at or after this index: "Wed, Thu or Fri". */
function isListEnding(items: readonly Item[], from: number): boolean {
  for (let k = from; k < items.length; k++) {
    const item = items[k];
    if (item === undefined || !(isPlace(item) || item.tag === ',' || LIGHT.test(item.text) || /[&o]/.test(item.tag)))
      return false;
    if (/[&o]/.test(item.tag)) return true;
  }
  return false;
}

/** Largest number of items of a row of days on either side of a comma. */
const LONGEST_ROW = 12;

/** Returns true for a comma in a row of three or more days with hours at its end: "Monday, Wednesday, Friday mornings". */
function isRow(items: readonly Item[], i: number): boolean {
  const inRow = (item: Item | undefined) => item !== undefined && (isPlace(item) || item.tag === ',');
  let [from, to] = [i, i];
  while (from > i - LONGEST_ROW && inRow(items[from - 1])) from--;
  while (to < i + LONGEST_ROW && inRow(items[to + 1])) to++;
  const row = items.slice(from, to + 1);
  const last = row.at(-1);
  return (
    row.filter(({ tag }) => tag === ',').length >= 2 &&
    (last?.mention?.kind === 'clock' || (last !== undefined && kindOf(last) === 'days')) &&
    row.slice(0, -1).every((item) => item.tag === ',' || kindOf(item) === 'days')
  );
}
