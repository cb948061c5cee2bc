import type { Clause } from './clauses.ts';
import { isPlace } from './group.ts';
import type { Item } from './scan.ts';

const LIMIT = /^(?:(?:only|straight|right|just|any ?time) )?(?:after|before|once)$/;
const ITS_TIME = /^(?:(?:and|which|that|it|this) )+(?:is|starts?|ends?|falls?)\b/;

/** Returns the limit that a clause sets by an event whose time is yet to be named: "only after the sprint review". */
export function limitOf({ items }: Clause): 'after' | 'before' | undefined {
  if (items.some(({ mention }) => mention)) return undefined;
  const at = items.findLastIndex(({ tag, text }) => tag === 'j' && LIMIT.test(text));
  const isNamed = at >= 0 && items.slice(at + 1).some(({ tag }) => /[xdu]/.test(tag));
  const isAsked = at === 0 || items.slice(0, Math.max(at, 0)).some(({ tag }) => /[akgpm]/.test(tag));
  if (!isNamed || !isAsked) return undefined;
  return items[at]?.text.endsWith('before') ? 'before' : 'after';
}

/** Turns the time of the event that the clause before set as a limit into that limit: "that is Thursday 3 to 4". */
export function limitedBy(clause: Clause, limit: 'after' | 'before' | undefined): Clause {
  const from = clause.items.findIndex(isPlace);
  const lead = clause.items.slice(0, from).map(({ text }) => text);
  if (limit === undefined || from < 0 || !ITS_TIME.test(lead.join(' '))) return clause;
  const clock = clause.items.findIndex(({ mention }) => mention?.kind === 'clock');
  const edge = clock < 0 ? from : clock;
  const isEnd = limit === 'before' || lead.some((word) => word.startsWith('end'));
  return {
    ...clause,
    items: clause.items
      .slice(from)
      .map((item, i) => (i === edge - from ? { ...(isEnd ? item : pastEvent(item)), bound: limit } : item)),
  };
}

/** The minutes for which an event is taken to last if the text names no end. */
const USUAL_LENGTH = 60;

/** Moves the start of an event to its likely end, if the meeting is to follow it. */
function pastEvent(item: Item): Item {
  const { mention } = item;
  if (mention?.kind !== 'clock' || !mention.isPoint) return item;
  return { ...item, mention: { ...mention, from: mention.from + USUAL_LENGTH, to: mention.to + USUAL_LENGTH } };
}
