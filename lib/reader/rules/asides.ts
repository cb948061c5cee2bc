import { isPlace } from './group.ts';
import type { Item } from './scan.ts';
import { tagsAfter } from './side-tags.ts';
import type { Side } from './verdicts.ts';

/**
 * The first and last index of a group in a clause's items. A group is a run of neighboring days and clock times, or one
 * other mention.
 */
export interface Group {
  first: number;
  last: number;
}

/** A time of a clause, with the words before and after it. */
interface Place {
  items: Item[];
  groups: Group[];
  /** The index of the time's group. */
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
  isNeededFor(before, after) ||
  isSpanOf(items, groups[i], before) ||
  isAfterEvent(before, side);

const MEETING =
  /^(?:(?:call|meeting|session|chat|slot|one|sync|review|lunch|dinner|breakfast|brunch|coffee|event|catch up)\b.*)$/;

/** Returns true for a time that only helps to name an event or a thing: "the 9:30 standup", "Friday's deadline". */
function isAttribute(items: Item[], group: Group | undefined): boolean {
  if (group === undefined) return false;
  const [is, thing] = [items[group.last + 1], items[group.last + 2]];
  if (is?.text === 'is' && (thing?.tag === 'd' || MEETING.test(thing?.text ?? ''))) return true;
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

/** Returns true for the first time of "3pm is 7am for me": the second one says what is meant. */
function isEquated(items: Item[], groups: Group[], i: number): boolean {
  const [group, next] = [groups[i], groups[i + 1]];
  if (!group || !next || items[group.last]?.mention?.kind !== 'clock') return false;
  return (
    items[next.first]?.mention?.kind === 'clock' &&
    items[next.first - 1]?.text === 'is' &&
    next.first === group.last + 2
  );
}

/** Returns true for the date in "it's month end", which only says what day it is. */
function isStated(items: Item[], groups: Group[], i: number, before: Item[]): boolean {
  const [group] = groups.slice(i);
  const says = before.map(({ text }) => text).join(' ');
  if (/\b(?:early|late)\b/.test(items[group?.first ?? 0]?.text ?? '')) return false;
  return /^it is(?: now| only| still)?$/.test(says) && items[group?.first ?? 0]?.mention?.kind === 'days' && i === 0;
}

/** Returns true for the second part of the day in "I prefer afternoons to mornings". */
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

/** Returns true for "I need the rest of the week to recover", which asks for no meeting then. */
function isNeededFor(before: Item[], after: Item[]): boolean {
  const to = after.findIndex(({ text }) => text === 'to');
  return (
    to >= 0 &&
    /[xd]/.test(after[to + 1]?.tag ?? '') &&
    before.some(({ text }) => /\b(?:need|want|have|take|use)\b/.test(text))
  );
}

/** Returns true for Thursday in "after my dentist appointment on Thursday". These words do not refuse Thursday. */
function isAfterEvent(before: Item[], side: Side): boolean {
  const at = before.findIndex(({ tag, text }) => tag === 'j' && /^(?:before|after|once)$/.test(text));
  return at >= 0 && /^(?:obstacle|busy)$/.test(side) && before.slice(at).some(({ tag }) => /[dhu]/.test(tag));
}

/** Returns true for a time that is itself moved: "reschedule Thursday's call", "can we move the 3pm". */
function isMoved(item: Item | undefined, before: Item[]): boolean {
  const at = before.findLastIndex(({ tag }) => tag === 'm');
  const verb = before[at];
  if (verb === undefined || !isPlace(item) || LEADING.test(verb.text) || /^(?:to|at|by|until|on|in) /.test(item.text))
    return false;
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
