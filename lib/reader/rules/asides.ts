import { isPlace } from './group.ts';
import type { Item } from './scan.ts';
import { tagsAfter, tagsBefore } from './side-tags.ts';
import type { Side } from './verdicts.ts';

/**
 * The place in a clause of neighboring days and clock times, such as "Thursday at 9", or of one other mention, such as
 * "later". `first` and `last` are indexes of the clause's items.
 */
export interface Group {
  first: number;
  last: number;
}

/**
 * Time that a clause of a text names, with the words before and after it, which show if the clause asks for that time.
 */
interface Place {
  items: Item[];
  groups: Group[];
  /** Index of this time in the clause's list of times (`groups`). */
  i: number;
  before: Item[];
  after: Item[];
  side: Side;
}

/**
 * Returns true for a time that the clause mentions without asking for it, such as Tuesday in "move it from Tuesday to
 * Friday".
 */
export const isOnlyTold = ({ items, groups, i, before }: Place): boolean =>
  isSource(items, groups, i, before) ||
  isStated(items, groups, i, before) ||
  isEquated(items, groups, i) ||
  isLessLiked(items, groups, i) ||
  isOnlyNamed(items, groups, i) ||
  isAttribute(items, groups[i]);

/** Returns true for a time if the words around it do not make clear that it is wanted or refused. */
export const isDoubtful = ({ items, groups, i, before, after, side }: Place): boolean =>
  isMoved(items[groups[i]?.first ?? 0], before) ||
  isLength(items, groups, i) ||
  isUnlessMore(before, after) ||
  (side !== 'leaves' && isNeededFor(before, after, items[groups[i + 1]?.first ?? items.length])) ||
  isTheirs(items, groups[i]) ||
  isLikened(items, groups[i]) ||
  isStatement(before, after) ||
  isLeftHanging(before, after) ||
  isSpanOf(items, groups[i], before) ||
  isAfterEvent(before, side);

const MEETING =
  /^(?:(?:call|meeting|session|chat|slot|one|sync|review|lunch|dinner|breakfast|brunch|coffee|event|catch up)\b.*)$/;

/** Returns true for a time that only helps to name an event or a thing: "the 9:30 standup", "Friday's deadline". */
function isAttribute(items: Item[], group: Group | undefined): boolean {
  if (group === undefined) return false;
  const [is, thing] = [items[group.last + 1], items[group.last + 2]];
  if (is?.text === 'is' && MEETING.test(thing?.text ?? '')) return true;
  if (!/^(?:the|my|our|your|that|this|an?)$/.test(items[group.first - 1]?.text ?? '')) return false;
  const next = items[group.last + 1];
  return next?.tag === 'd' || next?.tag === 'x' || /^(?:people|guys|folks|team)$/.test(next?.text ?? '');
}

/** Returns true for the day that a meeting is moved from: "from Tuesday to Friday", "swap Tuesday for Thursday". */
function isSource(items: Item[], groups: Group[], i: number, before: Item[]): boolean {
  const [group, next] = [groups[i], groups[i + 1]];
  if (!group || !next || !before.some(({ tag }) => tag === 'm')) return false;
  const between = items.slice(group.last + 1, next.first).filter(({ tag }) => tag !== 'f');
  return (
    (between.length === 1 && /^(?:to|for|with|until)$/.test(between[0]?.text ?? '')) ||
    items[next.first]?.bound === 'until'
  );
}

/** Returns true for 3pm in "3pm is 7am for me", because 7am tells what is meant. */
function isEquated(items: Item[], groups: Group[], i: number): boolean {
  const [last, group, next] = [groups[i - 1], groups[i], groups[i + 1]];
  if (isDated(items, group, next) || isDated(items, last, group)) return true;
  if (!group || !next || items[group.last]?.mention?.kind !== 'clock') return false;
  return (
    items[next.first]?.mention?.kind === 'clock' &&
    items[next.first - 1]?.text === 'is' &&
    next.first === group.last + 2
  );
}

/** Returns true for the evening in "your morning is my evening", which tells of other clocks. */
const isLikened = (items: Item[], group: Group | undefined): boolean =>
  group !== undefined &&
  group.first > 1 &&
  items[group.first - 1]?.text === 'is' &&
  /^my /.test(items[group.first]?.text ?? '');

/** Returns true for the date in "it's month end", which only says what day it is. */
function isStated(items: Item[], groups: Group[], i: number, before: Item[]): boolean {
  const [group] = groups.slice(i);
  const says = before.map(({ text }) => text).join(' ');
  if (/\b(?:early|late)\b/.test(items[group?.first ?? 0]?.text ?? '')) return false;
  return /^it is(?: now| only| still)?$/.test(says) && items[group?.first ?? 0]?.mention?.kind === 'days' && i === 0;
}

/** Returns true for "tomorrow is the 1st", which says what day it is. */
function isDated(items: Item[], day: Group | undefined, date: Group | undefined): boolean {
  const [first, second] = [day && items[day.last]?.mention, date && items[date.first]?.mention];
  if (!day || !date || first?.kind !== 'days' || second?.kind !== 'days' || second.date === undefined) return false;
  const between = items.slice(day.last + 1, date.first).map(({ text }) => text);
  return /^is(?: the)?$/.test(between.join(' ')) && items[date.last + 1]?.tag !== 'g';
}

/** Returns true for mornings in "I prefer afternoons to mornings", which the person likes less. */
function isLessLiked(items: Item[], groups: Group[], i: number): boolean {
  const [last, group] = [groups[i - 1], groups[i]];
  if (!last || !group || group.first !== last.last + 2 || items[group.first - 1]?.text !== 'to') return false;
  return (
    items.slice(0, last.first).some(({ text }) => /\b(?:prefer|rather|favou?r)\b/.test(text)) &&
    !/\d/.test(items[group.first]?.text ?? '')
  );
}

/**
 * Returns true for the time after an amount, such as lunch in "an hour for lunch" and Friday in "half day on Friday".
 * The person who writes this does not ask for that time.
 */
function isLength(items: Item[], groups: Group[], i: number): boolean {
  const [last, group] = [groups[i - 1], groups[i]];
  const amount = last && items[last.last]?.mention;
  if (last && group && amount?.kind === 'amount' && amount.days > 0)
    return items.slice(last.last + 1, group.first).every(({ tag }) => tag === 'f');
  if (!last || !group || items[last.last]?.mention?.kind !== 'amount' || items[group.first]?.mention?.kind !== 'clock')
    return false;
  return group.first === last.last + 2 && items[group.first - 1]?.text === 'for';
}

/** Returns true for Friday in "unless Friday works better", which leaves open if Friday is wanted. */
const isUnlessMore = (before: Item[], after: Item[]): boolean =>
  before.some(({ text }) => text.startsWith('unless')) && tagsAfter(after) !== '';

/**
 * Returns true for the days in "no voice, says the doctor, for the rest of the week", which only say how long something
 * lasts.
 */
function isSpanOf(items: Item[], group: Group | undefined, before: Item[]): boolean {
  const mention = group && items[group.first]?.mention;
  return (
    before.at(-1)?.text === 'for' &&
    mention?.kind === 'days' &&
    mention.first < mention.last &&
    !before.some(({ tag }) => /[amgpqnuhbl]/.test(tag))
  );
}

/**
 * Returns true for "I need the rest of the week to recover" and "give me the morning to catch up", which ask for no
 * meeting then. `next` is the first item of the time or other mention that follows.
 */
function isNeededFor(before: Item[], after: Item[], next: Item | undefined): boolean {
  if (!before.some(({ text }) => /\b(?:need|want|have|take|use|give|leave|spend|allow)\b/.test(text))) return false;
  if (next?.mention?.kind === 'more_time' && after.length === 0) return true;
  if (before.some(({ tag }) => tag === 'n')) return false;
  const to = after.findIndex(({ text }) => text === 'to');
  const purpose = after[to + 1];
  return to >= 0 && purpose !== undefined && (/[xd]/.test(purpose.tag) || purpose.text === 'catch up');
}

/**
 * Returns true for a time of which a statement about somebody or something else says nothing that the rules know: "the
 * kids are mine on Wednesdays".
 */
const isStatement = (before: Item[], after: Item[]): boolean =>
  tagsBefore(before) === '' &&
  tagsAfter(after) === '' &&
  /^(?:is|are)$/.test(before.find(({ tag }) => tag === 'v')?.text ?? '') &&
  !/^(?:is|are|it|this|that|there|which|what|how|then|i|we|ours?)$/.test(before[0]?.text ?? '') &&
  !/^(?:is|are)$/.test(before.at(-1)?.text ?? '');

/** Returns true for "your 10 o'clock" and "her 2pm", which are other meetings. */
function isTheirs(items: Item[], group: Group | undefined): boolean {
  const item = items[group?.first ?? 0];
  return (
    item?.mention?.kind === 'clock' &&
    item.mention.isPoint &&
    item.bound === undefined &&
    /^(?:your|his|her|their)$/.test(items[(group?.first ?? 0) - 1]?.text ?? '')
  );
}

/** Returns true for "Wednesday has become" and "Tuesday is", if what they say of the day was not understood. */
const isLeftHanging = (before: Item[], after: Item[]): boolean =>
  tagsAfter(after) === '' &&
  // In "any afternoon but Wednesday's", the "is" is none.
  !before.some(({ tag }) => tag === 'e') &&
  /^(?:is|are|becomes?|become|gets?|been|being)$/.test(after.at(-1)?.text ?? '');

/** Returns true for Thursday in "after my dentist appointment on Thursday". These words do not refuse Thursday. */
function isAfterEvent(before: Item[], side: Side): boolean {
  const at = before.findIndex(({ tag, text }) => tag === 'j' && /^(?:before|after|once)$/.test(text));
  return at >= 0 && /^(?:obstacle|busy)$/.test(side) && before.slice(at).some(({ tag }) => /[dhu]/.test(tag));
}

/** Returns true for a time that is itself moved: "reschedule Thursday's call", "can we move the 3pm". */
function isMoved(item: Item | undefined, before: Item[]): boolean {
  const at = before.findLastIndex(({ tag }) => tag === 'm');
  const verb = before[at];
  const isShift = /^(?:to|at|by|until|on|in) |\b(?:later|earlier)$/.test(item?.text ?? '');
  if (verb === undefined || !isPlace(item) || LEADING.test(verb.text) || isShift) return false;
  return before.slice(at + 1).every(({ tag, text: word }) => tag === 'f' && !LEADING.test(word));
}

const LEADING =
  /\b(?:to|for|into|onto|on|in|at|towards?|nearer|from|by|back|out|off|up|forwards?|further|along|ahead|then)$/;

/** Returns true for a time that a complaint is about: "10am is too early", "too early on Tuesday". */
function isOnlyNamed(items: Item[], groups: Group[], i: number): boolean {
  const kindAt = (group: Group | undefined) => group && items[group.first]?.mention?.kind;
  const [last, own, next] = [groups[i - 1], groups[i], groups[i + 1]];
  if (own === undefined || kindAt(own) === 'complaint') return false;
  // "Not too early on Thursday" asks for Thursday.
  if (last && kindAt(last) === 'complaint' && items.slice(0, last.first).some(({ tag }) => tag === 'n')) return false;
  const isSmall = (from: number, to: number) => items.slice(from, to).every(({ tag }) => /[fvj]/.test(tag));
  if (next && kindAt(next) === 'complaint' && isSmall(own.last + 1, next.first)) return true;
  return last !== undefined && kindAt(last) === 'complaint' && isSmall(last.last + 1, own.first);
}
