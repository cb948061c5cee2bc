import type { Clause } from './clauses.ts';
import { isPlace } from './group.ts';
import { type Progress, partsOfQuote } from './progress.ts';
import type { Item } from './scan.ts';

const FIRMLY =
  /\b(?:(?:scratch|strike|ignore|forget|cancel) that|correction|no wait|wait no|make that|on second thoughts?|actually (?:no|make it)|no (?:actually|sorry|make it)|change of plan)\b|^(?:or|no) rather\b/;
const ONLY_NO =
  /^(?:(?:oh|er|erm|um|uh|ah|hmm|sorry|actually|and|but|wait|hang on) ){0,4}(?:no|nope|nah|wait|oops|whoops|hang on|no thanks|no thank you|no chance|no way|not a chance|absolutely not|forget it|not happening)(?: (?:sorry|wait|actually|hang on)){0,3}$/;
const MEANT = /^(?:i mean|meant|meaning)$/;
const SOFTLY = /^(?:actually|sorry|oops|whoops)$/;
const AS_WELL = /\b(?:also|too|as well|either|both)\b/;
const LEADS = /^(?:oh|ah|um|er|erm|hmm|but|or|i|we|on|at|the|sorry|then)$/;

/**
 * Tells if a clause corrects what was said before it. Returns `firm` for "no wait" and "I mean Friday", which take back
 * the earlier wish in any case. Returns `soft` for "sorry, 3pm", which takes it back only if the clause itself asks for
 * a time.
 */
export function correctionIn({ items }: Clause): 'firm' | 'soft' | undefined {
  const words = items.map(({ text }) => text).join(' ');
  if (FIRMLY.test(words) || ONLY_NO.test(words)) return 'firm';
  const at = items.findIndex(({ text }) => MEANT.test(text));
  if (at >= 0 && isFollowedByPlace(items, at) && items.slice(0, at).every(isLead)) return 'firm';
  const start = items.findIndex((item) => !isLead(item) || SOFTLY.test(item.text));
  const isSoft = SOFTLY.test(items[start]?.text ?? '') && !AS_WELL.test(words);
  return isSoft && (isFollowedByPlace(items, start) || items[start]?.text === 'actually') ? 'soft' : undefined;
}

const isLead = ({ text }: Item) => LEADS.test(text);

function isFollowedByPlace(items: readonly Item[], at: number): boolean {
  let next = at + 1;
  while (LEADS.test(items[next]?.text ?? '')) next++;
  return isPlace(items[next]);
}

const DENIALS = /^(?:no|nope|nah|wait|oops|sorry|scrap|strike|ignore|forget|cancel|that|oh|er|erm|um|actually)$/;

/** Returns a clause without the words that only take back: "no sorry I mean Thursday" refuses nothing. */
export function withoutCorrection(clause: Clause): Clause {
  const start = clause.items.findIndex(({ text }) => !DENIALS.test(text));
  return start > 0 && clause.items.some(isPlace) ? { ...clause, items: clause.items.slice(start) } : clause;
}

const NO_AFTER_ALL = /^(?:n[gb]?|t?u+|b+|h[dxu]*)$/;

/** Returns true for "but I can't", which takes back the wish before it and names no time of its own. */
export const takesBack = ({ items, joint }: Clause): boolean =>
  /^(?:but|though|although|however)$/.test(joint) &&
  NO_AFTER_ALL.test(
    items
      .map(({ tag }) => tag)
      .join('')
      .replace(/[fvj~o&]/g, ''),
  );

/**
 * Withdraws what the text has asked for so far, because a later clause takes it back. The withdrawn words count as not
 * understood unless the text goes on to correct them.
 */
export function takeBack(progress: Progress): void {
  const { reading } = progress;
  progress.takenBack = [...reading.wanted];
  reading.unread.push(...[...reading.wanted, ...reading.moves].flatMap(({ quote }) => partsOfQuote(quote)));
  reading.standing = reading.standing.filter(({ quote }) => !reading.wanted.some((box) => box.quote === quote));
  reading.wanted = [];
  reading.moves = [];
  reading.soon = undefined;
  progress.since = 0;
}
