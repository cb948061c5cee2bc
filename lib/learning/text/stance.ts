import type { Cue } from './cues.ts';
import type { Mention } from './mentions.ts';
import type { Item, Marked } from './scan.ts';

/** What the words around a run of mentions make of it. */
export interface Stance {
  /** Wanted, unwanted, or only mentioned. */
  sign: 1 | -1 | 0;
  /** How that is known: praise, permission, refusal or a request; its name standing there; it being what it was. */
  ground: 'liked' | 'allowed' | 'disliked' | 'asked' | 'bare' | 'source';
  /** It and nothing else. */
  isOnly: boolean;
  /** The segment asks for something. */
  isAsked: boolean;
  /** An odd number of negations stands before it. */
  isDenied: boolean;
  /** By a word that leaves nothing of it: nothing, no. */
  isDeniedWhole: boolean;
  /** Words of liking stand before it. */
  isLiked: boolean;
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

/** Mentions that say one thing together, and what is made of them. */
export interface Cluster {
  mentions: Marked[];
  stance: Stance;
}

/** Runs of mentions with nothing but small words between them: they say one thing together. */
export function clustersOf(segment: Item[]): Cluster[] {
  const clusters: { first: number; last: number; mentions: Marked[] }[] = [];
  segment.forEach((item, i) => {
    if (!('mention' in item)) return;
    const open = clusters.at(-1);
    const isNear = open !== undefined && segment.slice(open.last + 1, i).every((between) => isSmall(between));
    if (open && isNear && isPlace(item.mention) && open.mentions.every(({ mention }) => isPlace(mention))) {
      open.last = i;
      open.mentions.push(item);
    } else clusters.push({ first: i, last: i, mentions: [item] });
  });
  return clusters.map(({ first, last, mentions }) => ({ mentions, stance: stanceOf(segment, first, last) }));
}

const isSmall = (item: Item) => 'cue' in item && (item.cue === 'light' || item.cue === 'around');
const isPlace = ({ kind }: Mention) =>
  kind === 'days' || kind === 'weekdays' || kind === 'clock' || kind === 'same_time';

/** Weighs what stands before and after the items from first to last, as far as the mentions next to them. */
function stanceOf(segment: Item[], first: number, last: number): Stance {
  const before = segment.slice(lastMention(segment, first) + 1, first);
  const after = segment.slice(last + 1, nextMention(segment, last));
  const has = (cue: Cue) => segment.some((item) => 'cue' in item && item.cue === cue);
  const isLast = nextMention(segment, last) === segment.length;
  return {
    ...verdictOf({
      segment,
      before,
      after,
      isTold: isToldBefore(segment, first),
      isLast,
      isFrom: leadsOn(segment, last),
    }),
    isOnly: [...before, ...after].some((item) => item.text === 'only'),
    isAsked: ASKS.some(has),
    isDenied: isDenied(before),
    isDeniedWhole: before.some((item) => /^(?:no|none|nothing|avoid|rather not)$/.test(item.text)),
    isLiked: before.some((item) => ('cue' in item && item.cue === 'good') || LIKES.test(item.text)),
    isTold: isToldBefore(segment, first),
    isStated: count(before, 'be') > 0,
    leaves: has('leave'),
    returns: has('back'),
    push: has('pull') ? -1 : has('push') ? 1 : 0,
    needs: has('need'),
  };
}

interface Around {
  segment: Item[];
  before: Item[];
  after: Item[];
  isTold: boolean;
  isLast: boolean;
  isFrom: boolean;
}

function verdictOf({ segment, before, after, isTold, isLast, isFrom }: Around): Pick<Stance, 'sign' | 'ground'> {
  const denied = isDenied(before);
  const said = predicateOf(after, isLast);
  if (isFrom || (said === undefined && count(before, 'source') > 0)) return { sign: 0, ground: 'source' };
  const isAsked = count(segment, ...ASKS) > 0;
  if (segment.some(isComplaint) && !isAsked) return { sign: 0, ground: 'bare' };
  if (said === 'past' || said === 'other') return { sign: 0, ground: said === 'past' ? 'allowed' : 'bare' };
  if (said !== undefined) return { sign: (said !== 'disliked') !== denied ? 1 : -1, ground: denied ? 'allowed' : said };
  const against = count(before, 'bad', 'busy', 'have') > 0;
  const ground = count(before, 'have') > 0 ? 'bare' : 'allowed';
  if (denied || against) return { sign: denied && against ? 1 : -1, ground };
  const praise = before.filter((item) => 'cue' in item && item.cue === 'good');
  if (isAsked || praise.some(({ text }) => !PERMITS.test(text))) return { sign: 1, ground: 'asked' };
  if (praise.length > 0) return { sign: 1, ground: 'allowed' };
  if (count(segment, 'good', 'leave', 'back') > 0) return { sign: 1, ground: 'bare' };
  const isBare = !isTold && after.every((item) => 'cue' in item);
  return { sign: isBare ? 1 : 0, ground: 'bare' };
}

/** Words of approval that permit more than they praise. */
const PERMITS =
  /^(?:fine|okay|possible|works?|working|open|free|available|alright|doable|suits?|feasible|fits?|(?:an )?option|no .*|not .*)$/;

/** What is said of it after it: "Thursday would be better", "mornings are not good", "Thursday does". */
function predicateOf(after: Item[], isLast: boolean): 'liked' | 'allowed' | 'disliked' | 'past' | 'other' | undefined {
  let nots = 0;
  let isPast = false;
  for (const [i, item] of after.entries()) {
    if ('word' in item) break;
    if ('mention' in item) return item.mention.kind === 'complaint' ? 'other' : undefined;
    if (item.cue === 'not' || item.cue === 'doubt') nots++;
    if (item.cue === 'past') isPast = true;
    // "Thursday instead of Monday".
    if (item.cue === 'source' && nots === 0) return 'allowed';
    if (item.cue !== 'good' && item.cue !== 'bad' && item.cue !== 'busy') continue;
    const isDisliked = (item.cue === 'good') !== (nots % 2 === 0);
    if (isPast) return isDisliked ? 'other' : 'past';
    const praise = after
      .slice(i)
      .some((more) => more.text === 'well' || ('cue' in more && more.cue === 'good' && !PERMITS.test(more.text)));
    return isDisliked ? 'disliked' : praise ? 'liked' : 'allowed';
  }
  // Before another mention it is that one's: "any day next week except Tuesday".
  if (nots % 2 === 1) return isLast ? 'disliked' : undefined;
  const end = after.at(-1);
  return end && ENDS.test(end.text) && count(after, 'be') === after.length ? 'allowed' : undefined;
}

const LIKES = /^(?:like|love|enjoy|prefer|prefers)$/;
const ENDS = /^(?:is|are|would|does|do|can|could)$/;

/** "Move it from Tuesday to Friday", "swap Tuesday for Thursday": the first is what it was. */
function leadsOn(segment: Item[], last: number): boolean {
  const next = segment[last + 1];
  const beyond = segment[last + 2];
  const isLed = next && 'cue' in next && next.cue === 'to' && beyond && 'mention' in beyond;
  return Boolean(isLed) && segment.slice(0, last).some((item) => 'cue' in item && MOVES.test(item.text));
}

const isComplaint = (item: Item) => 'mention' in item && item.mention.kind === 'complaint';
const isDenied = (before: Item[]) => count(before, 'not', 'doubt') % 2 === 1;
const isToldBefore = (segment: Item[], first: number) => segment.slice(0, first).some((item) => 'word' in item);

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
