import type { Cue } from './cues.ts';
import type { Item } from './scan.ts';

/** What the words around a run of mentions make of it. */
export interface Stance {
  /** Wanted, unwanted, or only mentioned. */
  sign: 1 | -1 | 0;
  /** The segment asks for something. */
  isAsked: boolean;
  /** An odd number of negations stands before it. */
  isDenied: boolean;
  /** Words of another matter stand before it: something is told. */
  isTold: boolean;
  /** A statement: it is, that was. */
  isStated: boolean;
  /** When somebody must leave, and when somebody is back. */
  leaves: boolean;
  returns: boolean;
  /** 1 when the segment puts the meeting off, -1 when it brings it forward. */
  push: 1 | -1 | 0;
  needs: boolean;
}

const ASKS: readonly Cue[] = ['ask', 'need', 'push', 'pull'];
const MOVES = /move|swap|switch|change|exchange|shift|push/;

/** Weighs what stands before and after the items from first to last, as far as the mentions next to them. */
export function stanceOf(segment: Item[], first: number, last: number): Stance {
  const before = segment.slice(lastMention(segment, first) + 1, first);
  const after = segment.slice(last + 1, nextMention(segment, last));
  const has = (cue: Cue) => segment.some((item) => 'cue' in item && item.cue === cue);
  const isComplaint = segment.some((item) => 'mention' in item && item.mention.kind === 'complaint');
  const isAsked = ASKS.some(has);
  const isTold = segment.slice(0, first).some((item) => 'word' in item);
  return {
    sign:
      isSource(segment, last) || (isComplaint && !isAsked)
        ? 0
        : signOf(segment, before, after, isTold, nextMention(segment, last) === segment.length),
    isAsked,
    isDenied: count(before, 'not', 'doubt') % 2 === 1,
    isTold,
    isStated: count(before, 'be') > 0,
    leaves: has('leave'),
    returns: has('back'),
    push: has('pull') ? -1 : has('push') ? 1 : 0,
    needs: has('need'),
  };
}

function signOf(segment: Item[], before: Item[], after: Item[], isTold: boolean, isLast: boolean): 1 | -1 | 0 {
  const denied = count(before, 'not', 'doubt') % 2 === 1;
  const said = predicateOf(after, isLast);
  if (said === 'past' || said === 'other') return 0;
  if (said !== undefined) return (said === 'good') !== denied ? 1 : -1;
  if (count(before, 'source') > 0) return 0;
  const against = count(before, 'bad', 'busy') > 0;
  if (denied || against) return denied && against ? 1 : -1;
  const isAsked = segment.some((item) => 'cue' in item && [...ASKS, 'good', 'leave', 'back'].includes(item.cue));
  const isBare = !isTold && after.every((item) => 'cue' in item);
  return isAsked || isBare ? 1 : 0;
}

/** What is said of it after it: "Thursday would be better", "mornings are not good", "Thursday does". */
function predicateOf(after: Item[], isLast: boolean): 'good' | 'bad' | 'past' | 'other' | undefined {
  let nots = 0;
  let isPast = false;
  for (const item of after) {
    if ('word' in item) break;
    if ('mention' in item) return item.mention.kind === 'complaint' ? 'other' : undefined;
    if (item.cue === 'not' || item.cue === 'doubt') nots++;
    if (item.cue === 'past') isPast = true;
    if (item.cue === 'source') break;
    if (item.cue !== 'good' && item.cue !== 'bad' && item.cue !== 'busy') continue;
    if (isPast) return 'past';
    return (item.cue === 'good') === (nots % 2 === 0) ? 'good' : 'bad';
  }
  // Before another mention it is that one's: "any day next week except Tuesday".
  return nots % 2 === 1 && isLast ? 'bad' : undefined;
}

/** "Move it from Tuesday to Friday", "swap Tuesday for Thursday": the first is what it was. */
function isSource(segment: Item[], last: number): boolean {
  const next = segment[last + 1];
  const beyond = segment[last + 2];
  const leadsOn = next && 'cue' in next && next.cue === 'to' && beyond && 'mention' in beyond;
  return Boolean(leadsOn) && segment.slice(0, last).some((item) => 'cue' in item && MOVES.test(item.text));
}

const count = (items: Item[], ...cues: Cue[]) =>
  items.filter((item) => 'cue' in item && cues.includes(item.cue)).length;

function lastMention(segment: Item[], before: number): number {
  for (let i = before - 1; i >= 0; i--) if ('mention' in (segment[i] ?? {})) return i;
  return -1;
}

/** Up to the next mention and, when that is a complaint, with it: "10am is too early". */
function nextMention(segment: Item[], after: number): number {
  for (let i = after + 1; i < segment.length; i++) {
    const item = segment[i];
    if (item && 'mention' in item) return item.mention.kind === 'complaint' ? i + 1 : i;
  }
  return segment.length;
}
