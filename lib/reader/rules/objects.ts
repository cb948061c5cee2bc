import { isPlace } from './group.ts';
import { type Item, isMarked } from './scan.ts';

/**
 * Largest number of words that the rules take as the name of the meeting to move. Without this limit, a long text would
 * take too much work.
 */
const LONGEST_NAME = 12;
const NAMING = /^[fxdMjv&]$/;
const ASKED = /\b(?:move|shift|change|switch|reschedule|rearrange|rebook|schedule|have|make)$/;
const LEADS_ON = /^(?:to|until|into|onto|back to|forward to|up to)$/;
const BACK = /^(?:back|out|off|along|backwards?)$/;
const FORWARD = /^(?:forwards?|up|ahead|in)$/;
const SMALL = /^(?:be|is|start(?:ing)?|begin|happen|take place|some ?time|on|at|in|the|around|about|then|do|for)$/;
/**
 * Nouns for what two people may move together. Anything else, such as a dentist's appointment, may be the reason why
 * they move the meeting.
 */
const MEETING =
  /\b(?:meetings?|calls?|sessions?|chats?|syncs?|syncs|reviews?|interviews?|demos?|presentations?|standups?|one to ones?|retro|kick ?offs?|workshops?|training|webinars?)$|^(?:my |our |the |this )?appointment$/;

/**
 * Joins a verb and the meeting that it moves into one item, so that words within the meeting's name are not read as a
 * wish: in "move my 3pm call with Bob to Tuesday", only Tuesday is wished for, not 3pm. If the verb moves something
 * other than a meeting, such as a dentist's appointment, turns the verb into an unknown word.
 */
export function withoutObjects(items: readonly Item[]): Item[] {
  const out: Item[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Item;
    const isVerb = /^[mpq]$/.test(item.tag) || (item.tag === 'a' && ASKED.test(item.text));
    const found = isVerb && !/ (?:to|for|into|onto|on|in|until|from)$/.test(item.text) && endOf(items, i);
    if (!found) {
      out.push(item);
      continue;
    }
    const end = items[found.to - 1] ?? item;
    const text = isPlace(items[found.to]) ? `${item.text} to` : item.text;
    out.push({ tag: tagOf(item, items, i, found), text, start: item.start, end: end.end });
    i = found.to - 1;
  }
  return out;
}

interface End {
  /** The index of the item after the meeting's name, such as "to" in "move my call to Friday". */
  name: number;
  /** The index of the item that names the time to which the meeting is to move. */
  to: number;
}

/**
 * Returns where the name of the moved meeting ends and where the new time stands. Returns undefined if no time follows
 * the name.
 */
function endOf(items: readonly Item[], verb: number): End | undefined {
  let hasTime = false;
  for (let k = verb + 1; k < items.length && k <= verb + LONGEST_NAME; k++) {
    const item = items[k] as Item;
    if (k > verb + 1 && isPlace(item) && /^to /.test(item.text)) return { name: k, to: k };
    if (LEADS_ON.test(item.text) || BACK.test(item.text) || (FORWARD.test(item.text) && !isPlace(items[k + 1]))) {
      let to = k + 1;
      while (to < items.length && (SMALL.test(items[to]?.text ?? '') || LEADS_ON.test(items[to]?.text ?? ''))) to++;
      if (isMarked(items[to])) return { name: k, to };
    }
    if (isMarked(item)) {
      if (item.mention.kind === 'amount' && k > verb + 1 && (!hasTime || /^by /.test(item.text)))
        return { name: k, to: k };
      if (!isPlace(item)) return undefined;
      hasTime = true;
    } else if (!NAMING.test(item.tag)) return undefined;
  }
  return undefined;
}

function tagOf(verb: Item, items: readonly Item[], from: number, { name, to }: End): Item['tag'] {
  const named = items.slice(from + 1, name);
  if (named.some(({ tag, text }) => tag === 'd' && !MEETING.test(text))) return 'x';
  const lead = items.slice(name, to);
  if (verb.tag === 'p' || verb.tag === 'q') return verb.tag;
  if (isPlace(items[to])) return 'm';
  return lead.some(({ text }) => BACK.test(text)) ? 'p' : lead.some(({ text }) => FORWARD.test(text)) ? 'q' : 'm';
}
